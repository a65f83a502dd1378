"""From rows to bins and signals, and from updates to predictions in units of 2^-24 (FORMAT.md, "updates" and "How to predict")."""

import numpy as np

ONE = 2**24
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10
FACTORIALS = [6227020800, 479001600, 39916800, 3628800, 362880, 40320, 5040, 720, 120, 24, 6, 2, 1, 1]


def round_half_up(values):
    low = np.floor(values)
    return (low + (values - low >= 0.5)).astype(np.int64)


def exp_of_step(step):
    x = step / ONE
    k = np.floor(x * 1.4426950408889634 + 0.5)
    rest = x - k * LN2_HIGH - k * LN2_LOW
    total = np.full(np.shape(x), 1 / FACTORIALS[0])
    for factorial in FACTORIALS[1:]:
        total = total * rest + 1 / factorial
    return total * 2.0**k


def ln_of_units(units):
    mantissa, exponent = np.frexp(np.asarray(units, float))
    mantissa, exponent = mantissa * 2, exponent - 1
    above = mantissa > 1.4142135623730951
    mantissa, exponent = np.where(above, mantissa / 2, mantissa), np.where(above, exponent + 1, exponent)
    s = (mantissa - 1) / (mantissa + 1)
    total = np.full(s.shape, 2 / 19)
    for odd in range(17, 0, -2):
        total = total * (s * s) + 2 / odd
    scale = exponent - 24
    return scale * LN2_HIGH + (scale * LN2_LOW + total * s)


def move_odds(prediction, step):
    odds = prediction * exp_of_step(np.clip(step, -32 * ONE, 32 * ONE))
    return np.floor((ONE * odds) / (odds + (ONE - prediction)) + 0.5).astype(np.int64)


def level_of(units, levels):
    return np.minimum(units * levels // ONE, levels - 1)


def missing_bin(feature):
    if feature["kind"] == "numeric":
        return len(feature["cuts"]) + 1
    return 2 if feature["kind"] == "boolean" else len(feature["categories"]) + (len(feature["pooled"]) > 0)


def bins_of(feature, column):
    last = missing_bin(feature)
    if feature["kind"] == "numeric":
        return np.where(column.missing(), last, np.searchsorted(feature["cuts"], column.values, side="left"))
    if feature["kind"] == "boolean":
        return np.where(column.values < 0, last, column.values)
    places = {text: len(feature["categories"]) for text in feature["pooled"]}
    places |= {text: place for place, text in enumerate(feature["categories"])}
    return np.array([places.get(text, last) for text in column.values], int)


def signal_of(signal, columns, count):
    if signal["kind"] == "one":
        return np.full(count, ONE)
    column = columns[signal["column"]]
    if signal["kind"] == "indicator":
        return np.array([value == signal["value"] for value in column.values]) * ONE
    scaled = np.clip((column.values - signal["center"]) / signal["scale"], -1, 1)
    return np.where(column.missing(), 0, round_half_up(np.nan_to_num(scaled) * ONE))


def takes_yes(split, bins, last):
    if split["kind"] == "atMost":
        return np.where(bins == last, split["missing"], bins <= split["bin"])
    return np.isin(bins, split["bins"]) if split["kind"] == "in" else bins == last


class Encoded:
    """Bins and signals of all rows, and where updates take predictions."""

    def __init__(self, encoding, rows):
        self.features = encoding["features"]
        self.bins = [bins_of(feature, rows.features[feature["name"]]) for feature in self.features]
        self.last = [missing_bin(feature) for feature in self.features]
        self.signals = [signal_of(signal, rows.features, rows.count) for signal in encoding["signals"]]

    def side(self, split, units, at=slice(None)):
        if split["kind"] == "below":
            return units[at] < split["units"]
        return takes_yes(split, self.bins[split["feature"]][at], self.last[split["feature"]])

    def leaves(self, tree, units):
        found = np.zeros(len(units), int)
        stack = [(tree, np.arange(len(units)))]
        while stack:
            node, at = stack.pop()
            if "leaf" in node:
                found[at] = node["leaf"]
                continue
            yes = self.side(node["split"], units, at)
            stack += [(node["yes"], at[yes]), (node["no"], at[~yes])]
        return found

    def apply(self, update, units):
        kind = update["kind"]
        if kind == "table":
            values = np.array(update["values"])
            at = self.leaves(update["tree"], units) * update["levels"] + level_of(units, update["levels"])
            return np.clip(units + values[at], 0, ONE)
        if kind == "polynomial":
            size = update["degree"] + 1
            values = np.array(update["values"], float).reshape(-1, size)[self.leaves(update["tree"], units)]
            move = values[:, size - 1]
            for power in range(size - 2, -1, -1):
                move = move * (units / ONE) + values[:, power]
            return np.clip(units + np.floor(move + 0.5), 0, ONE).astype(np.int64)
        if kind == "linear":
            size, move = len(update["signals"]), np.zeros(len(units))
            coefficients = np.array(update["coefficients"], float).reshape(-1, size)[level_of(units, update["levels"])]
            for k, signal in enumerate(update["signals"]):
                move = move + coefficients[:, k] * self.signals[signal]
            return np.clip(units + round_half_up(move), 0, ONE)
        return self.curve(update, units) if kind == "curve" else self.forest(update, units)

    @staticmethod
    def curve(update, units):
        start, end = np.array(update["from"]), np.array(update["to"])
        low = np.minimum(np.searchsorted(start, units, side="right") - 1, len(start) - 2)
        width, rise = start[low + 1] - start[low], (end[low + 1] - end[low]) * (units - start[low])
        return end[low] + (2 * rise + width) // (2 * width)

    def forest(self, update, units):
        step = np.zeros(len(units), np.int64)
        for tree in update["trees"]:
            step += np.array(tree["steps"])[self.leaves(tree["tree"], units)]
        inside = np.clip(units, update["clip"], ONE - update["clip"])
        if update.get("link") == "identity":
            return np.clip(inside + step, 0, ONE)
        step = np.clip(step, -32 * ONE, 32 * ONE)
        if "scale" not in update:
            return move_odds(inside, step)
        logit = np.floor((ln_of_units(inside) - ln_of_units(ONE - inside)) * ONE + 0.5) + step
        return move_odds(np.full(len(units), ONE // 2), np.floor(update["scale"] * logit / ONE + 0.5))

    def predict(self, start, updates):
        units = np.asarray(start, np.int64)
        for update in updates:
            units = self.apply(update, units)
        return units


def rounding_of(units, weight, bins):
    """Each bin stands for the mean prediction of the fitting rows in it; an empty one for its middle."""
    level = level_of(units, bins)
    counts, totals = np.bincount(level, weight, bins), np.bincount(level, weight * units, bins)
    middle = np.floor((np.arange(bins) + 0.5) / bins * ONE)
    return np.where(counts > 0, round_half_up(totals / np.maximum(counts, 1)), middle).astype(np.int64)
