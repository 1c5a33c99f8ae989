"""One page on agreement: what was found, what to do, and how to cite it."""

from unisono.show.reporting.agreement_report import AgreementReport
from unisono.show.reporting.making import report

__all__ = ["AgreementReport", "report"]
