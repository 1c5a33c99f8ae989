"""Reports contain the values of the library in every format, for any labels."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import unisono as un
from report_samples import HOSTILE, hostile_corpus, parsed
from sample_texts import CORPUS, text
from unisono import charts
from unisono.errors import SettingError
from unisono.results.blocks import one_line, quote_name, without_isolates
from unisono.results.record import without_data
from unisono.results.tex import tex_text
from unisono.results.wording import decimals, printable


@pytest.fixture(scope="module")
def report():
    return un.report(un.read("examples/corpus", seen_by="corpus"), rng=1)


@pytest.fixture(scope="module")
def hostile():
    return un.report(hostile_corpus(), rng=1, draws=12, title='<img src=x onerror="alert(1)">')


@pytest.fixture(scope="module")
def page(report):
    return parsed(report.to_html())


@pytest.fixture(scope="module")
def hostile_page(hostile):
    return parsed(hostile.to_html())


def text_of(element):
    return "".join(element.itertext())


def tables(page):
    return {text_of(table.find("caption")): table for table in page.iter("table")}


def cells(table):
    return [[text_of(cell) for cell in row] for row in table.find("tbody")]


def test_every_number_of_the_table_is_the_librarys(report, page):
    rows = {row[0]: row[1:] for row in cells(tables(page)["All measures that apply to these data"])}
    found = un.measure_units(un.read("examples/corpus", seen_by="corpus"), rng=1)
    gamma = un.gamma(un.read("examples/corpus", seen_by="corpus"), rng=1)

    assert report.gamma == gamma
    assert gamma.interval is None
    assert [cell.strip() for cell in rows["γ"]] == [
        *(decimals(gamma.value, 3), "0.002", decimals(gamma.observed), decimals(gamma.expected, 2)),
        "–",
    ]
    for written, name in (("uα", "u_alpha"), ("κd", "kappa_d"), ("cuα", "u_alpha_coding")):
        assert rows[written][0] == decimals(found[name].value)
    assert rows["γk place"][0].strip() == decimals(gamma.gamma_k["place"].value, 3)


def test_what_to_do_first_has_the_numbers_of_advice_and_diagnosis(report, page):
    found = tables(page)
    corpus = un.read("examples/corpus", seen_by="corpus")
    advice = un.advise(corpus, rng=1)
    merged = cells(found["γ if two labels were merged"])[0]
    alone = cells(found["γ without one annotator"])
    groups = cells(found["Groups of units with the largest shares of the disorder"])

    assert report.advice == advice
    assert merged[:5] == [
        *("organisation", "place", "6"),
        *(decimals(advice.merges[0].gain.value, 3), advice.merges[0].gain.text),
    ]
    assert [row[0] for row in alone] == [each.annotator for each in advice.annotator_gains]
    assert len(groups) == len(advice.adjudicate)
    assert groups[0][5] == f"{100 * advice.adjudicate[0].share:.1f} %"
    parts = cells(found["The three parts that add up to the observed disorder"])
    assert parts == un.diagnose(corpus, rng=1).sheet().tables[0].view().cells


def test_undecided_groups_precede_decided_ones(report, page):
    keys = [section.get("id") for section in page.iter("section")]
    undecided = cells(tables(page)["Groups without a majority, in the order of the documents"])

    assert keys.index("undecided") < keys.index("decided")
    assert len(undecided) == len(report.consensus.undecided)
    assert report.consensus == un.consensus(report.gamma)


@pytest.mark.parametrize("which", ["page", "hostile_page"])
def test_the_page_is_whole_and_in_order(which, request):
    page = request.getfixturevalue(which)
    levels = [int(each.tag[1]) for each in page.iter() if re.fullmatch(r"h[1-6]", str(each.tag))]
    ids = [each.get("id") for each in page.iter() if each.get("id")]
    links = [each.get("href") for each in page.iter("a")]

    assert page.get("lang") == "en"
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in links} <= set(ids)
    assert [len(list(page.iter(tag))) for tag in ("main", "nav", "header", "footer")] == [1] * 4
    for table in page.iter("table"):
        heads = list(table.find("thead").iter("th"))
        assert text_of(table.find("caption"))
        assert all(head.get("scope") == "col" and text_of(head) for head in heads)
        for row in table.find("tbody"):
            assert row[0].get("scope") == "row"
            assert len(row) == len(heads)
    for figure in page.iter("figure"):
        picture = next(each for each in figure.iter() if str(each.tag).endswith("svg"))
        assert picture.get("role") == "img"
        assert len(picture.get("aria-label")) > 20
        assert text_of(figure.find("figcaption"))


@pytest.mark.parametrize("which", ["page", "hostile_page"])
def test_nothing_is_loaded_and_nothing_runs(which, request):
    page = request.getfixturevalue(which)
    policy = next(
        each.get("content") for each in page.iter("meta") if "Security" in str(each.attrib)
    )

    assert policy.startswith("default-src 'none'")
    for element in page.iter():
        tag = str(element.tag).rpartition("}")[2]
        assert tag not in {"script", "img", "iframe", "object", "embed", "link", "base", "image"}
        for name, value in element.attrib.items():
            assert not str(name).startswith("on")
            if str(name).rpartition("}")[2] in {"href", "src"}:
                assert value.startswith("#")
            assert "url(" not in value or "url(#" in value
    style = text_of(next(page.iter("style")))
    assert not re.search(r"url\(|@import|http", style)


def test_labels_come_out_as_they_are(hostile_page):
    shown_cells = {
        text_of(cell)
        for table in hostile_page.iter("table")
        for row in table.find("tbody")
        for cell in row
    }

    assert set(HOSTILE) <= shown_cells
    assert {"<b>ann</b>", "بوب", "cy & co", "</title><i>doc</i>"} <= shown_cells
    assert text_of(next(hostile_page.iter("h1"))) == '<img src=x onerror="alert(1)">'


def test_labels_come_out_of_charts_as_they_are(hostile_page):
    drawn = "".join(
        text_of(each) for each in hostile_page.iter() if str(each.tag).rpartition("}")[2] == "text"
    )

    for label in ("שלום עולם", "👩‍🔬 🏳️‍🌈", "dots.and[brackets]['x']"):
        assert label in drawn


def test_markdown_has_as_many_cells_as_headings_whatever_labels_hold(hostile):
    width = 0
    for line in hostile.to_markdown().splitlines():
        if not line.startswith("| "):
            width = 0
            continue
        bars = len(re.findall(r"(?<!\\)\|", line))
        width = width or bars
        assert bars == width
    assert "<script>" not in hostile.to_markdown().replace("\\<script>", "")


def test_tex_is_balanced_and_escapes_what_tex_would_read(hostile):
    written = hostile.to_tex().partition("\\endinput")[0]
    body = "\n".join(line for line in written.splitlines() if not line.startswith("%"))
    bare = re.sub(r"\\[\\{}$&#%_]", "", body)

    assert bare.count("{") == bare.count("}")
    assert bare.count("$") % 2 == 0
    assert not re.search(r"(?<!\\)[#%]", bare)
    for name in ("table", "tabular", "itemize"):
        assert body.count(f"\\begin{{{name}}}") == body.count(f"\\end{{{name}}}") > 0
    for table in re.findall(
        r"\\begin\{tabular\}\{([lr]+)\}\n(.*?)\\end\{tabular\}", body, re.DOTALL
    ):
        for row in table[1].strip().splitlines():
            assert len(re.findall(r"(?<!\\)&", row)) == len(table[0]) - 1
    assert tex_text("x_1 {50 %} \\ γcat |uα") == (
        r"x\_1 \{50 \%\} \textbackslash{} $\gamma_{cat}$ $_{|u}\alpha$"
    )


def test_tex_cites_what_bibtex_has(report):
    written = report.to_tex()
    body, _, entries = written.partition("\\endinput")
    keys = set(re.findall(r"@\w+\{(\w+),", entries))

    assert set(re.findall(r"\\cite\{(\w+)\}", body)) <= keys
    assert {"mathet2015unified", "mathet2017agreement", "unisono"} <= keys
    assert "(Mathet, 2017)" in report.to_markdown()


def test_json_has_each_result_as_it_gives_itself(report):
    record = json.loads(report.to_json())

    assert record["schema"] == 1
    assert record["data"] == report.gamma.data.to_dict()
    assert record["gamma"] == without_data(report.gamma.to_dict())
    assert record["diagnosis"] == without_data(report.diagnosis.to_dict())
    assert record["advice"] == without_data(report.advice.to_dict())
    assert record["consensus"] == without_data(report.consensus.to_dict())
    assert record["measures"] == without_data(report.measures.to_dict())
    assert record["headline"] == str(report)


def test_the_same_seed_gives_the_same_page():
    small = text(("ann", 0, 5, "A"), ("ann", 8, 9, "B"), ("bob", 0, 4, "A"), ("bob", 8, 9, "A"))
    pages = [un.report(small, draws=12, rng=1, workers=workers).to_html() for workers in (1, 3)]

    assert pages[0] == pages[1]


def test_without_drawing_libraries_the_report_is_whole_and_states_it(report, monkeypatch):
    monkeypatch.setattr(charts, "can_draw", lambda: False)
    page = parsed(report.to_html())

    assert "pip install 'unisono[plot]'" in text_of(page)
    assert list(page.iter("figure")) == []
    assert "All measures that apply to these data" in tables(page)


def test_charts_and_gains_can_be_left_out():
    bare = un.report(CORPUS, draws=12, rng=1, charts=False, gains=False)
    page = parsed(bare.to_html())

    assert list(page.iter("figure")) == []
    assert "unisono[plot]" not in text_of(page)
    assert bare.advice is not None
    assert (bare.advice.merges, bare.advice.annotator_gains) == ((), ())
    assert bare.findings.pairwise is None
    assert "Changes in γ were not requested." in text_of(page)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (text(("ann", 0, 5, "A")), "γ is undefined: agreement needs two annotators or more"),
        (text(annotators=["a", "b"], extent=(0, 9)), "γ is undefined: there are no units"),
        (text(("ann", 0, 5, "A"), ("bob", 0, 5, "A")), "There is no disorder: all annotators"),
        (text(("ann", 0, 5), ("bob", 1, 5)), "There are fewer than two labels."),
        (text(("ann", 0, 5, "A"), ("bob", 0, 5, "B")), "With only two annotators it is"),
    ],
)
def test_small_and_empty_data_have_a_report_in_every_format(data, message):
    found = un.report(data, draws=12, rng=1, charts=False)

    assert message in text_of(parsed(found.to_html()))
    for format_ in ("md", "tex", "json"):
        assert found.written_as(format_)


def test_a_custom_dissimilarity_has_a_report_without_a_diagnosis():
    own = un.CustomDissimilarity(cost=lambda u, v: np.abs(u.starts - v.starts) / 10, name="apart")
    small = text(("ann", 0, 5, "A"), ("bob", 1, 5, "B"))
    found = un.report(small, draws=12, rng=1, dissimilarity=own, charts=False)

    assert (found.diagnosis, found.advice) == (None, None)
    assert "not a function" in text_of(parsed(found.to_html()))
    assert "was that of the function “apart”; the cost" in found.to_markdown()


@pytest.mark.parametrize(
    ("dissimilarity", "words"),
    [
        (
            un.CombinedDissimilarity(position=3, power=1, steep=True),
            (
                "the combination of a positional part (weight 3) and a label part (weight 1, "
                "nominal distance); the cost of an empty place was 1 (power 1, steep)."
            ),
        ),
        (
            un.PositionalDissimilarity(empty=2),
            "the distance of their positions; the cost of an empty place ",
        ),
        (
            un.CategoricalDissimilarity(distance="edit"),
            "the distance of their labels (edit distance); the cost",
        ),
    ],
)
def test_methods_describe_the_dissimilarity(dissimilarity, words):
    small = text(("ann", 0, 5, "A"), ("bob", 1, 5, "B"))
    found = un.report(small, draws=12, rng=1, dissimilarity=dissimilarity, charts=False)

    assert words in found.to_dict()["methods"]


def test_distances_go_to_all_measures():
    numbers = text(("ann", 0, 5, 1), ("ann", 7, 9, 3), ("bob", 0, 5, 2), ("bob", 7, 9, 3))
    found = un.report(numbers, distance="interval", draws=12, rng=1)

    assert "distance=interval" in found.gamma.signature["dissim"]
    assert found.measures["u_alpha_coding"].signature["distance"] == "interval"
    assert "interval distance" in found.to_markdown()


def test_the_worst_groups_have_their_text(tmp_path):
    words = "Ada met Bob\nin Caen, they say, on a very very long day."
    for name, lines in {
        "ann": "T1\tPER 0 3\tAda\nT2\tLOC 15 19\tCaen\n",
        "bob": "T1\tPER 0 3\tAda\nT2\tORG 15 19\tCaen\nT3\tPER 8 11\tBob\n",
    }.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "talk.txt").write_text(words, encoding="utf-8")
        (folder / "talk.ann").write_text(lines, encoding="utf-8")
    found = un.report(un.read(tmp_path), draws=12, rng=1, charts=False)
    page = parsed(found.to_html())
    marked = {text_of(each) for each in page.iter("mark")}
    cards = [name for name in tables(page) if re.match(r"\d+\. ", name)]

    assert marked == {"Bob", "Caen"}
    assert "Ada met Bob in Caen, they say" in text_of(page)
    assert len(cards) == 2
    assert "⟦Caen⟧" in found.to_markdown()


def test_a_report_is_written_by_its_suffix(report, tmp_path):
    for name, start in (("a.html", "<!DOCTYPE"), ("a.md", "# "), ("a.tex", "% "), ("a.json", "{")):
        replace(report, charts=False).write(tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    report.write(tmp_path / "a.txt", format="md")
    with pytest.raises(SettingError, match=r"use \.html, \.md, \.json or \.tex"):
        report.write(tmp_path / "a.doc")
    with pytest.raises(SettingError, match="choose one of 'html', 'md', 'json', 'tex'"):
        report.written_as("docx")
    with pytest.raises(TypeError, match="title must be a str"):
        un.report(CORPUS, title=5)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="takes a Continuum or a Corpus"):
        un.report("talk.csv")  # type: ignore[call-overload]


def test_names_inside_sentences_keep_their_direction_and_their_length():
    assert without_isolates(quote_name("x" * 300)) == f"“{'x' * 59}…”"
    assert quote_name("שלום") == "“\u2068שלום\u2069”"
    assert one_line("a\u2069\u202eb\x00\ud800") == "a\\u2069\\u202eb\\x00\\ud800"


def test_joiners_that_scripts_and_emoji_need_stay_in_every_table():
    for label in ("می\u200cخواهم", "👩\u200d🔬"):
        rows = [(who, 9 * k, 9 * k + 5, label) for k in range(3) for who in ("ann", "bob")]
        found = un.gamma(un.Continuum.from_units(rows), draws=30, rng=1)

        assert label in str(un.report(un.Continuum.from_units(rows), draws=30, rng=1).to_html())
        assert "\\u200" not in found._repr_markdown_()
        assert printable(label) == label


def test_notebooks_get_the_report(report):
    assert report._repr_markdown_() == report.to_markdown()
    assert repr(report) == "AgreementReport('Agreement of 3 annotators', γ 0.80)"
