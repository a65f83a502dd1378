"""Holds a featureboost model file against rows: python verify.py MODEL CSV. Exit code 0: all that can be recomputed is the same; 4: it is not."""

import argparse
import re
import sys

import numpy as np

import certificate as certs
from bounds import plan
from columns import read_csv
from encoding import learn
from model_file import Refused, hash_of, read_model
from predict import ONE, Encoded, round_half_up, rounding_of
from rows import EMPTY, Rows, mix

CURVE = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 25, 30, 32, 40, 50, 64, 80, 100]
NAMES = {"multiaccuracy": "multiaccuracy", "multicalibration": "multicalibration", "level-set": "levelSet"}
OPTIONS = {"method", "tolerance", "slack", "bins", "stop", "patience", "learningRate", "roundLimit", "leaves", "ridge", "parts",
           "sampleRows", "search", "featureBins", "coarseBins", "rare", "chosenFrom", "seed"}


def differences(stated, found, path, near=0.0):
    """Places where two values differ. Doubles may differ by 1e-9 of their size, and by `near`, where they were rounded up."""
    if isinstance(found, dict) and isinstance(stated, dict):
        keys = dict.fromkeys([*found, *stated])
        return [each for key in keys for each in differences(stated.get(key), found.get(key), f"{path}.{key}", near)]
    if isinstance(found, list) and isinstance(stated, list) and len(found) == len(stated):
        return [each for at in range(len(found)) for each in differences(stated[at], found[at], f"{path}[{at}]", near)]
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (stated, found))
    if numbers and abs(stated - found) <= near + 1e-9 * max(abs(stated), abs(found)):
        return []
    return [] if not numbers and stated == found else [f"{path}: the file says {stated!r}, found {found!r}"]


