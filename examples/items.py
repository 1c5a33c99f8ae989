"""Four people say from 1 to 5 how polite replies are: do they agree, and who does not."""

from __future__ import annotations

from pathlib import Path

import unisono as un

HERE = Path(__file__).parent


def main() -> None:
    """Read, measure, ask how sure that is, and how many replies the next study needs."""
    ratings = un.read_ratings(HERE / "politeness.csv")
    print(f"{ratings!r}\n")
    print(un.measure_items(ratings, distance="ordinal", weights="quadratic"))

    alpha = un.bootstrap(ratings, "alpha", distance="ordinal", resamples=2000, rng=1)
    if alpha.interval is not None:
        low, high = alpha.interval.low, alpha.interval.high
        print(f"\nα of scores with an order is {alpha:.2f}, between {low:.2f} and {high:.2f}.")
    (one, other), worst = min(alpha.by_pair.items(), key=lambda pair: pair[1].value)
    print(f"{one} and {other} agree least: {worst:.2f}.")
    print(f"{un.plan_items(ratings, width=0.1, distance='ordinal', rng=1)}.")

    letters = un.read_ratings(HERE / "topics.csv", wide=True, separator="|")
    print("\nTopics of letters are sets. α with MASI: ", end="")
    print(f"{un.krippendorff_alpha(letters, distance='masi'):.2f}")


if __name__ == "__main__":
    main()
