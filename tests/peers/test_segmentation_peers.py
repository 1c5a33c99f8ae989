"""Measures of segmentations beside segeval and NLTK, on random texts."""

import warnings

import numpy as np
import pytest

import unisono as un

pytestmark = pytest.mark.peer

with warnings.catch_warnings():
    # Their sources have escapes that newer Pythons warn of.
    warnings.simplefilter("ignore")
    segeval = pytest.importorskip("segeval", reason="segeval is not installed")
    from segeval.data import samples

    nltk = pytest.importorskip("nltk.metrics.segmentation", reason="NLTK is not installed")

SEEDS = range(60)


def random_texts(seed, n_texts=2, longest=60):
    """Texts of one length, from nearly no boundary to nearly all."""
    rng = np.random.default_rng(seed)
    length = int(rng.integers(2, longest))
    rates = rng.random(n_texts)
    return [
        un.Segmentation.from_positions(
            np.flatnonzero(rng.random(length - 1) < rate) + 1, length=length
        )
        for rate in rates
    ]


def masses(segmentation):
    return tuple(segmentation.masses.tolist())


def marks(segmentation):
    string = ["0"] * (segmentation.length - 1)
    for place in segmentation.boundaries.tolist():
        string[place - 1] = "1"
    return "".join(string)


@pytest.mark.parametrize("seed", SEEDS)
def test_windows_are_those_of_segeval(seed):
    one, other = random_texts(seed)
    given = masses(other), masses(one)
    if segeval.compute_window_size(given[1]) >= one.length:
        return  # it divides by zero there

    assert un.pk(one, other).value == pytest.approx(float(segeval.pk(*given)), abs=1e-14)
    expected = float(segeval.window_diff(*given))
    assert un.window_diff(one, other).value == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("near", [1, 2, 3, 7])
@pytest.mark.parametrize("seed", SEEDS)
def test_similarities_are_those_of_segeval(seed, near):
    one, other = random_texts(seed)
    if not len(one.boundaries) + len(other.boundaries):
        return  # it fails there
    given = masses(one), masses(other)
    for name in ("boundary_similarity", "segmentation_similarity"):
        expected = float(getattr(segeval, name)(*given, n_t=near))
        assert getattr(un, name)(one, other, near=near).value == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("seed", SEEDS)
def test_boundary_edits_are_those_of_segeval(seed):
    one, other = random_texts(seed)
    strings = [segeval.boundary_string_from_masses(masses(each)) for each in (one, other)]
    additions, _, transpositions = segeval.boundary_edit_distance(*strings, n_t=3)
    edits = un.boundary_similarity(one, other, near=3).edits

    assert edits is not None
    assert (edits.near_misses, edits.misses) == (len(transpositions), len(additions))


@pytest.mark.parametrize("seed", SEEDS)
def test_windows_are_those_of_nltk(seed):
    one, other = random_texts(seed)
    # NLTK takes a mark for each place, which are the papers' windows, or one for each atom.
    places, atoms = (marks(one), marks(other)), (marks(one) + "0", marks(other) + "0")
    for window in range(1, one.length):
        for ours, peer in ((un.pk, nltk.pk), (un.window_diff, nltk.windowdiff)):
            plain = ours(one, other, window=window).value
            more = ours(one, other, window=window, convention="nltk").value
            assert plain == pytest.approx(peer(*places, window), abs=1e-14)
            assert more == pytest.approx(peer(*atoms, window), abs=1e-14)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_window_of_nltk_is_that_of_nltk(seed):
    one, other = random_texts(seed)
    expected = nltk.pk(marks(one) + "0", marks(other) + "0")

    assert un.pk(one, other, convention="nltk").value == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("costs", [(2.0, 2.0, 1.0), (1.0, 1.0, 0.5), (3.0, 0.5, 0.1), (1, 2, 0)])
@pytest.mark.parametrize("seed", SEEDS)
def test_generalized_hamming_is_that_of_nltk(seed, costs):
    one, other = random_texts(seed)
    insertion, deletion, shift = costs
    ours = un.generalized_hamming(one, other, insertion=insertion, deletion=deletion, shift=shift)

    assert ours.value == pytest.approx(nltk.ghd(marks(one), marks(other), *costs), abs=1e-9)


@pytest.mark.parametrize(
    "name", ["KAZANTSEVA2012_G5", "KAZANTSEVA2012_G2", "HEARST_1997_STARGAZER"]
)
@pytest.mark.parametrize("measure", ["boundary_similarity", "segmentation_similarity"])
def test_chance_is_that_of_segeval(name, measure):
    data = getattr(samples, name)
    texts = {
        document: {who: un.Segmentation.from_masses(cut) for who, cut in cuts.items()}
        for document, cuts in data.items()
    }
    result = getattr(un, measure)(texts)
    compare = getattr(segeval, measure)

    expected = float(segeval.fleiss_pi_linear(data, fnc_compare=compare))
    assert result.pi.value == pytest.approx(expected, abs=1e-14)
    expected = float(segeval.fleiss_kappa_linear(data, fnc_compare=compare))
    assert result.kappa.value == pytest.approx(expected, abs=1e-14)


def test_the_mean_over_pairs_is_that_of_segeval():
    data = samples.HEARST_1997_STARGAZER
    texts = {who: un.Segmentation.from_masses(cut) for who, cut in data["stargazer"].items()}
    for name in ("pk", "window_diff", "boundary_similarity", "segmentation_similarity"):
        mean = float(segeval.summarize(getattr(segeval, name)(data))[0])
        assert getattr(un, name)(texts).value == pytest.approx(mean, abs=1e-14)
