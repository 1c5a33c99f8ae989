from hypothesis import given
from hypothesis import strategies as st

from unisono.results.values import Signature

names = st.text(
    st.characters(exclude_characters=":|\\\n\r", exclude_categories=["Cs"]), min_size=1, max_size=8
)
settings = st.lists(
    st.tuples(names, st.text(max_size=12)), max_size=6, unique_by=lambda pair: pair[0]
)


@given(names, settings)
def test_parsing_undoes_printing(measure, pairs):
    signature = Signature(measure, tuple(pairs))

    assert Signature.parse(str(signature)) == signature


@given(names, settings, names, settings)
def test_different_signatures_are_printed_differently(measure, pairs, other_measure, other_pairs):
    signature = Signature(measure, tuple(pairs))
    other = Signature(other_measure, tuple(other_pairs))

    assert (str(signature) == str(other)) == (signature == other)
