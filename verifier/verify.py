"""Holds a featureboost model file against rows: python verify.py MODEL CSV. Exit code 0: all that can be recomputed is the same; 4: it is not."""

import argparse
import re
import sys

import numpy as np

from auditors import tree_class
from bounds import plan
from certificate import Certified, certify
from columns import read_csv
from encoding import learn
from model_file import OPTIONS, Refused, hash_of, read_model
from predict import ONE, Encoded, round_half_up, rounding_of
from rows import Rows

CURVE = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 25, 30, 32, 40, 50, 64, 80, 100]
PARTS = {"tolerances": ["tolerances"], "errors before": ["before"], "errors after": ["after"],
         "bounds and verdict": ["rungs", "holds", "paperBound"], "held-out rows": ["heldOut"], "protected groups": ["protected"]}


def differences(stated, found, path, near=1e-15):
    """Places where two values differ. Doubles may differ by 1e-9 of their size, and by `near`."""
    if isinstance(found, dict) and isinstance(stated, dict):
        keys = dict.fromkeys([*found, *stated])
        return [each for key in keys for each in differences(stated.get(key), found.get(key), f"{path}.{key}", near)]
    if isinstance(found, list) and isinstance(stated, list) and len(found) == len(stated):
        return [each for at in range(len(found)) for each in differences(stated[at], found[at], f"{path}[{at}]", near)]
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (stated, found))
    same = abs(stated - found) <= near + 1e-9 * max(abs(stated), abs(found)) if numbers else stated == found
    return [] if same else [f"{path}: the file says {stated!r}, found {found!r}"]


def without_words(value):
    if isinstance(value, dict):
        return {key: without_words(each) for key, each in value.items() if key not in ("worst", "group", "attained", "update")}
    return [without_words(each) for each in value] if isinstance(value, list) else value


def parts_of(model, table, scores):
    """Pairs of a name and of differences, or of why it was not recomputed."""
    stated, claim = model["certificate"], model["certificate"]["claim"]
    yield "hash", differences(model["hash"], hash_of(model), "hash")
    yield "options", [f"options.{name}: there is no such option" for name in model["options"] if name not in OPTIONS]
    if model["encoding"]["functions"]:
        yield "all else", "the file names functions, and no file holds their code"
        return
    rows = Rows(model, table)
    encoded = Encoded(model["encoding"], rows)
    yield "rows", differences(stated["rows"], rows.described(model["roles"], encoded), "certificate.rows")
    yield "start", start_part(model, rows)
    yield "cuts and categories", differences(model["encoding"]["features"], learn(model, rows), "encoding.features")
    units = encoded.predict(rows.start, model["updates"])
    if scores is not None:
        wrong = np.flatnonzero(units != round_half_up(scores[rows.kept] * ONE))
        yield "predictions", [f"row {row + 1}: not {units[row] / ONE!r}" for row in wrong]
    weight = rows.weight * (rows.fold == 0)
    roundings = [{"bins": bins, "values": rounding_of(units, weight, bins).tolist()} for bins in sorted({*CURVE, claim["bins"]})]
    yield "predictions and their roundings", differences(model["roundings"], roundings, "roundings")
    yield "plan", plan_part(model)
    if model["auditors"]["kind"] == "linear":
        yield "class, tolerances, errors and bounds", "the auditors are linear, and their least squares are not specified to the bit"
        return
    certified = Certified(model, encoded)
    words = re.match(certified.words, stated["auditors"])
    named = [int(text.replace(",", "")) for text in words.groups()] if words else None
    yield "class", differences([*(named or []), stated["rounds"]], [*certified.size, len(model["updates"])], "certificate.auditors, rounds")
    found, fitting = certify(model, rows, encoded, units, certified)
    for name, keys in PARTS.items():
        if not any(key in stated or key in found for key in keys):
            continue
        near = 2e-9 if name in ("held-out rows", "protected groups") else 1e-15
        wrong = [each for key in keys for each in differences(without_words(stated.get(key)), found.get(key), f"certificate.{key}", near)]
        yield name, wrong + (updates_part(stated, fitting, encoded, units) if name == "tolerances" else [])
    yield "sentences and names of groups", "only numbers and structure are"
    if rows.folded:
        yield "that held-out rows were kept out of the fit", "no look at a finished model can tell: repeat the fit"


