"""Weighted mean: that of the values of drawn things over all candidates they were drawn from, with an anytime interval."""

from games.statistics.confidence_sequence import ConfidenceSequence

_DIGITS = 6


class WeightedMean:
    """The mean of weighted values from -`bound` to `bound` over all candidates, times `scale`."""

    def __init__(self, bound: float, scale: float, error_rate: float) -> None:
        self._bound, self._scale = bound, scale
        self.sequence = ConfidenceSequence(-bound, bound, error_rate)

    def add(self, value: float, weight: float, skipped: int) -> None:
        """Take a value, and that nothing was drawn `skipped` times before it. One out of bounds counts as the bound: such is
        that of a strike-out alone."""
        self.sequence.observe_all([0.0] * skipped)
        self.sequence.observe(max(-self._bound, min(self._bound, weight * value)))

    @property
    def interval(self) -> tuple[float, float, float]:
        """The mean, within its interval, and the ends of that."""
        low, high = self.sequence.low, self.sequence.high
        found = min(max(self.sequence.mean, low), high), low, high
        value, low, high = (round(one * self._scale, _DIGITS) for one in found)
        return value, low, high
