"""RESULT → EYES: results as tables for people."""