def start_part(model, rows):
    start, holdout = model["start"], model["roles"].get("holdout")
    wrong = [] if start["kind"] == "column" else differences(start["units"], rows.base_rate, "start.units")
    return wrong + (differences(model["options"].get("seed"), holdout["seed"], "options.seed") if holdout else [])


def updates_part(stated, fitting, encoded, units):
    """The update of a tolerance gains as much; where its factors were only bounded, no more."""
    wrong = []
    for at, each in enumerate(stated["tolerances"]):
        gain = fitting.gain_of(each["update"], encoded.leaves(each["update"]["tree"], units))
        short = abs(gain - each["tolerance"]) if each["attained"] else gain - each["tolerance"]
        if short > 1e-6 * each["tolerance"] + 1e-12:
            wrong.append(f"certificate.tolerances[{at}].update: gains {gain!r}, not {each['tolerance']!r}")
    return wrong


def plan_part(model):
    claim, options, auditors, factors = model["certificate"]["claim"], model["options"], model["auditors"], model["factors"]
    trees, rounds = auditors["kind"] == "trees", options["method"] == "rounds"
    budget = auditors.get("budget", 1)
    tolerance, bins = plan(claim["epsilon"], claim["guarantee"], factors, budget, 2 ** auditors["depth"] if trees else 2)
    bins = options.get("bins") or (bins if bins > 1 else 20)
    price = (len(model["updates"]) + 1) * (len(model["updates"]) + 2) if rounds and options["stop"] == "validation" else 1
    found = {"tolerance": options.get("tolerance", tolerance), "bins": bins, "budget": budget, "candidates": options["chosenFrom"] * price}
    oracle = "least squares" if auditors["kind"] == "linear" else "closed form"
    if trees:
        cells = tree_class(model)[3] * (1 if factors == "constant" else bins)
        deep = auditors["depth"] > 2 or (auditors["depth"] == 2 and cells > model["cellBudget"])
        search = options.get("search", "auto")
        oracle = "rank one" if factors in ("signed", "weighted") else "exhaustive"
        oracle = "greedy" if search == "greedy" or (search == "auto" and deep) else oracle
    expected = factors if rounds else "constant" if claim["guarantee"] == "multiaccuracy" else "table"
    wrong = differences({key: claim[key] for key in found}, found, "certificate.claim")
    wrong += differences([model["certificate"]["oracle"], model["certificate"]["factors"]], [oracle, factors], "certificate.oracle, factors")
    return wrong + differences(factors, expected, "factors")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("rows", help="a CSV with a header: the rows that the model was fitted to")
    parser.add_argument("--missing", action="append", default=[], help="text that means a missing value; may be given again")
    parser.add_argument("--predictions", nargs=2, metavar=("CSV", "COLUMN"), help="predictions of these rows to hold against ours")
    given = parser.parse_args()
    failed = False
    try:
        scores = given.predictions and np.array(read_csv(given.predictions[0], [])[given.predictions[1]], float)
        for name, found in parts_of(read_model(given.model), read_csv(given.rows, given.missing), scores):
            if isinstance(found, str):
                print(f"{name}: not recomputed, because {found}")
                continue
            failed = failed or len(found) > 0
            more = f"; and {len(found) - 3} more" if len(found) > 3 else ""
            print(f"{name}: differs: {'; '.join(found[:3])}{more}" if found else f"{name}: recomputed: same")
    except OSError as error:
        parser.error(str(error))
    except Refused as reason:
        failed = True
        print(f"refused: {reason}")
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        failed = True
        print(f"refused: not the shape of a model file ({type(error).__name__}: {error})")
    print("something differs" if failed else "all that was recomputed is the same")
    return 4 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