class Verification:
    def __init__(self, model, table, scores):
        self.model, self.stated, self.claim = model, model["certificate"], model["certificate"]["claim"]
        self.table, self.scores, self.failed = table, scores, False

    def part(self, name, found):
        """`found`: differences, or a sentence on why there is nothing to compare."""
        if isinstance(found, str):
            print(f"{name}: not recomputed, because {found}")
        elif found:
            self.failed = True
            print(f"{name}: differs: {'; '.join(found[:3])}{f'; and {len(found) - 3} more' if len(found) > 3 else ''}")
        else:
            print(f"{name}: recomputed: same")

    def run(self):
        model, stated = self.model, self.stated
        self.part("hash", differences(model["hash"], hash_of(model), "hash"))
        self.part("options", [f"options.{name}: there is no such option" for name in sorted(set(model["options"]) - OPTIONS)])
        if model["encoding"]["functions"]:
            self.part("all else", "the file names functions, and no file holds their code")
            return
        self.rows = Rows(model, self.table)
        self.encoded = Encoded(model["encoding"], self.rows)
        self.units = self.encoded.predict(self.rows.start, model["updates"])
        self.part("rows", self.rows_part())
        self.part("start", self.start_part())
        self.part("encoding", differences(model["encoding"]["features"], learn(model, self.rows), "encoding.features"))
        if self.scores is not None:
            scores = self.scores[self.rows.kept]
            wrong = np.flatnonzero(self.units != round_half_up(scores * ONE))
            self.part("predictions", [f"row {row + 1}: {scores[row]!r}, not {self.units[row] / ONE!r}" for row in wrong])
        weight = self.rows.weight * (self.rows.fold == 0)
        self.rounding = lambda units, bins: rounding_of(units, weight, bins)
        bins = sorted({*CURVE, self.claim["bins"]})
        roundings = [{"bins": each, "values": self.rounding(self.units, each).tolist()} for each in bins]
        self.part("roundings", differences(model["roundings"], roundings, "roundings"))
        self.part("plan", self.plan_part())
        if model["auditors"]["kind"] == "linear":
            self.part("class, tolerances, errors and bounds", "the auditors are linear, and their least squares are not specified to the bit")
            return
        self.certificate_parts()
        self.part("sentences and names of groups", "only numbers and structure are")
        if self.rows.folded:
            self.part("that held-out rows were kept out of the fit", "no look at a finished model can tell: repeat the fit")

    def rows_part(self):
        rows, roles = self.rows, self.model["roles"]
        found = {"rowCount": rows.count, "fitWeight": rows.units[0]["weight"], "fingerprint": self.fingerprint()}
        if rows.folded:
            found["holdoutWeight"] = rows.units[1]["weight"]
            holdout = roles.get("holdout", {})
            split = {"kind": "ids" if "groupBy" in holdout else "rows", **{k: holdout[k] for k in ("fraction", "seed") if k in holdout}}
            split |= {"column": holdout["groupBy"]} if "groupBy" in holdout else {}
            found["split"] = {"kind": "column", "column": roles["fold"]} if "fold" in roles else split
        found |= {"copies": roles["copies"]} if "copies" in roles else {}
        return differences(self.stated["rows"], found, "certificate.rows")

    def fingerprint(self):
        rows = self.rows
        hashes = tuple(np.full(rows.count, lane, np.uint32) for lane in EMPTY)
        for values in [*self.encoded.bins, *self.encoded.signals, rows.label, rows.start, rows.fold]:
            hashes = mix(hashes, values)
        return "".join(f"{int((lane.astype(object) * rows.weight.astype(object)).sum()) % 2**32:08x}" for lane in hashes)

    def start_part(self):
        start, holdout = self.model["start"], self.model["roles"].get("holdout")
        found = [] if start["kind"] == "column" else differences(start["units"], self.rows.base_rate, "start.units")
        return found + (differences(self.model["options"].get("seed"), holdout["seed"], "options.seed") if holdout else [])

    def plan_part(self):
        model, claim, options = self.model, self.claim, self.model["options"]
        auditors, factors = model["auditors"], model["factors"]
        budget = auditors["budget"] if auditors["kind"] == "linear" else 1
        value_bins = 2 ** auditors["depth"] if auditors["kind"] == "trees" else 2
        tolerance, bins = plan(claim["epsilon"], claim["guarantee"], factors, budget, value_bins)
        bins = options.get("bins") or (bins if bins > 1 else 20)
        updates, chosen = len(model["updates"]), options["chosenFrom"]
        by_rows = options["method"] == "rounds" and options["stop"] == "validation"
        found = {"tolerance": options.get("tolerance", tolerance), "bins": bins, "budget": budget,
                 "candidates": chosen * (updates + 1) * (updates + 2) if by_rows else chosen}
        wrong = differences({key: claim[key] for key in found}, found, "certificate.claim")
        wrong += differences(self.stated["oracle"], self.oracle(bins), "certificate.oracle")
        if options["method"] != "rounds":
            wrong += differences(factors, "constant" if claim["guarantee"] == "multiaccuracy" else "table", "factors")
        return wrong + differences(self.stated["factors"], factors, "certificate.factors")

    def oracle(self, bins):
        kind, factors, search = self.model["auditors"]["kind"], self.model["factors"], self.model["options"].get("search", "auto")
        if kind != "trees":
            return "least squares" if kind == "linear" else "closed form"
        depth = self.model["auditors"]["depth"]
        levels = 1 if factors == "constant" else bins
        cells = certs.tree_class(self.model)[3] / self.claim["bins"] * levels
        if search == "greedy" or (search == "auto" and (depth > 2 or (depth == 2 and cells > self.model["cellBudget"]))):
            return "greedy"
        return "rank one" if factors in ("signed", "weighted") else "exhaustive"

    def certificate_parts(self):
        model, stated, claim = self.model, self.stated, self.claim
        certified = certs.Certified(model, self.encoded)
        bins = claim["bins"]
        before = certs.Fold(certified, self.rows, self.rows.start, 0)
        fitting = certs.Fold(certified, self.rows, self.units, 0)
        rounding = self.rounding(self.units, bins)
        self.part("class", self.class_part(certified))
        tolerances, wrong = self.tolerances(fitting)
        self.part("tolerances", wrong)
        self.part("before", self.summary_part(stated["before"], before.summary(self.rounding(self.rows.start, bins)), "before"))
        after = fitting.summary(rounding)
        self.part("after", self.summary_part(stated["after"], after, "after"))
        free = certs.free_bounds(fitting, rounding, claim["budget"])
        self.part("bounds and verdict", self.rungs_part(certified, tolerances, free))
        if self.rows.folded:
            held = certs.Fold(certified, self.rows, self.units, 1)
            self.part("held-out rows", self.held_out_part(certified, fitting, held, rounding, tolerances))
        else:
            self.part("held-out rows", differences(stated.get("heldOut"), None, "certificate.heldOut"))
        if "protect" in model["roles"] or "protected" in stated:
            found = certs.protected(model, self.encoded, self.rows, self.units) if model["roles"].get("protect") else None
            plain = [{k: v for k, v in group.items() if k != "group"} for group in stated.get("protected") or []]
            self.part("protected groups", differences(plain, found, "certificate.protected", 2e-9))

    def class_part(self, certified):
        count = lambda text: int(text.replace(",", ""))
        if certified.kind == "trees":
            words = re.match(r"decision trees of depth ([\d,]+) on ([\d,]+) columns \(([\d,]+) splits", self.stated["auditors"])
            found = [certified.depth, len(certified.used), certified.size]
        else:
            words = re.match(r"membership in ([\d,]+) declared groups", self.stated["auditors"])
            found = [certified.size]
        named = [count(text) for text in words.groups()] if words else None
        wrong = differences(named, found, "certificate.auditors")
        return wrong + differences(self.stated["rounds"], len(self.model["updates"]), "certificate.rounds")

    def tolerances(self, fitting):
        """Each is found again, and its update gains as much, or where factors are only bounded no more."""
        kinds = list(dict.fromkeys(["constant", self.model["factors"], "table"]))
        found = [{"factors": kind, "tolerance": fitting.tolerance(kind, self.claim["bins"])} for kind in kinds]
        plain = [{key: each[key] for key in ("factors", "tolerance")} for each in self.stated["tolerances"]]
        wrong = differences(plain, found, "certificate.tolerances", 1e-15)
        for at, each in enumerate(self.stated["tolerances"]):
            leaves = self.encoded.leaves(each["update"]["tree"], self.units)[(self.rows.fold == 0) & (self.rows.weight > 0)]
            gain = fitting.gain_of(each["update"], leaves)
            reached = abs(gain - each["tolerance"]) <= 1e-6 * each["tolerance"] + 1e-12
            if not (reached if each["attained"] else gain <= each["tolerance"] + 1e-12):
                wrong.append(f"certificate.tolerances[{at}].update: gains {gain!r}, not {each['tolerance']!r}")
        return found, wrong

    def summary_part(self, stated, found, path):
        wrong = []
        for name, value in found.items():
            if isinstance(stated.get(name), dict):
                wrong += self.measured(stated[name], value, f"certificate.{path}.{name}", found["levelSet"])
            else:
                wrong += differences(stated.get(name), value, f"certificate.{path}.{name}")
        return wrong

    @staticmethod
    def measured(stated, exact, path, most):
        """Where the search of the file was cut short, the truth lies between what it found and what it proved."""
        if stated["error"] < stated["atMost"]:
            inside = stated["error"] <= exact * (1 + 1e-9) and exact * (1 - 1e-9) <= stated["atMost"] <= most * (1 + 1e-9)
            return [] if inside else [f"{path}: {exact!r} is not within {stated['error']!r} to {stated['atMost']!r}"]
        return differences({key: stated[key] for key in ("error", "atMost")}, {"error": exact, "atMost": exact}, path)

    def rungs_part(self, certified, tolerances, free):
        stated, claim = self.stated, self.claim
        bounds = certs.proven_bounds(tolerances, free, claim)
        found, plain, holds = [], [], False
        for name, key in NAMES.items():
            last = tolerances[0 if name == "multiaccuracy" else -1]
            measured = {k: stated["after"][key][k] for k in ("error", "atMost")}
            found.append({"guarantee": name, "bound": bounds[key], "through": last["factors"], "tolerance": last["tolerance"], "measured": measured})
            holds = holds or (name == claim["guarantee"] and min(bounds[key], measured["atMost"]) <= claim["epsilon"])
        for rung in stated["rungs"]:
            plain.append(rung | {"measured": {k: rung["measured"][k] for k in ("error", "atMost")}})
        wrong = differences(plain, found, "certificate.rungs", 1e-15) + differences(stated["holds"], holds, "certificate.holds")
        own = next(each["tolerance"] for each in tolerances if each["factors"] == self.model["factors"])
        bound = certs.paper_bound(self.model["factors"], own, claim, certified.value_bins, free)
        return wrong + differences(stated.get("paperBound"), bound.get("paperBound"), "certificate.paperBound")

    def held_out_part(self, certified, fitting, held, rounding, tolerances):
        stated, claim = self.stated.get("heldOut"), self.claim
        found = certs.held_out(fitting, held, rounding, claim)
        updates = self.model["updates"]
        paper = certs.paper(certified, fitting, tolerances[-1]["tolerance"], claim, len(updates))
        if paper is not None and all(update["kind"] in ("table", "linear") for update in updates):
            found["paper"] = paper
        plain = {k: {i: v for i, v in each.items() if i != "worst"} if isinstance(each, dict) else each for k, each in (stated or {}).items()}
        return differences(plain, found, "certificate.heldOut", 2e-9)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("rows", help="a CSV with a header, as the model was fitted to")
    parser.add_argument("--missing", action="append", default=[], help="text that means a missing value; may be given again")
    parser.add_argument("--predictions", nargs=2, metavar=("CSV", "COLUMN"), help="predictions of these rows to hold against ours")
    given = parser.parse_args()
    try:
        model = read_model(given.model)
        table = read_csv(given.rows, given.missing)
        scores = None
        if given.predictions is not None:
            scores = np.array([float(text) for text in read_csv(given.predictions[0], [])[given.predictions[1]]])
        verification = Verification(model, table, scores)
        verification.run()
    except Refused as reason:
        print(f"refused: {reason}")
        return 4
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        print(f"refused: not the shape of a model file ({type(error).__name__}: {error})")
        return 4
    print("differs" if verification.failed else "same")
    return 4 if verification.failed else 0


if __name__ == "__main__":
    sys.exit(main())
