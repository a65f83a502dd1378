"""Errors, tolerances and bounds of a class on some rows, by trying every declared tree and group (CERTIFICATE.md, sections 5 to 8)."""

import math

import numpy as np

from auditors import declared_groups, membership, protected_groups, tree_class
from bounds import are_equal, limit_above, paper_at_rows, paper_bound, prior_from, round_up, signed_bound
from predict import ONE, level_of, missing_bin, rounding_of

BLOCK = 2**22
ERRORS = ("multiaccuracy", "multicalibration", "levelSet")


def gains(counts, residuals):
    return np.divide(residuals**2, counts, out=np.zeros_like(residuals), where=counts > 0)


# What a leaf scores, from its sums at [level, ...], and how the scores of two leaves are joined.
SQUARES = (lambda n, r: gains(n, r).sum(0, keepdims=True), np.add)
SCORES = {"table": SQUARES, "constant": SQUARES, "signed": SQUARES, "weighted": SQUARES, "intervals": (gains, np.add),
          "level-sets": (lambda n, r: gains(n, r).max(0, keepdims=True), np.maximum),
          "absolute": (lambda n, r: abs(r).sum(0, keepdims=True), np.add)}


class Cells:
    """Sums of weights and of residuals by level: of all rows, and of the rows of each split or group, alone and by twos."""

    def __init__(self, inside, level, levels, weight, residual):
        parts = [np.flatnonzero(level == each) for each in range(levels)]
        self.inside = [inside[:, part].astype(float) for part in parts]
        self.values = [[each[part].astype(float) for part in parts] for each in (weight, weight * residual)]
        self.total = [np.array([part.sum() for part in each])[:, None, None] for each in self.values]
        self.own = [np.stack([m @ v for m, v in zip(self.inside, each)])[:, :, None] for each in self.values]

    def both(self, roots):
        """At [level, root, split]: rows that are in both."""
        return [np.stack([(m[roots] * v) @ m.T for m, v in zip(self.inside, each)]) for each in self.values]


