"""The sentences of a report: the rules for words, and the limitations."""

import math
import re
from dataclasses import replace

import pytest

import unisono as un
from document_populations import made_up_corpus
from sample_texts import text
from unisono.reports.findings import find
from unisono.reports.methods import methods_paragraph
from unisono.reports.sections import reading_section
from unisono.reports.summary import (
    cautions,
    gain_sentence,
    headline,
    percent,
    summary,
)
from unisono.results.blocks import join_words, without_isolates
from unisono.results.values import Interval


def test_no_scale_of_words_is_used():
    """The needed agreement depends on the use; a scale of adjectives for γ would be made up."""
    found = find(un.read("examples/interview.csv"), draws=30, rng=1)
    said = " ".join([headline(found), *summary(found), *cautions(found), methods_paragraph(found)])

    assert not re.search("poor|slight|fair|moderate|substantial|perfect agreement", said)
    assert headline(found).startswith("γ = 0.80 (random annotations give −0.")


def test_the_weakest_label_counts_missed_units():
    rows = [("ann", 10 * n, 10 * n + 5, "A" if n % 2 else "B") for n in range(16)]
    other = [("bob", *row[1:]) for row in rows if row[3] == "A" or row[1] < 40]
    found = find(text(*rows, *other, ("ann", 200, 205, "rare")), draws=30, rng=1)

    assert found.gamma.gamma_k["B"].value == 1.0
    (told,) = (each for each in summary(found) if "least agreement" in each)
    assert without_isolates(told).startswith(
        "Counting missed units, the label with the least agreement is “B” (γ of its units = "
    )
    assert told.endswith(", mean pairwise F1 = 0.40; 10 units).")


def test_the_interval_over_documents_stands_beside_the_value():
    found = find(made_up_corpus("careless", 12), draws=30, rng=1)
    assert found.gamma.interval is not None
    low, high = found.gamma.interval.low, found.gamma.interval.high
    ends = f"95 % interval over documents {low:.2f} to {high:.2f}"
    assert headline(found).startswith(f"γ = {found.gamma.value:.2f} ({ends}, random annotations")
    told = summary(found)[0]
    assert f"({ends})" in told
    assert "jackknife over documents, 95 % interval" in methods_paragraph(found)
    assert "Intervals over documents show how values would differ" in " ".join(cautions(found))


def test_one_document_has_monte_carlo_intervals_only():
    found = find(un.read("examples/interview.csv"), draws=30, rng=1)

    told = [headline(found), *summary(found), *cautions(found), methods_paragraph(found)]
    assert not any("over documents" in each for each in told)
    assert "± and Monte Carlo intervals reflect" in " ".join(told)


def test_the_first_sentence_names_what_costs_most():
    labels = text(
        *[("ann", 0, 9, "A"), ("ann", 20, 29, "B"), ("ann", 40, 49, "C")],
        *[("bob", 0, 9, "A"), ("bob", 20, 29, "C"), ("bob", 40, 49, "C")],
    )
    found_text = without_isolates(headline(find(labels, draws=30, rng=1)))
    assert "; disagreement is mainly due to labels; “B” is confused with “C”." in found_text

    moved = text(("ann", 0, 9, "A"), ("ann", 20, 29, "A"), ("bob", 3, 9, "A"), ("bob", 22, 29, "A"))
    found_text = without_isolates(headline(find(moved, draws=30, rng=1)))
    assert found_text.endswith("; disagreement is mainly due to boundaries.")

    equal = text(("ann", 0, 9, "A"), ("bob", 0, 9, "A"))
    found_text = without_isolates(headline(find(equal, draws=30, rng=1)))
    assert re.fullmatch(r"γ = 1\.000 \(random annotations give .* to .*\)\.", found_text)


