import csv
import json

import pytest

import unisono as un
from unisono.measures.items.resampling import Resampling
from unisono.parallel.dispatch import Report
from unisono.registry import MEASURES
from unisono.results.record import without_data

# Krippendorff (2011), four annotators and twelve items: α 0.743 nominal, 0.815 ordinal.
ROWS = {
    "a": [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    "b": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    "c": [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    "d": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
}
NAMES = list(un.measure_items(un.Ratings.from_matrix([["x"], ["x"]])))


@pytest.fixture
def ratings(tmp_path):
    """Krippendorff's table, with one row per rating."""
    lines = ["annotator,item,label"]
    lines += [
        f"{name},{item},{label}"
        for name, row in ROWS.items()
        for item, label in enumerate(row, start=1)
        if label is not None
    ]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def wide(tmp_path):
    """The same table with one row per item, separated by semicolons, without a header."""
    rows = zip(*ROWS.values(), strict=True)
    lines = [";".join("" if label is None else str(label) for label in row) for row in rows]
    path = tmp_path / "wide.txt"
    path.write_text("\n".join(f"i{i};{line}" for i, line in enumerate(lines)), encoding="utf-8")
    return path


def rows_of(text):
    return list(csv.DictReader(text.splitlines()))


def test_text_output_has_all_coefficients(run, ratings):
    outcome = run("items", ratings)
    lines = outcome.out.splitlines()

    assert outcome.code == 0
    assert outcome.err.startswith("unisono: note: The labels are 1 to 5. If they are ordered")
    assert run("items", ratings, "--distance", "ordinal").err == ""
    assert lines[0] == "ratings.csv"
    assert lines[1].split() == ["measure", "value", "observed", "expected", "interval", "95", "%"]
    titles = [MEASURES[name].title for name in NAMES]
    assert [line[: len(title)] for line, title in zip(lines[3:11], titles, strict=True)] == titles
    assert lines[4].split()[:5] == ["Krippendorff's", "α", "0.7434", "0.2000", "0.7795"]
    assert "annotators  4" in lines
    assert "items       11 (and 1 without two values to compare)" in lines
    assert [line.partition("|")[0] for line in lines[-8:]] == NAMES


def test_undefined_coefficients_have_a_reason(run, ratings):
    outcome = run("items", ratings)

    assert outcome.code == 0
    assert "Scott's π is undefined: Scott's π is for two annotators" in outcome.out


def test_json_equals_python(run, ratings):
    record = run("items", ratings, "--json").record["measures"]
    same = un.measure_items(un.read_ratings(ratings)).to_dict()["measures"]

    # A note may name a setting, which differs between interfaces.
    assert "takes --missing items" in record["gwet_ac"].pop("notes")[0]
    assert "takes missing='items'" in same["gwet_ac"].pop("notes")[0]
    assert record == same


@pytest.mark.parametrize(
    ("options", "name", "value"),
    [
        (["--measure", "alpha"], "krippendorff_alpha", 0.743),
        (["--measure", "alpha", "--distance", "ordinal"], "krippendorff_alpha", 0.815),
        (["--measure", "alpha", "--distance", "interval"], "krippendorff_alpha", 0.849),
        (["--measure", "alpha", "--distance", "ratio"], "krippendorff_alpha", 0.797),
        # irrCAC prints these for its copy, in which another annotator rated the twelfth item.
        (["--measure", "ac1", "--missing", "items"], "gwet_ac", 0.77544),
        (["--measure", "fleiss", "--missing", "items"], "fleiss_kappa", 0.76117),
    ],
)
def test_published_values_are_reproduced(run, ratings, options, name, value):
    record = run("items", ratings, *options, "--json").record["measures"]

    assert list(record) == [name]
    assert record[name]["value"] == pytest.approx(value, abs=10 ** -len(str(value)[2:]))


def test_aliases_of_the_literature_are_accepted(run, ratings):
    record = run("items", ratings, "--measure", "Siegel-Castellan,light,randolph", "--json").record[
        "measures"
    ]

    assert list(record) == ["fleiss_kappa", "cohen_kappa", "bennett_s"]


def test_one_coefficient_is_shown_with_its_labels_and_pairs(run, ratings):
    lines = run("items", ratings, "--measure", "alpha", "--rows", 3).out.splitlines()

    labels = next(at for at, line in enumerate(lines) if line.startswith("label "))
    pairs = next(at for at, line in enumerate(lines) if line.startswith("annotators "))
    assert lines[labels + 5] == "and 2 more labels; use --csv or --json for all"
    assert sum(" – " in line[:6] for line in lines) == 3
    assert lines[pairs + 5] == "and 3 more pairs; use --csv or --json for all"
    assert lines[-1].startswith("krippendorff_alpha|distance:nominal|missing:values|")


def test_labels_with_the_least_agreement_are_shown(run, ratings):
    shown = run("items", ratings, "--measure", "alpha", "--rows", 1).out
    by_label = un.krippendorff_alpha(un.read_ratings(ratings)).by_label
    worst = min(by_label, key=lambda label: by_label[label].value)

    assert any(line.startswith(f"{worst} ") for line in shown.splitlines())


def test_csv_has_one_row_per_coefficient_label_and_pair(run, ratings, tmp_path):
    target = tmp_path / "agreement.csv"
    outcome = run("items", ratings, "--measure", "alpha,kappa", "--csv", target)
    rows = rows_of(target.read_text(encoding="utf-8"))

    assert outcome.code == 0
    scopes = [row["scope"] for row in rows if row["measure"] == "krippendorff_alpha"]
    assert [scopes.count(scope) for scope in ("all", "label", "pair")] == [1, 5, 6]
    assert (rows[0]["measure"], rows[0]["n_items"], rows[0]["n_left_out"]) == (
        "krippendorff_alpha",
        "11",
        "1",
    )
    assert float(rows[0]["value"]) == pytest.approx(0.743421, abs=5e-7)
    assert rows[-1]["annotator_a"] == "c"
    assert rows[-1]["annotator_b"] == "d"


@pytest.mark.parametrize(
    ("suffix", "message"),
    [(".md", "| Krippendorff's α"), (".html", ">Scott&#x27;s π<"), (".tex", r"Cohen's $\kappa$")],
)
def test_suffix_selects_the_format_of_the_result(run, ratings, tmp_path, suffix, message):
    target = tmp_path / f"agreement{suffix}"
    outcome = run("items", ratings, "-o", target)

    assert outcome.code == 0
    assert message in target.read_text(encoding="utf-8")


@pytest.mark.parametrize("columns", [50, 80, 120])
def test_lines_fit_the_terminal(run, ratings, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    arguments = ("--resamples", 20, "--permutations", 9, "--seed", 1, "--distance", "interval")
    lines = run("items", ratings, *arguments).out.splitlines()

    assert all(len(line) <= columns for line in lines if "|v:" not in line)
    assert sum(" to " in line for line in lines) >= 7


def test_csv_without_a_name_goes_to_stdout_alone(run, ratings):
    assert run("items", ratings, "--csv").out.startswith("scope,measure,label,annotator_a,")


def test_a_bootstrap_adds_intervals(run, ratings):
    outcome = run(
        *("items", ratings, "--measure", "alpha", "--distance", "ordinal"),
        *("--resamples", 500, "--seed", 1, "--confidence", 0.9, "--json"),
    )
    same = un.bootstrap(
        un.read_ratings(ratings), "alpha", distance="ordinal", resamples=500, rng=1, confidence=0.9
    )

    assert outcome.record["measures"]["krippendorff_alpha"] == without_data(same.to_dict())


def test_intervals_and_p_values_are_shown_together(run, ratings):
    shown = run(
        *("items", ratings, "--measure", "alpha,fleiss", "--resamples", 50),
        *("--permutations", 19, "--seed", 1, "--confidence", 0.8),
    ).out

    assert "interval 80 %" in shown
    assert shown.splitlines()[1].endswith("p-value")
    assert sum(line.endswith("   0.0500") for line in shown.splitlines()) == 2
    assert "|bootstrap:percentile|confidence:0.8|resamples:50|seed:1|permutations:19|" in shown


def test_permutation_test_adds_a_column(run, ratings):
    lines = run(
        "items", ratings, "--measure", "alpha", "--permutations", 19, "--seed", 1
    ).out.splitlines()

    assert lines[1].endswith("p-value")
    assert lines[3].endswith("0.0500")


def test_undefined_coefficients_have_no_interval(run, ratings):
    record = run("items", ratings, "--resamples", 20, "--seed", 1, "--json").record["measures"]

    assert record["scott_pi"]["interval"] is None
    assert record["fleiss_kappa"]["interval"] is not None


def test_random_seed_is_shared_by_all_coefficients(run, ratings):
    record = run("items", ratings, "--resamples", 20, "--json").record["measures"]
    seeds = {
        un.results.Signature.parse(one["signature"])["seed"]
        for one in record.values()
        if one["undefined"] is None
    }

    assert len(seeds) == 1


def test_krippendorff_bootstrap_is_for_alpha_only(run, ratings):
    arguments = ("--resamples", 20, "--method", "krippendorff")

    assert run("items", ratings, "--measure", "alpha", *arguments).code == 0
    refused = run("items", ratings, *arguments)
    assert refused.code == 2
    assert "is a bootstrap of krippendorff_alpha" in refused.err


def test_a_wide_table_names_its_annotators_by_number(run, wide):
    record = run(
        "items", wide, "--annotator-columns", "2,3,4,5", "--column-item", 1, "--json"
    ).record["measures"]

    assert record["krippendorff_alpha"]["value"] == pytest.approx(0.743421, abs=5e-7)
    assert record["krippendorff_alpha"]["by_pair"][0]["annotators"] == ["2", "3"]


def test_values_with_commas_are_quoted(run, tmp_path):
    path = tmp_path / "people.csv"
    path.write_text('item;"Smith, J.";bob\n1;a;a\n2;b;a\n', encoding="utf-8")
    record = run(
        "items", path, "--annotator-columns", '"Smith, J.",bob', "--measure", "kappa", "--json"
    ).record["measures"]

    assert record["cohen_kappa"]["by_pair"][0]["annotators"] == ["Smith, J.", "bob"]


def test_sets_are_split_and_compared(run, tmp_path):
    path = tmp_path / "topics.csv"
    path.write_text("item,ann,bob\n1,a|b,a\n2,b,b\n3,a|c,a|c\n", encoding="utf-8")
    record = run(
        *("items", path, "--wide", "--separator", "|", "--measure", "alpha"),
        *("--distance", "masi", "--json"),
    ).record["measures"]

    # MASI of {a, b} and {a} is 1 − 1/2 · 2/3.
    assert record["krippendorff_alpha"]["observed"] == pytest.approx(2 / 9)


@pytest.fixture
def words(tmp_path):
    """Labels without an implied order."""
    path = tmp_path / "words.csv"
    path.write_text(
        "item,ann,bob\n1,low,low\n2,mid,high\n3,high,high\n4,low,mid\n", encoding="utf-8"
    )
    return path


def test_order_makes_labels_ordinal(run, words):
    arguments = ("--wide", "--measure", "alpha", "--distance", "ordinal", "--json")
    record = run("items", words, *arguments, "--order", "low,mid,high").record["measures"]
    ratings = un.read_ratings(words, wide=True)
    same = un.krippendorff_alpha(ratings, distance="ordinal", order=("low", "mid", "high"))

    assert record["krippendorff_alpha"]["value"] == same.value


def test_order_of_numbers(run, ratings):
    record = run(
        *("items", ratings, "--measure", "ac2", "--weights", "linear"),
        *("--order", "0,1,2,3,4,5", "--json"),
    ).record["measures"]
    same = un.gwet_ac(un.read_ratings(ratings), weights="linear", order=range(6))

    assert record["gwet_ac"]["value"] == same.value


def test_ordinal_distance_without_order_is_explained(run, words):
    outcome = run("items", words, "--wide", "--measure", "alpha", "--distance", "ordinal")

    assert outcome.code == 1
    assert "--order LABELS" in outcome.err


def test_na_values_are_missing(run, tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("item,ann,bob\n1,1,1\n2,NA,2\n3,2,2\n4,2,?\n", encoding="utf-8")
    record = run("items", path, "--wide", "--na-values", "NA,?", "--json").record["measures"]

    assert record["krippendorff_alpha"]["value"] == 1.0
    assert record["krippendorff_alpha"]["n_left_out"] == 2


def test_duplicate_ratings_are_rejected_or_dropped(run, ratings):
    with ratings.open("a", encoding="utf-8") as file:
        file.write("a,1,2\n")
    refused = run("items", ratings)

    assert (refused.code, refused.out) == (1, "")
    assert "ratings.csv:43" in refused.err
    assert "--duplicates first" in refused.err
    kept = run("items", ratings, "--duplicates", "first", "--json").record["measures"]
    assert kept["krippendorff_alpha"]["value"] == pytest.approx(0.743421, abs=5e-7)


def test_nothing_to_measure_is_an_error(run, tmp_path):
    path = tmp_path / "same.csv"
    path.write_text("annotator,item,label\nann,1,x\nbob,1,x\n", encoding="utf-8")
    outcome = run("items", path, "--measure", "alpha,kappa", "--json")

    assert outcome.code == 1
    assert outcome.record["measures"]["krippendorff_alpha"]["value"] is None
    assert "krippendorff_alpha, cohen_kappa are undefined: " in outcome.err


def test_percent_agreement_on_a_single_label(run, tmp_path):
    path = tmp_path / "same.csv"
    path.write_text("annotator,item,label\nann,1,x\nbob,1,x\n", encoding="utf-8")
    outcome = run("items", path, "--json")

    assert outcome.code == 0
    assert outcome.record["measures"]["percent_agreement"]["value"] == 1.0
    assert outcome.record["measures"]["fleiss_kappa"]["undefined"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--measure alfa", "unknown measure 'alfa'; choose one of percent_agreement"),
        ("--measure ,", "--measure must be a comma-separated list, got ','"),
        ("--distance nomnal", "unknown label distance 'nomnal'; choose one of nominal"),
        ("--weights cubic", "unknown weights 'cubic'; choose one of linear, quadratic, nominal"),
        ("--measure alpha --weights linear", "--weights is not for krippendorff_alpha; it is for"),
        ("--measure kappa --categories 3", "--categories is not for cohen_kappa; it is for benn"),
        ("--measure kappa --order 1,2,3,4,5", "--order applies to --distance ordinal, to the"),
        ("--order 1,1 --distance ordinal", "--order must list each label once, from low to high"),
        ("--missing drop", '"values", "items", "pairs", "remove"'),
        ("--resamples 0", "--resamples must be 1 or more, got 0"),
        ("--permutations -1", "--permutations must be 1 or more, got -1"),
        ("--confidence 2", "--confidence must lie between 0 and 1, such as 0.95 for 95 %; got 2"),
        ("--method bca", "--method needs an interval; set the number of resamples"),
        ("--resamples 9 --seed -1", "-1"),
        ("--rows 0", "--rows must be a whole number of at least 1"),
        ("--json --csv", "cannot both write"),
        ("--annotator-columns 2,2", "--annotator-columns repeats the column 2"),
        ("--annotator-columns 0,2", "columns are counted from 1; got --annotator-columns 0"),
        ("--wide --column-label label", "remove --column-label, or set --long"),
        ("--weights linear --categories 9", "list them with --order LABELS instead of"),
    ],
)
def test_invalid_options_are_usage_errors(run, ratings, options, message):
    outcome = run("items", ratings, *options.split())

    assert outcome.code == 2
    assert outcome.out == ""
    *notes, error = outcome.err.splitlines()
    assert message in error
    assert all(note.startswith("unisono: note: The labels are 1 to 5") for note in notes)


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("", "", "bad.csv"),
        ("annotator,item,label\n", "", "no ratings found"),
        ("who,what,how\na,b,c\n", "", "set --column-annotator COLUMN, --column-item COLUMN"),
        (
            "who,what,how\na,b,c\n",
            "",
            "if each annotator has a column, --wide or --annotator-columns",
        ),
        ("annotator,item,label\n,1,x\n", "", "bad.csv:2: the annotator is empty"),
        (
            "x,y\na,b\nb,a\n",
            "--wide",
            "set --header if these are names of annotators, --no-header if",
        ),
        (
            "1,2\n",
            "--annotator-columns 1,3",
            "no column 3 for --annotator-columns; the table has 2",
        ),
        ("annotator,item,label\na,1,x\n", "--separator abc --no-header", ""),
    ],
)
def test_invalid_data_are_explained(run, tmp_path, content, options, message):
    path = tmp_path / "bad.csv"
    path.write_text(content, encoding="utf-8")
    outcome = run("items", path, *options.split())

    assert outcome.code == 1
    assert outcome.out == ""
    *notes, error = outcome.err.splitlines()
    assert message in error
    assert all(note.startswith("unisono: note: The labels are 1 to 5") for note in notes)


def test_missing_file_is_named(run, tmp_path):
    outcome = run("items", tmp_path / "nowhere.csv")

    assert outcome.code == 1
    assert "nowhere.csv" in outcome.err


def test_folder_is_not_a_table(run, tmp_path):
    assert run("items", tmp_path).code == 1


@pytest.mark.parametrize("arguments", [["items"], ["items", ""], ["items", "a.csv", "b.csv"]])
def test_file_argument_is_required(run, arguments):
    assert run(*arguments).code == 2


def test_progress_does_not_change_intervals():
    data = un.Ratings.from_matrix([list("abab"), list("abaa")])
    table = un.measure_items(data, measures=["alpha", "kappa"])
    settings: dict[str, dict[str, object]] = {name: {} for name in table}
    how = Resampling(30, "percentile", 0.9, 20)
    alone = how.of(table, data, settings, 1)
    seen: list[tuple[int, int]] = []
    watched = how.of(table, data, settings, 1, Report(lambda *each: seen.append(each), len(table)))

    assert alone == watched
    assert seen == [(1, 2), (2, 2)]
    for name, one in alone.items():
        assert (
            one.interval == un.bootstrap(data, name, resamples=30, rng=1, confidence=0.9).interval
        )
        assert one.p_value == un.permutation_test(data, name, permutations=20, rng=1).p_value
        assert one.value == table[name].value


def test_clusters_widen_intervals(run, tmp_path):
    rows = ["annotator,item,label,text"]
    for number in range(48):
        text, label = number // 4, "ab"[number % 2]
        other = "ab"[(number + (text % 4 == 0)) % 2]
        rows += [f"ann,i{number},{label},t{text}", f"bob,i{number},{other},t{text}"]
    path = tmp_path / "clustered.csv"
    path.write_text("\n".join(rows))
    plain = json.loads(run("items", path, "--measure", "alpha", "--json").out)
    options = ("--measure", "alpha", "--clusters", "text", "--json")
    by_text = json.loads(run("items", path, *options).out)
    (one,), (other,) = (each["measures"].values() for each in (plain, by_text))

    assert one["value"] == other["value"]
    assert one["interval"]["method"] == "jackknife over items"
    assert other["interval"]["method"] == "jackknife over clusters"
    assert other["interval"]["low"] < one["interval"]["low"]
    assert "|clusters:#" in other["signature"]
    data = un.read_ratings(path)
    clusters = {f"i{number}": f"t{number // 4}" for number in range(48)}
    expected = un.krippendorff_alpha(data, clusters=clusters)
    assert expected.interval is not None
    assert other["interval"] == expected.interval.to_dict()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--clusters", "nothing"), "--clusters nothing is not a column of this table"),
        (("--clusters", "label"), "--clusters label is the column of an annotator, of items or"),
        (
            ("--clusters", "text", "--resamples", "9"),
            "--clusters cannot be combined with --resamples",
        ),
    ],
)
def test_invalid_clusters_are_errors(run, tmp_path, options, message):
    path = tmp_path / "clustered.csv"
    path.write_text("annotator,item,label,text\nann,i,a,t\nbob,i,b,t\n")
    outcome = run("items", path, *options)

    assert outcome.code in {1, 2}
    assert message in outcome.err


def test_item_in_two_clusters_is_an_error(run, tmp_path):
    path = tmp_path / "clustered.csv"
    path.write_text("annotator,item,label,text\nann,i,a,t\nbob,i,b,u\n")
    outcome = run("items", path, "--clusters", "text")

    assert "clustered.csv:3" in outcome.err
    assert "the item 'i' belongs to 't' and to 'u'" in outcome.err
