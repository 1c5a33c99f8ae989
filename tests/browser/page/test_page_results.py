"""Results on the page, which equal those of the library."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unisono as un
from browser_words import choose, facts_of, problem, results, table_of
from unisono.cli.main import main
from unisono.registry import MEASURES
from unisono.results.page import page as page_record

EXAMPLES = Path(__file__).parents[3] / "examples"
INTERVIEW = EXAMPLES / "interview.csv"


def cells_of(result: un.results.GammaAgreement, place: int = 0) -> list[list[str]]:
    """Return the texts of a table of a result; the page aligns them without padding."""
    return [[cell.strip() for cell in row] for row in result.sheet().tables[place].view().cells]


def headline_of(result: un.results.GammaAgreement | un.results.Comparison) -> list[str]:
    """Return the texts of the main values of a result."""
    return [each["text"] for each in page_record(result.sheet())["headline"]]


def test_first_visit_shows_an_introduction(open_page):
    page = open_page()
    assert page.locator("#lead").inner_text().replace("\n", " ") == (
        "Upload the annotation files and see how well the annotators agree, beyond chance, on the "
        "positions and the labels of units."
    )
    assert page.get_by_role("button", name="Choose files").is_visible()
    assert page.get_by_role("button", name="An interview").is_visible()
    assert not page.locator("#settings").is_visible()


def test_chosen_file_gives_the_values_of_the_library(open_page):
    page = open_page()
    choose(page, INTERVIEW)
    results(page)
    result = un.gamma(un.read(INTERVIEW))
    assert table_of(page) == cells_of(result)
    assert facts_of(page) == {fact.column.heading: fact.text for fact in result.sheet().facts}
    assert page.locator(".signature code").inner_text() == str(result.signature)
    assert page.locator(".figure-value").all_inner_texts() == headline_of(result)


def test_dropped_file_gives_the_values_of_the_library(open_page):
    page = open_page()
    page.wait_for_selector(".drop")
    transfer = page.evaluate_handle(
        """(text) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([text], "interview.csv", { type: "text/csv" }));
            return transfer;
        }""",
        INTERVIEW.read_text(encoding="utf-8"),
    )
    page.dispatch_event(".drop", "drop", {"dataTransfer": transfer})
    results(page)
    assert table_of(page)[0] == cells_of(un.gamma(un.read(INTERVIEW)))[0]
    assert page.locator(".held-name").inner_text() == "interview.csv"


def test_folders_per_annotator_are_read(open_page, tmp_path):
    rows = INTERVIEW.read_text(encoding="utf-8").splitlines()
    for name in ("ines", "jonas", "mika"):
        folder = tmp_path / "team" / name
        folder.mkdir(parents=True)
        own = [row.partition(",")[2] for row in rows if row.startswith(f"{name},")]
        text = "\n".join(["start,end,label", *own]) + "\n"
        (folder / "interview.csv").write_text(text, encoding="utf-8")
    page = open_page("#units?reading.annotator=folder")
    page.locator("input[webkitdirectory]").set_input_files(str(tmp_path / "team"))
    results(page)
    assert table_of(page)[0] == cells_of(un.gamma(un.read(INTERVIEW)))[0]
    assert page.locator(".held p").all_inner_texts() == ["team", "3 files"]


def test_documents_are_sorted_and_selectable(open_page):
    page = open_page("#units?example=corpus")
    results(page)
    result = un.gamma(un.read(EXAMPLES / "corpus"))
    worst = sorted(result.documents, key=lambda name: result.documents[name].value)
    assert [row[0] for row in table_of(page, 1)] == worst
    page.wait_for_selector(".group")
    assert page.locator("#document option:checked").inner_text().startswith(worst[0])
    page.get_by_role("button", name=worst[-1], exact=True).click()
    page.wait_for_function(
        "name => document.getElementById('document').selectedOptions[0].text.startsWith(name)",
        arg=worst[-1],
    )


def test_a_table_is_sorted_by_a_column(open_page):
    page = open_page("#units?example=corpus")
    results(page)
    own = table_of(page, 1)
    by_units = sorted(own, key=lambda row: int(row[-1]))
    table = page.locator("#results-body table").nth(1)
    heading = table.locator("thead th").last
    sorter = heading.get_by_role("button", name="units", exact=True)
    sorter.focus()
    page.keyboard.press("Enter")
    assert table_of(page, 1) == by_units
    assert heading.get_attribute("aria-sort") == "ascending"
    page.keyboard.press("Enter")
    assert table_of(page, 1) == by_units[::-1]
    assert heading.get_attribute("aria-sort") == "descending"
    table.get_by_role("button", name="document", exact=True).click()
    assert table_of(page, 1) == sorted(own)
    assert heading.get_attribute("aria-sort") is None
    for _ in range(2):
        table.get_by_role("button", name="document", exact=True).click()
    assert table_of(page, 1) == own


def test_undefined_values_are_sorted_last(open_page):
    page = open_page("#items?example=politeness&distance=ordinal")
    results(page)
    table = page.locator("#results-body table").first
    for _ in range(2):
        table.get_by_role("button", name="value", exact=True).click()
        values = [row[1] for row in table_of(page)]
        numbers = [float(value) for value in values[:-1]]
        assert values[-1] == "undefined"
        assert numbers in (sorted(numbers), sorted(numbers, reverse=True))


def test_subscripts_are_rendered(open_page):
    page = open_page("#units?example=interview&draws=30")
    results(page)
    names = page.locator("#results-body tbody th")
    assert names.nth(1).locator("sub").inner_text() == "cat"
    assert names.nth(2).locator("bdi").inner_text() == "answer"
    page = open_page("#units?example=paragraphs&measure=segments")
    results(page)
    assert "Pk" in page.locator(".figure-name").all_inner_texts()
    assert page.locator(".figure-name sub").all_inner_texts() == ["k"]


def test_error_rates_are_not_drawn_as_agreement(open_page):
    page = open_page("#units?example=paragraphs&measure=segments")
    results(page)
    rows = page.locator("#results-body table").first.locator("tbody tr")
    drawn = {row.locator("th").inner_text(): row.locator(".scale").count() for row in rows.all()}
    assert (drawn["Pk"], drawn["boundary similarity"]) == (0, 1)


def test_settings_of_the_form_reach_the_library(open_page):
    page = open_page("#units?example=interview")
    results(page)
    page.get_by_label("Weight of position").fill("3")
    page.get_by_label("Chance model").select_option("statistical")
    page.get_by_label("Precision").fill("0.05")
    page.get_by_label("Seed").fill("7")
    expected = un.gamma(
        un.read(INTERVIEW),
        dissimilarity=un.CombinedDissimilarity(position=3),
        chance="statistical",
        precision=0.05,
        rng=7,
    )
    page.wait_for_function(
        "words => document.querySelector('.signature code')?.textContent === words",
        arg=str(expected.signature),
    )
    assert table_of(page) == cells_of(expected)


def test_items_have_the_values_of_the_library(open_page):
    page = open_page("#items?example=politeness&distance=ordinal")
    results(page)
    table = un.measure_items(un.read_ratings(EXAMPLES / "politeness.csv"), distance="ordinal")
    shown = {row[0]: row[1] for row in table_of(page)}
    assert shown == {
        MEASURES[name].title: "undefined" if of.undefined else f"{of.value:.4f}"
        for name, of in table.items()
    }
    assert "Scott's π is for two annotators" in page.locator(".reason").first.inner_text()
    assert page.locator(".matrix tbody tr").count() == 4


def test_ratings_uploaded_as_units_are_opened_as_items(open_page):
    page = open_page()
    choose(page, EXAMPLES / "politeness.csv")
    page.wait_for_selector("#results-body .reason >> text=opened under Items")
    assert page.url.endswith("#items")
    shown = {row[0]: row[1] for row in table_of(page)}
    alpha = un.krippendorff_alpha(un.read_ratings(EXAMPLES / "politeness.csv"))
    assert shown["Krippendorff's α"] == f"{alpha.value:.4f}"


def test_comparison_has_the_values_of_the_library(open_page):
    page = open_page("#compare")
    inputs = page.locator("input[type=file][multiple]")
    inputs.nth(0).set_input_files(str(EXAMPLES / "meeting_gold.csv"))
    page.wait_for_selector(".held")
    page.locator("input[type=file][multiple]").set_input_files(str(EXAMPLES / "meeting_system.csv"))
    results(page)
    compared = un.compare(
        un.read(EXAMPLES / "meeting_gold.csv"), un.read(EXAMPLES / "meeting_system.csv")
    )
    assert page.locator(".figure-value").all_inner_texts() == headline_of(compared)


def test_reference_and_hypothesis_in_one_file(open_page, tmp_path):
    page = open_page("#compare")
    choose(page, INTERVIEW)
    page.wait_for_selector(".understood")
    page.get_by_label("Reference annotator").fill("ines")
    page.get_by_label("Annotator to score").fill("mika")
    results(page)
    assert "mika against ines" in page.locator("#results-body h3").first.inner_text()


def test_undefined_values_show_their_reason(open_page, tmp_path):
    one = tmp_path / "one.csv"
    one.write_text("annotator,start,end,label\nann,0,2,A\nbob,0,2,A\n", encoding="utf-8")
    page = open_page("#units?measure=unitizing")
    choose(page, one)
    results(page)
    assert "undefined" in [row[1] for row in table_of(page)]
    assert (
        "are undefined: all annotators marked everything"
        in page.locator(".reason").first.inner_text()
    )


@pytest.mark.parametrize(
    "text", ["annotator,start,end,label\nann,0,x,A\nbob,0,2,A\n", "no table at all", ""]
)
def test_invalid_file_shows_the_message_of_the_command_line(open_page, tmp_path, text, capsys):
    bad = tmp_path / "bad.csv"
    bad.write_text(text, encoding="utf-8")
    page = open_page()
    choose(page, bad)
    sentence = problem(page)
    assert main(["gamma", str(bad)]) == 1
    printed = capsys.readouterr().err.strip().removeprefix("unisono: ").replace(f"{tmp_path}/", "")
    # Settings have other names on the command line, so sentences are compared up to them.
    assert sentence.partition("; ")[0] == " ".join(printed.split()).partition("; ")[0]
    assert not page.locator("#results").is_visible()


def test_downloads_equal_the_library(open_page):
    page = open_page("#units?example=interview")
    results(page)
    page.wait_for_selector("#downloads:not([hidden])")

    def downloaded(name: str) -> bytes:
        with page.expect_download() as waiting:
            page.get_by_role("button", name=name, exact=True).click()
        return Path(waiting.value.path()).read_bytes()

    result = un.gamma(un.read(INTERVIEW))
    assert json.loads(downloaded("result.json")) == json.loads(result.to_json())
    assert downloaded("Drawing, PNG").startswith(b"\x89PNG")
    assert downloaded("Drawing, SVG").startswith(b"<svg ")
    consensus = un.consensus(un.read(INTERVIEW))
    assert len(downloaded("Consensus, CSV").decode().splitlines()) == 1 + len(consensus)
