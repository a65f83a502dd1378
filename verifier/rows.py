"""Rows as the model's roles read them: labels, scores, weights, which rows are held out, copies and ids (CERTIFICATE.md, section 2)."""

import numpy as np

from columns import Column, as_feature, infer
from model_file import Refused
from predict import ONE, exp_of_step, round_half_up

MISSING = (0x7FF80000, 0)
EMPTY = (0x243F6A88, 0x85A308D3)
LARGEST_TOTAL = 2**28


def mix_lane(lane, value, first, second):
    with np.errstate(over="ignore"):
        k = np.asarray(value, np.uint32) * np.uint32(first)
        k = ((k << np.uint32(15)) | (k >> np.uint32(17))) * np.uint32(second)
        mixed = np.asarray(lane, np.uint32) ^ k
        mixed = ((mixed << np.uint32(13)) | (mixed >> np.uint32(19))) * np.uint32(5) + np.uint32(0xE6546B64)
        mixed = (mixed ^ (mixed >> np.uint32(16))) * np.uint32(0x85EBCA6B)
        return mixed ^ (mixed >> np.uint32(15))


def mix(hashes, value):
    value = np.asarray(np.asarray(value).astype(np.int64) & 0xFFFFFFFF, np.uint32)
    a = mix_lane(hashes[0], value, 0xCC9E2D51, 0x1B873593)
    return a, mix_lane(hashes[1], value ^ np.uint32(0x6A09E667), 0x85EBCA6B, 0xC2B2AE35)


def mix_pair(hashes, first, second):
    return mix(mix(hashes, first), second)


def hash_text(text):
    units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.uint16)
    hashes = mix(EMPTY, len(units))
    for unit in units:
        hashes = mix(hashes, unit)
    return int(hashes[0]), int(hashes[1])


def mix_column(hashes, column):
    if column.kind == "numeric":
        bits = np.asarray(column.values + 0.0, np.float64).view(np.uint64)
        high, low = (bits >> np.uint64(32)).astype(np.int64), (bits & np.uint64(0xFFFFFFFF)).astype(np.int64)
        missing = column.missing()
        return mix_pair(hashes, np.where(missing, MISSING[0], high), np.where(missing, MISSING[1], low))
    if column.kind == "boolean":
        return mix_pair(hashes, np.where(column.values < 0, MISSING[0], column.values), 0)
    known = {text: hash_text(text) for text in set(column.values) if text is not None} | {None: MISSING}
    pairs = np.array([known[text] for text in column.values], np.int64).reshape(-1, 2)
    return mix_pair(hashes, pairs[:, 0], pairs[:, 1])


def hash_columns(columns, seed, count):
    start = mix(mix(EMPTY, seed & 0xFFFFFFFF), seed >> 32)
    hashes = tuple(np.full(count, lane, np.uint32) for lane in start)
    for column in columns:
        hashes = mix_column(hashes, column)
    return hashes


def keys_of(hashes):
    return (hashes[0].astype(np.uint64) << np.uint64(32)) | hashes[1].astype(np.uint64)


