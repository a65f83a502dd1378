"""Tolerances, errors and bounds of a class on some rows, by trying every declared tree and group (CERTIFICATE.md, sections 5 to 8)."""

import math

import numpy as np

from auditors import declared_groups, index_of, membership, protected_groups, tree_class
from bounds import (are_equal, interval_bound, level_set_bound, limit_above, paper_at_rows, prior_from, round_up,
                    signed_bound)
from predict import ONE, level_of, missing_bin, rounding_of

BLOCK = 2**22


def gains(counts, residuals):
    return np.divide(residuals**2, counts, out=np.zeros_like(residuals), where=counts > 0)


# What a leaf scores, from its sums at [level, ...]; scores of two leaves are added, or the larger counts.
SCORES = {
    "table": (lambda n, r: gains(n, r).sum(0, keepdims=True), np.add),
    "intervals": (gains, np.add),
    "level-sets": (lambda n, r: gains(n, r).max(0, keepdims=True), np.maximum),
    "absolute": (lambda n, r: abs(r).sum(0, keepdims=True), np.add),
}
SCORES |= {"constant": SCORES["table"], "signed": SCORES["table"], "weighted": SCORES["table"]}


class Cells:
    """Sums of weights and of residuals by level, for all rows and for the rows of each split or group, alone and by twos."""

    def __init__(self, inside, level, levels, weight, residual):
        order = np.argsort(level, kind="stable")
        ends = np.searchsorted(level[order], np.arange(levels + 1))
        parts = [order[ends[at] : ends[at + 1]] for at in range(levels)]
        self.inside = [inside[:, part].astype(float) for part in parts]
        self.values = [[(each[part]).astype(float) for part in parts] for each in (weight, weight * residual)]
        self.total = [np.array([part.sum() for part in each])[:, None, None] for each in self.values]
        self.own = [np.stack([m @ v for m, v in zip(self.inside, each)])[:, :, None] for each in self.values]

    def both(self, roots):
        """At [level, root, split]: rows that are in both."""
        return [np.stack([(m[roots] * v) @ m.T for m, v in zip(self.inside, each)]) for each in self.values]

    def blocks(self):
        count, levels = self.inside[0].shape[0], len(self.inside)
        size = max(1, BLOCK // max(1, count * levels))
        return [np.arange(at, min(at + size, count)) for at in range(0, count, size)]


def best_tree(cells, depth, kind):
    """The largest score of any tree: of every root split each side is continued in the best way, or not at all."""
    score, join = SCORES[kind]
    best = score(*cells.total).max()
    for roots in cells.blocks():
        yes = [own[:, roots] for own in cells.own]
        no = [total - side for total, side in zip(cells.total, yes)]
        sides = [score(*yes)[..., 0], score(*no)[..., 0]]
        if depth == 2:
            both = cells.both(roots)
            others = [own.transpose(0, 2, 1) for own in cells.own]
            rest = [other - part for other, part in zip(others, both)]
            for at, (inner, whole) in enumerate(((both, yes), (rest, no))):
                outer = [w - i for w, i in zip(whole, inner)]
                sides[at] = np.maximum(sides[at], join(score(*inner), score(*outer)).max(2))
        best = max(best, join(*sides).max())
    return best


def worst_signed(cells, depth):
    """The largest sum over levels of |sum over leaves of sign times residual|: every pair of sides, but those that cannot be it."""
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
        for at in np.argsort(-abs(yes).sum(0)):
            if abs(yes[:, at]).sum() + norms[root][1] <= best:
                break
            some = no[:, abs(no).sum(0) + abs(yes[:, at]).sum() > best]
            for sign in (1, -1):
                best = max(best, abs(yes[:, at, None] + sign * some).sum(0).max(initial=0))
    return best


class Fold:
    """One side of the rows with predictions, and all that is measured on it."""

    def __init__(self, certified, rows, units, side):
        use = (rows.fold == side) & (rows.weight > 0)
        self.certified, self.inside = certified, certified.inside[:, use]
        self.units, self.weight, self.label = units[use], rows.weight[use], rows.label[use]
        self.total, self.worth = int(self.weight.sum()), rows.units[side]

    def cells(self, levels, values=None):
        level = level_of(self.units, levels)
        against = self.units if values is None else values[level]
        return Cells(self.inside, level, levels, self.weight, self.label - against)

    def share(self, units):
        return float(units) / ONE / self.total

    def loss(self):
        squares = (self.label - self.units) ** 2
        high, low = int((self.weight * (squares // ONE)).sum()), int((self.weight * (squares % ONE)).sum())
        return (high + low / ONE) / ONE / self.total

    def errors(self, rounding):
        """Multiaccuracy, multicalibration and level-set error of the worst auditor."""
        plain, rounded = self.cells(1), self.cells(len(rounding), rounding)
        if self.certified.kind == "trees":
            depth = self.certified.depth
            found = best_tree(plain, depth, "absolute"), worst_signed(rounded, depth), best_tree(rounded, depth, "absolute")
        else:
            own, rest = abs(rounded.own[1]).sum(0), abs(rounded.total[1] - rounded.own[1]).sum(0)
            found = abs(plain.own[1]).max(), own.max(), (own + rest).max()
        return dict(zip(("multiaccuracy", "multicalibration", "levelSet"), map(self.share, found)))

    def tolerance(self, factors, levels):
        cells = self.cells(1 if factors == "constant" else levels)
        if self.certified.kind == "trees":
            return float(best_tree(cells, self.certified.depth, factors)) / ONE / ONE / self.total
        (n, r), (total_n, total_r) = cells.own, cells.total
        if factors == "signed":
            best = np.divide(abs(r).sum(0) ** 2, n.sum(0), out=np.zeros(n.shape[1:]), where=n.sum(0) > 0)
        elif factors in ("constant", "weighted"):
            best = gains(n, r).sum(0)
        elif factors == "intervals":
            best = gains(n, r).max(0)
        else:
            score, join = SCORES[factors]
            best = join(score(n, r), score(total_n - n, total_r - r))
        return float(best.max()) / ONE / ONE / self.total

    def gain_of(self, update, encoded_leaves):
        """What a table update gains before clipping, from its moves."""
        at = encoded_leaves * update["levels"] + level_of(self.units, update["levels"])
        move = np.array(update["values"], float)[at]
        return float((self.weight * (2 * move * (self.label - self.units) - move**2)).sum()) / ONE / ONE / self.total

    def summary(self, rounding):
        level = level_of(self.units, len(rounding))
        by_level = np.bincount(level, self.weight * (self.label - rounding[level]), len(rounding))
        residual = int((self.weight * (self.label - self.units)).sum())
        plain = {"loss": self.loss(), "meanResidual": self.share(residual), "calibration": self.share(abs(by_level).sum())}
        return plain | self.errors(rounding)

    def mean_square(self, rounding):
        """Of label less rounded prediction."""
        level = level_of(self.units, len(rounding))
        residual = (self.label - rounding[level]).astype(float)
        return min(1, float((self.weight * residual**2).sum()) / ONE / ONE / self.total)

    def mean_absolute(self, rounding):
        value, label = rounding[level_of(self.units, len(rounding))] / ONE, self.label / ONE
        return float((self.weight * (label * (1 - value) + (1 - label) * value)).sum()) / self.total


class Certified:
    """The class that is certified, on all rows."""

    def __init__(self, model, encoded):
        self.kind = model["auditors"]["kind"]
        if self.kind == "trees":
            self.depth, self.used, splits, self.cells = tree_class(model)
            self.inside, self.size = membership(encoded, [[(split, True)] for split in splits]), len(splits)
            schemas = [encoded.features[index] for index in self.used]
            self.inputs = sum(2 if f["kind"] == "numeric" else missing_bin(f) + 1 for f in schemas)
            self.value_bins, self.paper_depth = 2 ** model["auditors"]["depth"], model["auditors"]["depth"]
        else:
            self.inside = membership(encoded, declared_groups(model))
            self.size = self.inputs = len(self.inside)
            self.value_bins, self.paper_depth = 2, 1


def free_bounds(fold, rounding, budget):
    absolute = fold.mean_absolute(rounding)
    of_squares = math.sqrt(budget * fold.mean_square(rounding))
    return {"multiaccuracy": math.sqrt(budget * fold.loss()), "multicalibration": min(of_squares, absolute), "levelSet": absolute}


def proven_bounds(tolerances, free, claim):
    bins, budget = claim["bins"], claim["budget"]
    first, last = tolerances[0]["tolerance"], tolerances[-1]["tolerance"]
    bounds = {"multiaccuracy": math.sqrt(first * budget), "multicalibration": signed_bound(last, budget, bins),
              "levelSet": signed_bound(last, 1, bins)}
    return {name: min(bound, free[name]) for name, bound in bounds.items()}


def paper_bound(factors, tolerance, claim, value_bins, free):
    if factors == "intervals":
        bound, most = interval_bound(tolerance, claim["budget"], claim["bins"]), free["multicalibration"]
    elif factors == "level-sets":
        bound, most = level_set_bound(tolerance, claim["bins"], value_bins), free["levelSet"]
    else:
        return {}
    return {"paperBound": bound} if bound < most else {}


def held_out(fitting, held, rounding, claim):
    """What the held-out rows prove of new ones."""
    largest = max(fitting.worth["largestWeight"], held.worth["largestWeight"])
    units = held.worth | {"largestWeight": largest}
    failure = (1 - claim["confidence"]) / claim["candidates"]

    def bound(measured, square_of):
        expected = prior_from(fitting.worth, are_equal(fitting.worth), min(1, round_up(square_of(fitting))), units["count"], largest)
        return limit_above(units, are_equal(units), min(1, round_up(square_of(held))), expected, measured, failure)

    found = {"units": units, "confidence": claim["confidence"], "candidates": claim["candidates"],
             "meanSquare": min(1, round_up(held.mean_square(rounding)))}
    for name, measured in held.errors(rounding).items():
        limit = bound(measured, Fold.loss if name == "multiaccuracy" else lambda fold: fold.mean_square(rounding))
        found[name] = {"measured": measured, "slack": max(0, limit - measured), "bound": limit}
    return found


def paper(certified, fitting, tolerance, claim, rounds):
    if not are_equal(fitting.worth):
        return None
    return paper_at_rows(certified.paper_depth, certified.inputs, claim["bins"], rounds, tolerance, claim["confidence"],
                         fitting.worth["count"])


def protected(model, encoded, rows, units):
    """Gaps of the protected groups on the fitting rows, and at most on new ones."""
    claim, levels = model["certificate"]["claim"], 64
    groups = membership(encoded, protected_groups(encoded.features, model["roles"]["protect"]))
    largest = max(unit["largestWeight"] for unit in rows.units)
    failure = (1 - claim["confidence"]) / claim["candidates"] / len(groups)

    def sums(inside, side):
        use = inside & (rows.fold == side)
        weight, label, prediction = rows.weight[use], rows.label[use], units[use]
        level, total = level_of(prediction, levels), int(weight.sum())
        if total == 0:
            return None
        counts, ones = np.bincount(level, weight, levels), np.bincount(level, weight * label, levels) / ONE
        far = np.arange(levels)
        squares = float((ones * (1 - far / levels) ** 2 + (counts - ones) * ((far + 1) / levels) ** 2).sum())
        worth = rows.units[side]
        share = total / worth["weight"]
        own = {"rows": worth["rows"] * share, "count": worth["count"] * share, "weight": total, "largestWeight": largest,
               "squaredWeight": min(largest * total, worth["squaredWeight"])}
        equal = are_equal(worth | {"largestWeight": largest}) and worth["count"] == worth["rows"]
        gap = int((weight * (label - prediction)).sum()) / ONE / total
        return {"weight": total, "gap": gap, "units": own, "equal": equal, "square": min(1, round_up(squares / total))}

    found = []
    for inside in groups:
        fit, held = sums(inside, 0), sums(inside, 1) if rows.folded else None
        if fit is None:
            continue
        entry = {"weight": fit["weight"], "gap": fit["gap"]}
        if held is not None:
            count = held["units"]["count"] if held["equal"] else rows.units[1]["count"] * (fit["weight"] / rows.units[0]["weight"])
            expected = prior_from(fit["units"], fit["equal"], fit["square"], count, largest)
            limit = limit_above(held["units"], held["equal"], held["square"], expected, abs(held["gap"]), failure)
            entry["heldOut"] = {"weight": held["weight"], "gap": held["gap"], "bound": limit}
        found.append(entry)
    return found
