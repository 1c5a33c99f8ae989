"""``python -m unisono`` is the command line."""

import sys

from unisono.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
