"""The commands `chains` and `pyramids`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Group

from unisono.cli import output
from unisono.cli.command import Run, command
from unisono.cli.options.settings import measure_option, option
from unisono.cli.options.shared import (
    READING,
    SWITCHED_OFF,
    Paths,
    option_text,
    parse_column,
    parse_delimiter,
    split_list,
)
from unisono.errors import SettingError
from unisono.formats.chains import read_chains
from unisono.formats.pyramids import read_pyramids
from unisono.formats.settings import CHAIN_SETTINGS, PYRAMID_SETTINGS
from unisono.measures.chains.pyramids import measure_pyramids
from unisono.measures.chains.table import measure_chains
from unisono.model.chains import Unshared

if TYPE_CHECKING:
    from unisono.measures.chains.pyramids import PyramidAgreement
    from unisono.measures.chains.result import ChainsTable

CHAINS_EXAMPLES = """\
Examples:

  unisono chains examples/coreference
  unisono chains annotations.csv --column-chain cluster --measure muc,b3,ceafe
  unisono chains project.zip --unshared singletons
  unisono chains coders/ --json | jq .measures.lea.by_policy"""


PYRAMIDS_EXAMPLES = """\
Examples:

  unisono pyramids examples/pyramids.csv
  unisono pyramids coders/ --annotator-from folder"""
_MEASURING = Group("Measures", sort_key=1)


_option = partial(option, table=CHAIN_SETTINGS, group=READING)
_pyramid_option = partial(option, table=PYRAMID_SETTINGS, group=READING)
_OPTIONS = {name: one.option for name, one in CHAIN_SETTINGS.items()} | {"measures": "--measure"}
_PYRAMID_OPTIONS = {name: one.option for name, one in PYRAMID_SETTINGS.items()}


@command(partial(option_text, _OPTIONS, SWITCHED_OFF))
def chains(
    run: Run,
    *paths: Paths,
    measure: Annotated[str | None, measure_option("chains", group=_MEASURING)] = None,
    unshared: Annotated[Unshared | None, option("unshared", group=_MEASURING)] = None,
    column_document: Annotated[
        str | None, _option("document", name=("--column-document", "--document-from"))
    ] = None,
    column_annotator: Annotated[
        str | None, _option("annotator", name=("--column-annotator", "--annotator-from"))
    ] = None,
    column_start: Annotated[str | None, _option("start")] = None,
    column_end: Annotated[str | None, _option("end")] = None,
    column_chain: Annotated[str | None, _option("chain")] = None,
    layer: Annotated[
        tuple[str, ...] | None,
        _option("layer", name=("--layer", "--layers", "--tiers"), negative=""),
    ] = None,
    header: Annotated[bool | None, _option("header", negative=SWITCHED_OFF["header"])] = None,
    delimiter: Annotated[str | None, _option("delimiter")] = None,
    seen_by: Annotated[str, _option("seen_by")] = "auto",
    on_error: Annotated[Literal["raise", "skip"], _option("on_error")] = "raise",
    format: Annotated[str, _option("format")] = "auto",  # noqa: A002 - the name of the option
    accept: Annotated[str | None, _option("accept")] = None,
    annotators: Annotated[str | None, _option("annotators")] = None,
    documents: Annotated[str | None, _option("documents")] = None,
) -> ChainsTable:
    """Measure agreement on chains such as coreference: κ, α, MUC, B³.

    All in one table, with CEAF, LEA and BLANC, under three policies for mentions that only some
    annotators marked.

    Parameters
    ----------
    paths
        Files or folders: CoNLL-2012, CoNLL-U (CorefUD), brat, UIMA, INCEpTION, or tables with the
        columns annotator, document, start, end and chain.
    """
    if not paths:
        msg = "no input; name at least one file or folder to read"
        raise SettingError(msg)
    output.register_inputs(*paths, seen_by)
    run.title = ", ".join(paths)
    found = read_chains(
        *paths,
        format=format,
        document=parse_column(column_document),
        annotator=parse_column(column_annotator),
        start=parse_column(column_start),
        end=parse_column(column_end),
        chain=parse_column(column_chain),
        layer=layer or None,
        header=header,
        delimiter=parse_delimiter(delimiter),
        seen_by=seen_by,
        on_error=on_error,
        accept=() if accept is None else split_list("--accept", accept),
        annotators=annotators,
        documents=documents,
    )
    names = None if measure is None else split_list("--measure", measure)
    run.display.phase("measuring")
    return measure_chains(found, measures=names, unshared=unshared or "as-marked")


@command(partial(option_text, _PYRAMID_OPTIONS, SWITCHED_OFF))
def pyramids(
    run: Run,
    *paths: Paths,
    unshared: Annotated[Unshared | None, option("unshared", group=_MEASURING)] = None,
    document_from: Annotated[str | None, _pyramid_option("document")] = None,
    annotator_from: Annotated[str | None, _pyramid_option("annotator")] = None,
    format: Annotated[  # noqa: A002 - the name of the option
        Literal["auto", "csv", "tsv", "pyramid"], _pyramid_option("format")
    ] = "auto",
) -> PyramidAgreement:
    """Measure agreement on pyramids of summaries: α of words.

    Parameters
    ----------
    paths
        Tables with the columns annotator, scu and words (and document, summary), or DUC pyramid
        files, a folder for each annotator.
    """
    if not paths:
        msg = "no input; name at least one file or folder to read"
        raise SettingError(msg)
    output.register_inputs(*paths)
    run.title = ", ".join(paths)
    found = read_pyramids(*paths, format=format, document=document_from, annotator=annotator_from)
    run.display.phase("measuring")
    return measure_pyramids(found, unshared=unshared or "singletons")