def test_an_annotator_is_named_only_beyond_the_error_of_draws():
    rows = [
        (name, 20 * i, 20 * i + 9, "AB"[i % 2]) for name in ("ann", "bob", "cy") for i in range(6)
    ]
    odd = [("dan", 20 * i + 7, 20 * i + 15, "BA"[i % 2]) for i in range(6)]
    assert "“dan” differs most" in without_isolates(
        headline(find(text(*rows, *odd), draws=30, rng=1))
    )

    found = find(text(*rows), draws=30, rng=1)
    assert "differs" not in headline(found)
    assert "No annotator stands out" in " ".join(summary(found))


def test_gains_within_the_monte_carlo_error_are_marked():
    sure = un.results.GammaGain(0.8, 0.1, Interval(0.05, 0.15, 0.95, "monte carlo"), None)
    unsure = un.results.GammaGain(0.8, -0.01, Interval(-0.03, 0.01, 0.95, "monte carlo"), None)

    assert gain_sentence("It", sure) == (
        "It would raise γ by 0.10, to 0.800 (95 % Monte Carlo interval 0.05 to 0.15)."
    )
    assert "lower γ by 0.01" in gain_sentence("It", unsure)
    assert "(within the Monte Carlo error)" in gain_sentence("It", unsure)
    undefined = un.results.GammaGain(math.nan, math.nan, None, "there are no units")
    assert gain_sentence("It", undefined) == "It: γ would be undefined (there are no units)."


def test_a_reader_is_warned_of_what_limits_the_numbers():
    few = text(("ann", 0, 9, "A"), ("bob", 30, 39, "B"), extent=(0, 40))
    told = " ".join(cautions(find(few, draws=30, rng=1)))

    assert "No value is good or bad by itself" in told
    assert "only 2 units" in told
    assert "There is only one document" in told
    assert "Monte Carlo intervals" in told
    assert "γ lies within what random annotations of this document give" in told


def test_the_report_contains_the_rules_of_its_words():
    found_text = str(reading_section())

    for needed in ("no scale of good and bad values", "50.0 %", "25.0 %", "5.0 %", "50 units"):
        assert needed in found_text


def test_the_methods_state_every_setting_that_affects_gamma():
    data = text(("ann", 0, 9, 1), ("ann", 20, 29, 3), ("bob", 0, 9, 2), ("bob", 20, 29, 3))
    weights = un.CombinedDissimilarity(position=3, label=0.5, empty=2, distance="interval", power=1)
    found_text = methods_paragraph(
        find(data, draws=17, rng=99, chance="statistical", dissimilarity=weights)
    )

    for needed in (
        *("2 annotators marked 4 units with 3 labels in 1 document", "17 draws", "seed 99"),
        *("part (weight 3)", "label part (weight 0.5, interval distance)", "was 2", "power 1"),
        *("from distributions fitted to the document", "(Mathet, Widlöcher & Métivier, 2015)"),
        *("unisono ", "proven optimal"),
    ):
        assert needed in found_text


def test_lists_read_as_sentences_do():
    assert [join_words(words) for words in (["a"], ["a", "b"], ["a", "b", "c"])] == [
        *("a", "a and b", "a, b and c"),
    ]


@pytest.mark.parametrize(
    ("skipped", "verb"),
    [(1, "1 row could not be read and was "), (2, "2 rows could not be read and were ")],
)
def test_verbs_agree_with_the_number_of_rows(skipped, verb):
    found = find(text(("ann", 0, 9, "A"), ("bob", 0, 9, "A")), draws=30, rng=1)
    found = replace(found, gamma=replace(found.gamma, skipped=skipped))

    assert f"{verb}excluded" in methods_paragraph(found)
    assert f"{verb}skipped" in " ".join(cautions(found))


def test_the_program_is_cited_once_with_its_authors():
    found = find(text(("ann", 0, 9, "A"), ("bob", 0, 9, "A")), draws=30, rng=1)

    assert methods_paragraph(found).endswith(f"unisono {un.__version__} (The unisono authors).")


def test_a_share_that_is_not_nothing_is_never_written_as_nothing():
    assert [percent(part) for part in (0.0, 1e-9, 0.0004, 0.001, 1.0)] == [
        *("0.0 %", "< 0.1 %", "< 0.1 %", "0.1 %", "100.0 %"),
    ]