class Rows:
    """`fold`: 0 fitting, 1 held out; `weight` after copies were joined; `units`: what is independent on each side."""

    def __init__(self, model, table):
        roles, start = model["roles"], model["start"]
        labels = self.texts(table, roles["label"])
        self.kept = [at for at, text in enumerate(labels) if text is not None or not roles.get("dropMissingLabels")]
        table = {name: [texts[at] for at in self.kept] for name, texts in table.items()}
        self.table, self.count = table, len(next(iter(table.values())))
        own = {feature["name"]: feature for feature in model["encoding"]["features"]}
        names = [name for name in own if name not in model["encoding"]["functions"]]
        self.features = {name: as_feature(own[name], self.texts(table, name)) for name in names}
        role = lambda name: None if name is None else self.features.get(name) or infer(self.texts(table, name))
        label = self.read_label(role(roles["label"]), roles.get("positive"))
        score = self.read_score(role(start["column"]), start.get("scale")) if start["kind"] == "column" else None
        given, fold_column = role(roles.get("weight")), role(roles.get("fold"))
        holdout = roles.get("holdout")
        self.ids = role(holdout.get("groupBy")) if holdout else None
        self.label = round_half_up(label.values * ONE)
        if "copies" not in roles:
            raise Refused("the file does not say what copies of a row are: it is of an older rule")
        self.rule = roles["copies"]
        seed = holdout["seed"] if holdout else 0
        self.hashes = self.hash_rows(score, label, fold_column, given, seed)
        self.fold, self.folded = self.split(fold_column, holdout)
        self.weight, self.whole = self.scale_weights(given)
        self.weighted = given is not None and not np.all(given.values == 1)
        self.join_copies([column for column in (label, fold_column, self.ids) if column is not None])
        self.units = [self.count_units(side, seed) for side in range(2 if self.folded else 1)]
        fitting = self.fold == 0
        self.base_rate = int(round_half_up(np.sum(self.weight * self.label, where=fitting) / self.weight[fitting].sum()))
        self.start = np.full(self.count, start["units"]) if score is None else round_half_up(score.values * ONE)
        self.own_start = np.full(self.count, self.base_rate) if score is None else self.start

    def described(self, roles, encoded):
        """What the certificate says of the rows, with a checksum that ignores their order."""
        found = {"rowCount": self.count, "fitWeight": self.units[0]["weight"]}
        if self.folded:
            holdout = roles.get("holdout", {})
            drawn = {key: holdout[key] for key in ("fraction", "seed") if key in holdout}
            ids = {"kind": "ids", "column": holdout["groupBy"]} if "groupBy" in holdout else {"kind": "rows"}
            split = {"kind": "column", "column": roles["fold"]} if "fold" in roles else ids | drawn
            found |= {"holdoutWeight": self.units[1]["weight"], "split": split}
        hashes = tuple(np.full(self.count, lane, np.uint32) for lane in EMPTY)
        for values in [*encoded.bins, *encoded.signals, self.label, self.start, self.fold]:
            hashes = mix(hashes, values)
        lanes = [int((lane.astype(object) * self.weight.astype(object)).sum()) % 2**32 for lane in hashes]
        return found | {"copies": self.rule, "fingerprint": "".join(f"{lane:08x}" for lane in lanes)}

    @staticmethod
    def texts(table, name):
        if name not in table:
            raise Refused(f"the CSV has no column {name!r}")
        return table[name]

    @staticmethod
    def read_label(column, positive):
        if positive is None and column.kind == "categorical":
            raise Refused("the label holds words, and no positive value is named")
        values = column.values
        if positive is not None:
            words = {"categorical": lambda: positive, "boolean": lambda: ["false", "true"].index(positive.lower()), "numeric": lambda: float(positive)}
            wanted = words[column.kind]()
            values = np.array([value == wanted for value in values], float)
        if column.missing().any() or not np.all((values >= 0) & (values <= 1)):
            raise Refused("a label is missing, or not from 0 to 1")
        return column if positive is None else Column("numeric", values)

    @staticmethod
    def read_score(column, scale):
        if column.kind == "categorical":
            raise Refused("the score holds words")
        values = column.values
        if scale == "percent":
            values = values / 100
        elif scale == "logit":
            odds = exp_of_step(np.clip(values * ONE, -32 * ONE, 32 * ONE))
            values = odds / (1 + odds)
        if column.missing().any() or not np.all((values >= 0) & (values <= 1)):
            raise Refused("a score is missing, or no probability on its scale")
        return Column(column.kind if scale is None else "numeric", values)

    def hash_rows(self, score, label, fold, weight, seed):
        rest = [score] if self.rule == "one" else [label, score, fold, self.ids]
        columns = [*self.features.values(), *(column for column in rest if column is not None)]
        hashes = hash_columns(columns, seed, self.count)
        if self.rule == "one":
            return hashes
        if weight is not None:
            mixed = mix_column(hashes, weight)
            hashes = tuple(np.where(weight.values == 1, old, new) for old, new in zip(hashes, mixed))
        seen, before = {}, np.zeros(self.count, np.int64)
        for row, key in enumerate(keys_of(hashes).tolist()):
            before[row] = seen.get(key, 0)
            seen[key] = before[row] + 1
        return mix_pair(hashes, before, 0)

    def split(self, fold, holdout):
        if fold is not None:
            if not set(fold.values) <= {"fit", "holdout"}:
                raise Refused("the fold column holds something else than fit and holdout")
            sides = np.array([text == "holdout" for text in fold.values], int)
            return sides, bool(sides.any())
        if holdout is None:
            return np.zeros(self.count, int), False
        lanes = self.hashes if self.ids is None else hash_columns([self.ids], holdout["seed"], self.count)
        return (lanes[0] / 2**32 < holdout["fraction"]).astype(int), True

    def scale_weights(self, column):
        """Whole weights with a total of at most 2^28 stay; others are multiplied by a power of two."""
        if column is None:
            return np.ones(self.count, np.int64), True
        given = column.values
        if column.kind != "numeric" or not np.all(given >= 0) or not given.any():
            raise Refused("a weight is missing or negative, or all are 0")
        if np.all(given == np.floor(given)) and given.sum() <= LARGEST_TOTAL:
            return given.astype(np.int64), True
        exponent = 21 - int(np.floor(np.log2(given.max())))
        scaled = lambda: np.where(given == 0, 0, np.maximum(1, round_half_up(given * 2.0**exponent)))
        while scaled().max() > 2**20 or scaled().sum() > LARGEST_TOTAL:
            exponent -= 1
        return scaled().astype(np.int64), False

    def join_copies(self, further):
        """Where copies are one, the first of them takes the weight of all."""
        if self.rule != "one":
            return
        hashes = self.hashes
        for column in further:
            hashes = mix_column(hashes, column)
        before = self.weight
        self.weight = self.summed_by(keys_of(hashes))
        self.weighted = self.weighted or not np.array_equal(before, self.weight)

    def summed_by(self, keys):
        firsts, summed = {}, np.zeros(self.count, np.int64)
        for row, key in enumerate(keys.tolist()):
            if self.weight[row] > 0:
                summed[firsts.setdefault(key, row)] += self.weight[row]
        return summed

    def count_units(self, side, seed):
        of_side = lambda weights: weights[(weights > 0) & (self.fold == side)]
        rows = of_side(self.weight)
        units = rows
        if self.ids is not None:
            units = of_side(self.summed_by(keys_of(hash_columns([self.ids], seed, self.count))))
        return {"rows": len(rows), "count": len(units), "weight": int(units.sum()),
                "largestWeight": int(units.max(initial=0)), "squaredWeight": int((units**2).sum())}

    def observations(self):
        """How many rows were observed, as far as outcomes tell: it decides how fine columns are cut for the certificate."""
        if self.rule != "one" or not self.whole:
            return int((self.weight > 0).sum())
        total = sum(unit["weight"] for unit in self.units)
        if not self.weighted:
            return total
        used = (self.weight > 0) & (self.fold == 0)
        weight, start = self.weight[used], self.own_start[used]
        _, cell = np.unique(self.hashes[1][used], return_inverse=True)
        residual = np.zeros(cell.max() + 1)
        np.add.at(residual, cell, weight * (self.label[used] - start))
        strayed, expected = float((residual**2).sum()), int((weight * (start * (ONE - start) // ONE)).sum())
        most = float((weight**2).sum() / weight.sum())
        return total / max(1, min(most, most if expected == 0 else strayed / ONE / expected))
