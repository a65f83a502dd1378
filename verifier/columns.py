"""Cells of a CSV as columns: numbers, truth values or words (CERTIFICATE.md, section 1)."""

import csv
import datetime
import re

import numpy as np

from model_file import Refused, number_text

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
PLAIN = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d{1,15})?")
MOMENT = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?(?:Z|([+-])(\d{2}):?(\d{2})?)?)?"
)
CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?")
TRUTH = {"false": 0, "no": 0, "n": 0, "f": 0, "0": 0, "true": 1, "yes": 1, "y": 1, "t": 1, "1": 1}


class Column:
    """kind numeric: doubles, NaN is missing; boolean: 0, 1, -1 is missing; categorical: strings, None is missing."""

    def __init__(self, kind, values):
        self.kind, self.values = kind, values

    def missing(self):
        if self.kind == "numeric":
            return np.isnan(self.values)
        return self.values < 0 if self.kind == "boolean" else np.array([text is None for text in self.values], bool)


def read_csv(path, missing_words):
    """Every column as a list of texts, None where there is nothing."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        reader = csv.reader(file, delimiter="\t" if path.lower().endswith((".tsv", ".tab")) else ",")
        header = next(reader, None)
        if header is None:
            raise Refused("the CSV has no header line")
        lines = [line for line in reader if line]
    if any(len(line) != len(header) for line in lines):
        raise Refused("a line of the CSV has another number of cells than the header")
    none = {"", *missing_words}
    return {name: [None if line[at] in none else line[at] for line in lines] for at, name in enumerate(header)}


def infer(texts):
    """The kind that a column has by itself, where no feature of the model says it."""
    present = [text for text in texts if text is not None]
    if all(NUMBER.fullmatch(text) for text in present):
        whole = all(re.fullmatch(r"[+-]?\d+", text) for text in present)
        if not (whole and any(abs(int(text)) >= 2**53 for text in present)):
            return Column("numeric", floats(texts, float))
    for parse in (moment, clock):
        if all(parse(text) is not None for text in present):
            return Column("numeric", floats(texts, parse))
    if all(text.lower() in ("true", "false") for text in present):
        return Column("boolean", np.array([-1 if text is None else text.lower() == "true" for text in texts], int))
    return Column("categorical", list(texts))


def as_feature(feature, texts):
    """In the form that the model learned it in."""
    if feature["kind"] == "categorical":
        plain = (lambda text: number_text(float(text)) if PLAIN.fullmatch(text) else text) if feature.get("numbers") else str
        return Column("categorical", [None if text is None else plain(text) for text in texts])
    if feature["kind"] == "boolean":
        return Column("boolean", np.array([-1 if text is None else truth(text) for text in texts], int))
    time = feature.get("time")
    if time is None:
        return Column("numeric", floats(texts, float))
    dated = lambda text: moment(text) if moment(text) is not None else by_format(text, feature.get("format"))
    values = floats(texts, clock if time == "time" else dated)
    if np.isnan(values).sum() != sum(text is None for text in texts):
        raise Refused(f"column {feature['name']}: not all of it is of the kind {time}")
    return Column("numeric", values)


def floats(texts, parse):
    try:
        values = np.array([np.nan if text is None else parse(text) for text in texts], float)
    except ValueError as error:
        raise Refused(f"not a number: {error}") from error
    return values + 0.0  # -0 is 0


def truth(text):
    if text.strip().lower() not in TRUTH:
        raise Refused(f"{text!r} is no truth value")
    return TRUTH[text.strip().lower()]


def moment(text):
    """Days since 1970-01-01 in UTC."""
    parts = MOMENT.fullmatch(text)
    if parts is None:
        return None
    sign, zone_hours, zone_minutes = parts.groups()[7:]
    try:
        days = datetime.date(*map(int, parts.groups()[:3])).toordinal() - 719163
    except ValueError:
        return None
    offset = (-60 if sign == "-" else 60) * (60 * int(zone_hours or 0) + int(zone_minutes or 0))
    return millionths(86400 * days - offset, *parts.groups()[3:7], 86400e6)


def clock(text):
    """Seconds since midnight."""
    parts = CLOCK.fullmatch(text)
    return None if parts is None else millionths(0, *parts.groups(), 1e6)


def millionths(before, hours, minutes, seconds, fraction, step):
    """Whole millionths of a second, divided once."""
    hours, minutes, seconds = (int(part or 0) for part in (hours, minutes, seconds))
    if hours > 23 or minutes > 59 or seconds > 59:
        return None
    return ((before + 3600 * hours + 60 * minutes + seconds) * 1e6 + np.floor(float(fraction or 0) * 1e6 + 0.5)) / step


def by_format(text, layout):
    """A date as strftime's %Y, %y, %m and %d write it."""
    if layout is None:
        return None
    pieces = re.split(r"%(.)", layout)
    widths = {"Y": r"\d{4}", "y": r"\d{2}", "m": r"\d{1,2}", "d": r"\d{1,2}"}
    pattern = "".join(f"(?P<{p}>{widths[p]})" if at % 2 else re.escape(p) for at, p in enumerate(pieces))
    found = re.fullmatch(pattern, text)
    if found is None:
        return None
    parts = found.groupdict()
    short = int(parts.get("y") or 0)
    year = parts.get("Y") or (2000 + short if short < 69 else 1900 + short)
    return moment(f"{year}-{int(parts.get('m') or 1):02}-{int(parts.get('d') or 1):02}")
