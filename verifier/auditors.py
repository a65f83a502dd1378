"""The certified class: splits of trees on coarse bins, declared groups, protected groups (CERTIFICATE.md, section 4)."""

import math
from itertools import combinations

import numpy as np

from columns import clock, moment
from model_file import Refused
from predict import missing_bin


def coarse_count(feature):
    if feature["kind"] == "boolean":
        return 3
    if feature["kind"] == "numeric":
        return len(feature["coarse"]) + 2
    shared = len(feature["pooled"]) > 0 or len(feature["coarse"]) < len(feature["categories"])
    return len(feature["coarse"]) + shared + 1


def members(feature):
    """Fine bins of every coarse bin of a boolean or categorical feature, without the missing one."""
    if feature["kind"] == "boolean":
        return [[0], [1]]
    own = [[bin] for bin in feature["coarse"]]
    rest = [bin for bin in range(missing_bin(feature)) if bin not in feature["coarse"]]
    return own + ([rest] if rest else [])


def splits_of(features, index):
    feature = features[index]
    missing = {"kind": "missing", "feature": index}
    if feature["kind"] != "numeric":
        return [{"kind": "in", "feature": index, "bins": bins} for bins in members(feature)] + [missing]
    cuts = [(bin, side) for side in (False, True) for bin in feature["coarse"]]
    return [{"kind": "atMost", "feature": index, "bin": bin, "missing": side} for bin, side in cuts] + [missing]


def index_of(features, name):
    for index, feature in enumerate(features):
        if feature["name"] == name:
            return index
    raise Refused(f"the class names a column {name!r} that is no feature")


def tree_class(model):
    """Depth of the certified trees, their columns and splits; and the cells of a search of depth 2 for each level."""
    features, auditors = model["encoding"]["features"], model["auditors"]
    used = [index_of(features, name) for name in auditors.get("columns") or [f["name"] for f in features]]
    counts = [coarse_count(features[index]) for index in used]
    cells = (sum(counts) ** 2 + sum(count**2 for count in counts)) / 2
    small = cells * model["certificate"]["claim"]["bins"] <= model["cellBudget"]
    depth = min(2, auditors["depth"]) if small else 1
    return depth, used, [split for index in used for split in splits_of(features, index)], cells


def declared_groups(model):
    """Lists of (split, yes): everyone, then the groups, then overlaps of two that test different columns."""
    features, auditors = model["encoding"]["features"], model["auditors"]
    groups = [group for spec in auditors["groups"] for group in expand(spec, features)]
    tested = lambda group: {split["feature"] for split, _ in group}
    pairs = [one + two for one, two in combinations(groups, 2) if not tested(one) & tested(two)]
    return [[], *groups, *(pairs if auditors["pairs"] else [])]


def expand(spec, features):
    if isinstance(spec, str):
        index = index_of(features, spec)
        feature = features[index]
        return values_of(features, index, feature["coarse"] if feature["kind"] == "numeric" else members(feature))
    return [[condition for predicate in predicates_of(spec) for condition in conditions(predicate, features)]]


def predicates_of(spec):
    return spec if isinstance(spec, list) else spec.get("where", [spec])


def values_of(features, index, cuts):
    """One group for each range between cuts of a number, or for each set of bins; and missing values, if there were any."""
    is_missing = {"kind": "missing", "feature": index}
    if features[index]["kind"] != "numeric":
        groups = [[({"kind": "in", "feature": index, "bins": bins}, True)] for bins in cuts]
    elif not cuts:
        groups = [[(is_missing, False)]]
    else:
        cut = lambda at, yes: ({"kind": "atMost", "feature": index, "bin": cuts[at], "missing": not yes}, yes)
        ends = lambda at: [(at - 1, False)] * (at > 0) + [(at, True)] * (at < len(cuts))
        groups = [[cut(*end) for end in ends(at)] for at in range(len(cuts) + 1)]
    return groups + ([[(is_missing, True)]] if features[index]["missing"] else [])


def conditions(predicate, features):
    index = index_of(features, predicate["column"])
    feature, or_missing = features[index], predicate.get("orMissing", False)
    if "missing" in predicate:
        return [({"kind": "missing", "feature": index}, predicate["missing"])]
    if feature["kind"] == "numeric":
        return ranges(predicate, feature, index, or_missing)
    test = next(test for test in ("in", "notIn", "is") if test in predicate)
    values = [predicate["is"]] if test == "is" else predicate[test]
    bins = value_bins(feature, values)
    last = [missing_bin(feature)] if or_missing != (test == "notIn") else []
    return [({"kind": "in", "feature": index, "bins": bins + last}, test != "notIn")]


def ranges(predicate, feature, index, or_missing):
    def cut(threshold, yes):
        near = [at for at, each in enumerate(feature["cuts"]) if feature.get("whole") and math.floor(each) == math.floor(threshold)]
        found = [at for at, each in enumerate(feature["cuts"]) if each == threshold] or near
        if not found:
            raise Refused(f"the threshold {threshold} is no cut of {feature['name']}")
        return {"kind": "atMost", "feature": index, "bin": found[0], "missing": yes == or_missing}, yes

    return [cut(threshold, yes) for threshold, yes in thresholds(predicate)]


def thresholds(predicate):
    """x <= threshold, or its opposite."""
    test = next((test for test in ("atMost", "below", "above", "atLeast", "is") if test in predicate), None)
    bound = predicate.get(test)
    if isinstance(bound, str):
        bound = moment(bound) if moment(bound) is not None else clock(bound)
    if isinstance(bound, bool) or bound is None:
        return []
    below = float(np.nextafter(bound, -np.inf))
    return {"atMost": [(bound, True)], "below": [(below, True)], "above": [(bound, False)], "atLeast": [(below, False)],
            "is": [(below, False), (bound, True)]}[test]


def value_bins(feature, values):
    if feature["kind"] == "boolean":
        return [int(value) for value in values]
    pooled = set(feature["pooled"])
    whole = bool(pooled) and pooled <= set(values)
    own = [feature["categories"].index(value) for value in values if not (whole and value in pooled)]
    return own + [len(feature["categories"])] * whole


def protected_groups(features, columns):
    """Values of one column first, then overlaps of two, and so on."""
    overlaps = [[]]
    for name in dict.fromkeys(columns):
        index = index_of(features, name)
        feature = features[index]
        cuts = feature["coarse"] if feature["kind"] == "numeric" else [[bin] for bin in range(missing_bin(feature))]
        if feature["kind"] == "numeric" and len(cuts) > 4:
            cuts = [cuts[(at + 1) * len(cuts) // 5] for at in range(4)]
        overlaps += [[*some, value] for some in overlaps for value in values_of(features, index, cuts)]
    return [sum(some, []) for some in sorted(overlaps[1:], key=len)]


def membership(encoded, groups):
    """One row of 0 and 1 for each group. No group tests the prediction."""
    inside = np.ones((len(groups), len(encoded.bins[0])), bool)
    for at, group in enumerate(groups):
        for split, yes in group:
            inside[at] &= encoded.side(split, None) == yes
    return inside
