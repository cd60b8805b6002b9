"""The random numbers of one draw: the same for the same key, and with few digits, so that cases can be read."""
import random


class Chance(random.Random):
    """chance.log(1e-3, 1e3) and others; seeded with texts and numbers, on every system alike."""

    def __init__(self, *key):
        super().__init__("/".join(map(str, key)))
        self.fluxes = self.maybe(0.4)                           # of heat at walls: temperatures have no bounds then

    def log(self, low, high, digits=3):
        """As likely in each decade."""
        return rounded(low * (high / low) ** self.random(), digits)

    def linear(self, low, high, digits=3):
        return rounded(self.uniform(low, high), digits)

    def maybe(self, probability=0.5):
        return self.random() < probability

    def one(self, *options):
        return options[int(self.random() * len(options))]

    def some(self, options, count):
        """Different ones, in the order of the options."""
        options = list(options)
        chosen = self.sample(range(len(options)), min(count, len(options)))
        return [options[k] for k in sorted(chosen)]


def rounded(value, digits=3):
    return float(f"{value:.{digits}g}")
