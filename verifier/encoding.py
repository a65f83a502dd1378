"""Where columns are cut and which categories there are, learned again from the fitting rows (CERTIFICATE.md, section 3)."""

import math
from decimal import ROUND_HALF_UP, Context, Decimal

import numpy as np

from auditors import predicates_of, thresholds


def learn(model, rows):
    """Every feature as the rows give it. `time`, `format` and `numbers` say how a file is read and are taken from the model."""
    options = model["options"]
    bins = options["featureBins"]
    coarse_bins = min(options.get("coarseBins") or coarse_bins_for(model, rows.observations()), bins)
    use = (rows.fold == 0) & (rows.weight > 0)
    found = []
    for feature in model["encoding"]["features"]:
        column = rows.features[feature["name"]]
        weight, missing = rows.weight[use], column.missing()[use]
        learned = {"name": feature["name"], "kind": feature["kind"], "missing": bool(missing.any())}
        if feature["kind"] == "numeric":
            required = required_cuts(model, feature["name"])
            learned |= numeric(feature, column.values[use][~missing], weight[~missing], bins, coarse_bins, required)
        elif feature["kind"] == "categorical":
            texts = [text for text, used in zip(column.values, use) if used]
            learned |= categorical(texts, weight, bins, coarse_bins, options["rare"])
        learned |= {key: feature[key] for key in ("format", "numbers") if key in feature}
        found.append(learned)
    return found


def coarse_bins_for(model, observations):
    forests = model["options"]["method"] in ("forest", "forest-rounds")
    if forests and model["auditors"]["kind"] == "trees":
        return max(8, min(64, math.floor(math.sqrt(observations / 128) + 0.5)))
    return 16 if observations < 2**15 else 32 if observations < 2**18 else 64


def required_cuts(model, name):
    """Thresholds of declared predicates: x <= t has to be a union of bins."""
    specs = [spec for spec in model["auditors"].get("groups", []) if not isinstance(spec, str)]
    predicates = [predicate for spec in specs for predicate in predicates_of(spec) if predicate["column"] == name]
    return sorted({threshold for predicate in predicates for threshold, _ in thresholds(predicate)})


def numeric(feature, values, weight, bins, coarse_bins, required):
    distinct, place = np.unique(values, return_inverse=True)
    totals = [int(total) for total in np.bincount(place, weight, len(distinct))]
    times = feature.get("time")
    whole = times is None and len(distinct) > 0 and bool(np.all((distinct % 1 == 0) & (abs(distinct) < 2**53)))
    forced = set()
    for threshold in required:
        last = int(np.searchsorted(distinct, threshold, side="right")) - 1
        if 0 <= last < len(distinct) - 1:
            forced.add(last)
    places = boundaries(totals, bins - (len(required) - len(forced)), sorted(forced))
    free = [between(distinct[at], distinct[at + 1]) for at in places if at not in forced]
    cuts = sorted([math.floor(cut) if whole else cut for cut in free] + required)
    in_bins = np.bincount(np.searchsorted(cuts, distinct, side="left"), totals, len(cuts) + 1)
    coarse = boundaries([int(total) for total in in_bins], coarse_bins, [cuts.index(threshold) for threshold in required])
    learned = {"cuts": cuts, "coarse": coarse}
    if len(distinct) > 0:
        learned["range"] = [float(distinct[0]), float(distinct[-1])]
    if whole:
        learned["whole"] = True
    if times is not None:
        learned["time"] = "time" if times == "time" else "timestamp" if np.any(distinct % 1) else "date"
    return learned


def between(a, b):
    """The decimal number of fewest digits near the middle that parts the two; halves away from 0."""
    middle = Decimal(float(a / 2 + b / 2))
    for digits in range(1, 18):
        rounded = float(Context(prec=digits, rounding=ROUND_HALF_UP).plus(middle))
        if a <= rounded < b:
            return rounded
    return float(a)


def categorical(texts, weight, bins, coarse_bins, rare):
    by_units = lambda text: text.encode("utf-16-be", "surrogatepass")
    totals = {}
    for text, counted in zip(texts, weight.tolist()):
        if text is not None:
            totals[text] = totals.get(text, 0) + counted
    names = sorted(totals, key=lambda text: (-totals[text], by_units(text)))
    common = len([name for name in names if totals[name] >= rare * weight.sum()][: bins - 1])
    categories = sorted(names[:common], key=by_units)
    coarse = sorted(categories.index(name) for name in names[: min(common, coarse_bins - 1)])
    return {"categories": categories, "pooled": sorted(names[common:], key=by_units), "coarse": coarse}


def boundaries(weights, bins, forced):
    """The last items of all bins but the last: heavy items alone, runs of light ones cut at equal weight."""
    count = len(weights)
    if count <= bins:
        return list(range(max(0, count - 1)))
    heavy = heavy_items(weights, bins, (bins - 1 - len(forced)) // 2)
    ends = [at for at in range(count) if at == count - 1 or at in forced or at in heavy or at + 1 in heavy]
    segments = [[begin, end + 1, sum(weights[begin : end + 1]), 1] for begin, end in zip([0, *(end + 1 for end in ends)], ends)]
    for _ in range(bins - len(segments)):
        fullest = None
        for segment in segments:
            begin, end, weight, shares = segment
            if shares < end - begin and (fullest is None or weight * fullest[3] > fullest[2] * shares):
                fullest = segment
        fullest[3] += 1
    return [last for segment in segments for last in cut_segment(weights, *segment)][:-1]


def heavy_items(weights, bins, limit):
    largest = sorted(range(len(weights)), key=lambda at: (-weights[at], at))
    rest, count = sum(weights), 0
    while count < limit and weights[largest[count]] * (bins - count) >= rest:
        rest -= weights[largest[count]]
        count += 1
    return set(largest[:count])


def cut_segment(weights, begin, end, weight, shares):
    lasts, rest, item = [], weight, begin
    for left in range(shares, 1, -1):
        filled = weights[item]
        item += 1
        while end - item >= left and (2 * filled + weights[item]) * left <= 2 * rest:
            filled += weights[item]
            item += 1
        rest -= filled
        lasts.append(item - 1)
    return [*lasts, end - 1]
