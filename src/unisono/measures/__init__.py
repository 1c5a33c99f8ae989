"""From what was annotated to how much annotators agree: one stage a file."""
