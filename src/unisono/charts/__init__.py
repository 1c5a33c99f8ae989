"""Charts of continua, alignments and results (needs ``unisono[plot]``).

Importing this package loads no drawing library; the first chart does.
"""

from unisono.public import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
