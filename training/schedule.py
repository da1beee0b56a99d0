"""What changes in the course of a run, in shares of its time."""
import math
from dataclasses import dataclass

WARM_UP = 0.03
EARLIER_AT = 0.65  # what the towers are then is averaged with what they are at the end
# The weight of the other towers' guesses rises from nothing to this between these shares of the time.
TRUST, TRUST_RISES = 0.5, (0.05, 0.2)
MIXED = 0.5  # so many batches have parts of pictures exchanged; in the last part of a run, none
# Until this share of the time, smallest part of a picture that is shown. Whole pictures are what is asked about.
LEAST_AREAS = [(0.5, 0.35), (1.01, 0.5)]


@dataclass(frozen=True)
class Schedule:
    sizes: list  # [(until, side in pixels)]
    frozen: list  # [(since, so many of the first layers stay as they are)]: they cost most and change least
    mixed_until: float

    def side(self, progress):
        return at(progress, self.sizes)

    def frozen_layers(self, progress):
        return max([0, *(count for since, count in self.frozen if progress >= since)])

    def mixed(self, progress):
        """Share of batches that have parts of pictures exchanged."""
        return MIXED if progress < self.mixed_until else 0


FROM_PACKAGE = Schedule([(0.22, 72), (0.48, 96), (0.75, 120), (1.01, 144)], [(0.12, 5), (0.65, 8)], 0.88)
FROM_MODEL = Schedule([(0.6, 120), (1.01, 144)], [(0.0, 5), (0.6, 8)], 0.85)


def at(progress, steps):
    """The value of the step, [(until, value)], that the share of the time is in."""
    return next(value for until, value in steps if progress < until)


def least_area(progress):
    return at(progress, LEAST_AREAS)


def rate(progress):
    """Learning rate as a share of its peak: linear rise, then half a cosine to zero."""
    if progress < WARM_UP:
        return 0.05 + 0.95 * progress / WARM_UP
    return 0.5 * (1 + math.cos(math.pi * min(1, (progress - WARM_UP) / (1 - WARM_UP))))


def trust(progress):
    """Weight of the other towers' guesses."""
    first, last = TRUST_RISES
    return TRUST * min(1, max(0, (progress - first) / (last - first)))