def best_tree(cells, depth, kind):
    """The largest score of any tree: of every root split each side is continued in the best way, or not at all."""
    score, join = SCORES[kind]
    best, count = score(*cells.total).max(), cells.own[0].shape[1]
    size = max(1, BLOCK // max(1, count * len(cells.inside)))
    for roots in (np.arange(at, min(at + size, count)) for at in range(0, count, size)):
        yes = [own[:, roots] for own in cells.own]
        no = [total - side for total, side in zip(cells.total, yes)]
        sides = [score(*yes)[..., 0], score(*no)[..., 0]]
        if depth == 2:
            both = cells.both(roots)
            rest = [own.transpose(0, 2, 1) - part for own, part in zip(cells.own, both)]
            for at, (inner, whole) in enumerate(((both, yes), (rest, no))):
                outer = [w - i for w, i in zip(whole, inner)]
                sides[at] = np.maximum(sides[at], join(score(*inner), score(*outer)).max(2))
        best = max(best, join(*sides).max())
    return best


def worst_signed(cells, depth):
    """The largest sum over levels of |sum over leaves of sign times residual|: all pairs of sides, but those that are surely smaller."""
    total, own = cells.total[1][:, 0, 0], cells.own[1][:, :, 0]
    best = max(abs(total).sum(), abs(2 * own - total[:, None]).sum(0).max())
    if depth == 1:
        return best

    def sides(root):
        both = cells.both([root])[1][:, 0]
        yes, no = own[:, root, None], (total - own[:, root])[:, None]
        return np.hstack([yes, 2 * both - yes]), np.hstack([no, 2 * (own - both) - no])

    norms = [[abs(side).sum(0).max() for side in sides(root)] for root in range(own.shape[1])]
    for root in sorted(range(len(norms)), key=lambda at: -sum(norms[at])):
        if sum(norms[root]) <= best:
            break
        yes, no = (np.unique(side, axis=1) for side in sides(root))
        for one in yes.T[np.argsort(-abs(yes).sum(0))]:
            if abs(one).sum() + norms[root][1] <= best:
                break
            some = no[:, abs(no).sum(0) + abs(one).sum() > best]
            best = max(best, *(abs(one[:, None] + sign * some).sum(0).max(initial=0) for sign in (1, -1)))
    return best


class Fold:
    """One side of the rows with predictions, and all that is measured on it."""

    def __init__(self, certified, rows, units, side):
        self.use = (rows.fold == side) & (rows.weight > 0)
        self.certified, self.inside = certified, certified.inside[:, self.use]
        self.units, self.weight, self.label = units[self.use], rows.weight[self.use], rows.label[self.use]
        self.total, self.worth = int(self.weight.sum()), rows.units[side]

    def cells(self, levels, values=None):
        level = level_of(self.units, levels)
        against = self.units if values is None else values[level]
        return Cells(self.inside, level, levels, self.weight, self.label - against)

    def loss(self):
        squares = (self.label - self.units) ** 2
        high, low = int((self.weight * (squares // ONE)).sum()), int((self.weight * (squares % ONE)).sum())
        return (high + low / ONE) / ONE / self.total

    def errors(self, rounding):
        """Of the worst auditors."""
        plain, rounded, depth = self.cells(1), self.cells(len(rounding), rounding), self.certified.depth
        if self.certified.kind == "trees":
            found = best_tree(plain, depth, "absolute"), worst_signed(rounded, depth), best_tree(rounded, depth, "absolute")
        else:
            own, rest = abs(rounded.own[1]).sum(0), abs(rounded.total[1] - rounded.own[1]).sum(0)
            found = abs(plain.own[1]).max(), own.max(), (own + rest).max()
        return {name: float(units) / ONE / self.total for name, units in zip(ERRORS, found)}

    def tolerance(self, factors, levels):
        cells = self.cells(1 if factors == "constant" else levels)
        score, join = SCORES[factors]
        if self.certified.kind == "trees":
            return float(best_tree(cells, self.certified.depth, factors)) / ONE / ONE / self.total
        (n, r), (total_n, total_r) = cells.own, cells.total
        if factors == "signed":
            best = gains(n.sum(0), abs(r).sum(0))
        elif factors in ("table", "level-sets"):
            best = join(score(n, r), score(total_n - n, total_r - r))
        else:
            best = score(n, r)
        return float(best.max()) / ONE / ONE / self.total

    def gain_of(self, update, leaves):
        """What a table update gains before clipping."""
        at = leaves[self.use] * update["levels"] + level_of(self.units, update["levels"])
        move = np.array(update["values"], float)[at]
        return float((self.weight * (2 * move * (self.label - self.units) - move**2)).sum()) / ONE / ONE / self.total

    def summary(self, rounding, stated):
        level = level_of(self.units, len(rounding))
        by_level = np.bincount(level, self.weight * (self.label - rounding[level]), len(rounding))
        residual = int((self.weight * (self.label - self.units)).sum())
        found = {"loss": self.loss(), "meanResidual": residual / ONE / self.total,
                 "calibration": float(abs(by_level).sum()) / ONE / self.total}
        errors = self.errors(rounding)
        for name, exact in errors.items():
            low, high = stated[name]["error"], stated[name]["atMost"]
            # Where the search behind the file was cut short, the truth lies between what it found and what it proved.
            between = name == "multicalibration" and low <= exact * (1 + 1e-9) and exact * (1 - 1e-9) <= high <= errors["levelSet"]
            found[name] = {"error": low, "atMost": high} if low < high and between else {"error": exact, "atMost": exact}
        return found

    def mean_square(self, rounding):
        """Of label less rounded prediction."""
        residual = (self.label - rounding[level_of(self.units, len(rounding))]).astype(float)
        return min(1, float((self.weight * residual**2).sum()) / ONE / ONE / self.total)

    def mean_absolute(self, rounding):
        value, label = rounding[level_of(self.units, len(rounding))] / ONE, self.label / ONE
        return float((self.weight * (label * (1 - value) + (1 - label) * value)).sum()) / self.total


class Certified:
    """The class that is certified, on all rows."""

    def __init__(self, model, encoded):
        self.kind, self.depth, self.declared, self.words = model["auditors"]["kind"], 1, 1, r"membership in ([\d,]+) declared groups"
        if self.kind == "trees":
            self.depth, used, splits, _ = tree_class(model)
            self.declared, self.words = model["auditors"]["depth"], r"decision trees of depth ([\d,]+) on ([\d,]+) columns? \(([\d,]+) splits?"
            self.inside, self.size = membership(encoded, [[(split, True)] for split in splits]), [self.depth, len(used), len(splits)]
            schemas = [encoded.features[index] for index in used]
            self.inputs = sum(2 if feature["kind"] == "numeric" else missing_bin(feature) + 1 for feature in schemas)
        else:
            self.inside = membership(encoded, declared_groups(model))
            self.inputs, self.size = len(self.inside), [len(self.inside)]


def certify(model, rows, encoded, units, certified):
    """The numbers of a certificate, but for claim and rows."""
    stated, claim, factors = model["certificate"], model["certificate"]["claim"], model["factors"]
    bins, budget, fit_weight = claim["bins"], claim["budget"], rows.weight * (rows.fold == 0)
    before, after = (Fold(certified, rows, each, 0) for each in (rows.start, units))
    rounding = rounding_of(units, fit_weight, bins)
    kinds = dict.fromkeys(["constant", factors, "table"])
    tolerances = {kind: after.tolerance(kind, bins) for kind in kinds}
    found = {"tolerances": [{"factors": kind, "tolerance": each} for kind, each in tolerances.items()],
             "before": before.summary(rounding_of(rows.start, fit_weight, bins), stated["before"]),
             "after": after.summary(rounding, stated["after"])}
    absolute, constant, table = after.mean_absolute(rounding), tolerances["constant"], tolerances["table"]
    free = {"multiaccuracy": math.sqrt(budget * after.loss()), "levelSet": absolute,
            "multicalibration": min(math.sqrt(budget * after.mean_square(rounding)), absolute)}
    bounds = {"multiaccuracy": math.sqrt(constant * budget), "multicalibration": signed_bound(table, budget, bins),
              "levelSet": signed_bound(table, 1, bins)}
    through = {"multiaccuracy": "constant", "multicalibration": "table", "levelSet": "table"}
    found["rungs"] = [{"guarantee": name.replace("levelSet", "level-set"), "bound": min(bounds[name], free[name]),
                       "through": through[name], "tolerance": tolerances[through[name]], "measured": found["after"][name]} for name in ERRORS]
    found["holds"] = any(rung["guarantee"] == claim["guarantee"] and min(rung["bound"], rung["measured"]["atMost"]) <= claim["epsilon"]
                         for rung in found["rungs"])
    value_bins = 2**certified.declared if certified.kind == "trees" else 2
    found |= paper_bound(factors, tolerances[factors], bins, budget, value_bins, free)
    if rows.folded:
        found["heldOut"] = held_out(after, Fold(certified, rows, units, 1), rounding, claim, stated.get("heldOut"))
        updates, rounds = model["updates"], math.floor(1 / claim["tolerance"])
        if are_equal(after.worth) and len(updates) <= rounds and all(update["kind"] in ("table", "linear") for update in updates):
            found["heldOut"]["paper"] = paper_at_rows(certified.declared, certified.inputs, bins, rounds, table, claim["confidence"],
                                                      after.worth["count"])
    if model["roles"].get("protect"):
        found["protected"] = protected(model, encoded, rows, units)
    return found, after


def held_out(fitting, held, rounding, claim, stated):
    """What the held-out rows prove of new ones."""
    largest = max(fitting.worth["largestWeight"], held.worth["largestWeight"])
    units = held.worth | {"largestWeight": largest}
    failure = (1 - claim["confidence"]) / claim["candidates"]
    squares = [min(1, round_up(fold.mean_square(rounding))) for fold in (fitting, held)]
    found = {"units": units, "confidence": claim["confidence"], "candidates": claim["candidates"], "meanSquare": squares[1]}
    errors = held.errors(rounding)
    for name, measured in errors.items():
        if name == "multicalibration" and stated is not None and measured <= stated[name]["measured"] <= errors["levelSet"]:
            measured = stated[name]["measured"]
        before, own = [min(1, round_up(fold.loss())) for fold in (fitting, held)] if name == "multiaccuracy" else squares
        expected = prior_from(fitting.worth, are_equal(fitting.worth), before, units["count"], largest)
        limit = limit_above(units, are_equal(units), own, expected, measured, failure)
        found[name] = {"measured": measured, "slack": max(0, limit - measured), "bound": limit}
    return found


def protected(model, encoded, rows, units):
    """Gaps of the protected groups on the fitting rows, and at most on new ones."""
    claim, levels = model["certificate"]["claim"], np.arange(64)
    groups = membership(encoded, protected_groups(encoded.features, model["roles"]["protect"]))
    largest = max(unit["largestWeight"] for unit in rows.units)
    failure = (1 - claim["confidence"]) / claim["candidates"] / len(groups)

    def sums(inside, side):
        use = inside & (rows.fold == side)
        weight, label, total = rows.weight[use], rows.label[use], int(rows.weight[use].sum())
        if total == 0 or side == len(rows.units):
            return None
        level, worth = level_of(units[use], 64), rows.units[side]
        counts, ones = np.bincount(level, weight, 64), np.bincount(level, weight * label, 64) / ONE
        squares = float((ones * (1 - levels / 64) ** 2 + (counts - ones) * ((levels + 1) / 64) ** 2).sum())
        own = {"count": worth["count"] * (total / worth["weight"]), "weight": total, "largestWeight": largest,
               "squaredWeight": min(largest * total, worth["squaredWeight"])}
        equal = are_equal(worth | {"largestWeight": largest}) and worth["count"] == worth["rows"]
        gap = int((weight * (label - units[use])).sum()) / ONE / total
        return {"weight": total, "gap": gap}, own, equal, min(1, round_up(squares / total))

    found = []
    for fit, held in ((sums(inside, 0), sums(inside, 1)) for inside in groups):
        if fit is None:
            continue
        entry, own, equal, square = fit
        if held is not None:
            gap, worth, is_equal, its_square = held
            count = worth["count"] if is_equal else rows.units[1]["count"] * (own["weight"] / rows.units[0]["weight"])
            expected = prior_from(own, equal, square, count, largest)
            entry["heldOut"] = gap | {"bound": limit_above(worth, is_equal, its_square, expected, abs(gap["gap"]), failure)}
        found.append(entry)
    return found
