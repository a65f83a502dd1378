"""The model file, and its hash (FORMAT.md, "The hash")."""

import hashlib
import json
import re

OPTIONS = ("method tolerance slack bins stop patience learningRate roundLimit leaves ridge parts sampleRows search featureBins coarseBins "
           "rare chosenFrom seed").split()


class Refused(Exception):
    """What cannot be verified at all, and why."""


def read_model(path):
    def no_constant(name):
        raise Refused(f"{name} is no JSON number")

    try:
        with open(path, encoding="utf-8") as file:
            model = json.load(file, parse_constant=no_constant)
    except (ValueError, UnicodeDecodeError) as error:
        raise Refused(f"not JSON: {error}") from error
    if not isinstance(model, dict) or model.get("format") != "featureboost-model":
        raise Refused("not a featureboost model")
    if model.get("version") != 3:
        raise Refused(f"version {model.get('version')}: only certificates of version 3 can be recomputed")
    if "imported" in model:
        raise Refused("an imported model: its certificate speaks of no rows")
    return model


def hash_of(model):
    rest = {key: value for key, value in model.items() if key != "hash"}
    return hashlib.sha256(canonical(rest).encode("utf-8")).hexdigest()


def canonical(value):
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{quote(key)}:{canonical(value[key])}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, str):
        return quote(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return number_text(value)


def quote(text):
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", json.dumps(text, ensure_ascii=False))


def number_text(value):
    """As JavaScript prints a double: the fewest digits that give it back, and an exponent below 1e-6 and from 1e21."""
    value = float(value)
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    digits, exponent = f"{abs(value)!r}e0".split("e")[:2]
    whole, _, fraction = digits.partition(".")
    place = len(whole) + int(exponent)
    figures = (whole + fraction).lstrip("0")
    place -= len(whole + fraction) - len(figures)
    figures = figures.rstrip("0")
    count = len(figures)
    if 0 < place <= 21:
        text = figures.ljust(place, "0") if count <= place else f"{figures[:place]}.{figures[place:]}"
    elif -6 < place <= 0:
        text = f"0.{'0' * -place}{figures}"
    else:
        power = place - 1
        text = figures[0] + (f".{figures[1:]}" if count > 1 else "") + f"e{'+' if power > 0 else '-'}{abs(power)}"
    return sign + text
