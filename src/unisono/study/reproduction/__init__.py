"""The papers' experiments and worked examples, computed again."""

from unisono.study.reproduction.claims import Claim, Reproduction, Verdict
from unisono.study.reproduction.experiments import Experiment
from unisono.study.reproduction.repeating import Paper, reproduce

__all__ = ["Claim", "Experiment", "Paper", "Reproduction", "Verdict", "reproduce"]
