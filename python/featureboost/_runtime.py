"""Corrected probabilities, as the featureboost model that this file was written from predicts them.

    from THIS_FILE import predict
    corrected = predict(frame)

`frame` is a pandas or polars DataFrame, a pyarrow Table, or a dict with one sequence per column. Needs numpy. Do not edit: export the model
again.
"""

import datetime
import json
import math
import re
from decimal import Decimal

import numpy as np

#: The SHA-256 of the model that this file was made from.
MODEL_HASH = "__HASH__"

_PLAN = json.loads(__PLAN__)

_ONE = 2**24
_MAX_STEP = 32 * _ONE
_DAY = 86_400 * 1e6


class FeatureBoostError(ValueError):
    """A frame that cannot be scored. `code` is one of docs/errors.md."""

    def __init__(self, code, message):
        super().__init__(f"{code} {message}")
        self.code = code


def predict(frame):
    """Corrected probabilities of all rows, as a numpy array of float64."""
    return predict_units(frame) / _ONE


def predict_row(row):
    """The corrected probability of one row, a dict; columns that are absent are missing."""
    names = [feature["name"] for feature in _PLAN["features"]]
    if _PLAN["start"]["kind"] == "column":
        names.append(_PLAN["start"]["column"])
    return float(_score({name: _objects([row.get(name)]) for name in names}, 1)[0] / _ONE)


def predict_units(frame):
    """The same in whole units of 2**-24."""
    columns = _FrameColumns(frame)
    count = columns.row_count
    units = np.empty(count, dtype=np.int64)
    at_once = max(64, min(16_384, 4_000_000 // max(1, _most_trees())))
    for start in range(0, count, at_once):
        end = min(count, start + at_once)
        units[start:end] = _score(columns.part(start, end), end - start)
    return units


# ---- columns ----


class _FrameColumns:
    """The columns of a frame that the model reads, as numpy arrays."""

    def __init__(self, frame):
        names = [feature["name"] for feature in _PLAN["features"]]
        if _PLAN["start"]["kind"] == "column" and _PLAN["start"]["column"] not in names:
            names.append(_PLAN["start"]["column"])
        known = _names_of(frame)
        for name in names:
            if name not in known:
                raise FeatureBoostError(
                    "FB_COLUMN_UNKNOWN", f'column "{name}": the frame has no such column.'
                )
        self.arrays = {name: _array_of(frame[name]) for name in names}
        lengths = {len(array) for array in self.arrays.values()} or {_length_of(frame)}
        if len(lengths) > 1:
            raise FeatureBoostError("FB_COLUMN_LENGTH", "columns are of different lengths.")
        self.row_count = lengths.pop()

    def part(self, start, end):
        return {name: array[start:end] for name, array in self.arrays.items()}


def _names_of(frame):
    if hasattr(frame, "column_names"):  # pyarrow
        return set(frame.column_names)
    if hasattr(frame, "columns"):  # pandas, polars
        return set(frame.columns)
    if hasattr(frame, "keys"):
        return set(frame.keys())
    raise FeatureBoostError("FB_ARGUMENT", f"the frame is {type(frame).__name__}. Expected columns by name.")


def _length_of(frame):
    if hasattr(frame, "num_rows"):
        return frame.num_rows
    if hasattr(frame, "columns"):
        return len(frame)
    return len(next(iter(frame.values()), ()))


def _array_of(column):
    """A numpy array; what numpy has no type for becomes objects."""
    if isinstance(column, np.ndarray):
        return column if column.dtype.kind in "iufbM" else _objects(column.tolist())
    if hasattr(column, "to_pylist"):  # pyarrow
        kind = str(column.type)
        plain = kind.startswith(("int", "uint", "float", "double", "date", "timestamp"))
        return column.to_numpy() if plain else _objects(column.to_pylist())
    if hasattr(column, "to_list") and hasattr(column, "dtype"):  # pandas, polars
        kind = getattr(column.dtype, "kind", None)
        if kind is None:
            kind = "O" if str(column.dtype).startswith(("Dec", "Time", "Bool")) else None
        if kind in ("i", "u", "f", "b", "M") and isinstance(column.dtype, np.dtype):
            return column.to_numpy()
        if kind is None and str(column.dtype).startswith(("Int", "UInt", "Float", "Date")):
            zone = getattr(column.dtype, "time_zone", None)
            if zone is not None:
                column = column.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
            return column.to_numpy()
        return _objects(column.to_list())
    return _objects(list(column))


def _objects(values):
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _is_missing(value):
    if value is None or (isinstance(value, str) and value == ""):
        return True
    if type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating, np.datetime64)) and value != value


def _is_flag(value):
    return isinstance(value, (bool, np.bool_))


def _is_number(value):
    return isinstance(value, (int, float, np.integer, np.floating, Decimal)) and not _is_flag(value)


def _refuse(feature, value, expected):
    raise FeatureBoostError(
        "FB_COLUMN_KIND",
        f'column "{feature["name"]}": found {value!r}. Expected {expected}, as when the model was fitted.',
    )


def _numbers(feature, array):
    """Float64 with NaN for what is missing."""
    name = feature["name"]
    if array.dtype.kind in "iuf":
        numbers = array.astype(np.float64)
    elif array.dtype.kind == "O":
        numbers = np.empty(len(array))
        for row, value in enumerate(array):
            if _is_missing(value):
                numbers[row] = math.nan
            elif _is_number(value):
                numbers[row] = float(value)
            else:
                _refuse(feature, value, "numbers")
    else:
        _refuse(feature, array[0] if len(array) else array.dtype, "numbers")
    if np.isinf(numbers).any():
        raise FeatureBoostError("FB_NOT_FINITE", f'column "{name}": an infinite number.')
    return numbers


# ---- dates and times ----

_MOMENT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(\.[0-9]{1,9})?)?(?:Z|([+-])([0-9]{2}):?([0-9]{2})?)?)?"
)
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(\.[0-9]{1,9})?)?")
_EPOCH = datetime.datetime(1970, 1, 1)
_MICROSECOND = datetime.timedelta(microseconds=1)


def _times(feature, array):
    """Days since 1970 in UTC, or seconds since midnight, with NaN for what is missing."""
    is_clock = feature["time"] == "time"
    if array.dtype.kind == "M" and not is_clock:
        micros = array.astype("datetime64[us]")
        return np.where(np.isnat(micros), np.nan, micros.astype(np.int64) / _DAY)
    if array.dtype.kind == "f" and np.isnan(array).all():
        return array.astype(np.float64)
    if array.dtype.kind != "O":
        _refuse(feature, array[0] if len(array) else array.dtype, "dates or times")
    known = {}
    times = np.empty(len(array))
    for row, value in enumerate(array):
        if _is_missing(value):
            times[row] = math.nan
            continue
        if isinstance(value, str):
            if value not in known:
                known[value] = _parse_time(value, feature)
            time = known[value]
        else:
            time = _clock_of(value) if is_clock else _days_of(value)
        if time is None:
            _refuse(feature, value, "times of day" if is_clock else "dates")
        times[row] = time
    return times


def _days_of(value):
    if isinstance(value, np.datetime64):
        return float(value.astype("datetime64[us]").astype(np.int64)) / _DAY
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        if hasattr(value, "to_pydatetime"):
            value = value.to_pydatetime(warn=False)
        return float((value - _EPOCH) // _MICROSECOND) / _DAY
    if isinstance(value, datetime.date):
        return float(value.toordinal() - _EPOCH.toordinal())
    return None


def _clock_of(value):
    if isinstance(value, datetime.time):
        seconds = 3600 * value.hour + 60 * value.minute + value.second
        return float(seconds * 1_000_000 + value.microsecond) / 1e6
    return None


def _parse_time(text, feature):
    if feature["time"] == "time":
        return _parse_clock(text)
    moment = _parse_moment(text)
    if moment is None and "format" in feature:
        return _parse_date(text, feature["format"])
    return moment


def _parse_clock(text):
    found = _CLOCK.fullmatch(text)
    if found is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in found.groups()[:3])
    if hours > 23 or minutes > 59 or seconds > 59:
        return None
    return float((3600 * hours + 60 * minutes + seconds) * 1_000_000 + _millionths(found.group(4))) / 1e6


def _millionths(fraction):
    return math.floor(float(fraction or 0) * 1e6 + 0.5)


def _parse_moment(text):
    found = _MOMENT.fullmatch(text)
    if found is None:
        return None
    year, month, day, hours, minutes, seconds = (int(part or 0) for part in found.groups()[:6])
    fraction, sign, zone_hours, zone_minutes = found.groups()[6:]
    try:
        # Years of two digits are of the last century, as JavaScript has them.
        date = datetime.date(year + 1900 if year < 100 else year, month, day)
    except ValueError:
        return None
    if hours > 23 or minutes > 59 or seconds > 59:
        return None
    offset = (-60 if sign == "-" else 60) * (60 * int(zone_hours or 0) + int(zone_minutes or 0))
    midnight = 86_400 * (date.toordinal() - _EPOCH.toordinal())
    clock = 3600 * hours + 60 * minutes + seconds
    return (float(midnight + clock - offset) * 1e6 + _millionths(fraction)) / _DAY


_PARTS = {"Y": "([0-9]{4})", "m": "([0-9]{1,2})", "d": "([0-9]{1,2})", "y": "([0-9]{2})"}


def _parse_date(text, form):
    pieces = re.split("%(.)", form)
    names = pieces[1::2]
    if any(name not in _PARTS for name in names):
        return None
    pattern = "".join(_PARTS[piece] if at % 2 else re.escape(piece) for at, piece in enumerate(pieces))
    found = re.fullmatch(pattern, text)
    if found is None:
        return None
    parts = dict(zip(names, found.groups()))
    short = int(parts.get("y", 0))
    year = parts.get("Y", str(2000 + short if short < 69 else 1900 + short))
    return _parse_moment(f'{year}-{parts.get("m", "1").zfill(2)}-{parts.get("d", "1").zfill(2)}')


# ---- words ----

_TRUTH = {word: flag for flag, words in enumerate((("false", "no", "n", "f", "0"), ("true", "yes", "y", "t", "1"))) for word in words}
_PLAIN = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?")


def _truth_of(word):
    return _TRUTH.get(word.strip().lower())


def _flag_bins(feature, array):
    if array.dtype.kind == "b":
        return array.astype(np.int64)
    if array.dtype.kind not in "iufO":
        _refuse(feature, array[0] if len(array) else array.dtype, "truth values")
    bins = np.empty(len(array), dtype=np.int64)
    for row, value in enumerate(array):
        if _is_missing(value):
            bins[row] = 2
        elif _is_flag(value) or (_is_number(value) and value in (0, 1)):
            bins[row] = int(value)
        elif isinstance(value, str) and _truth_of(value) is not None:
            bins[row] = _truth_of(value)
        else:
            _refuse(feature, value, "truth values")
    return bins


def _number_text(value):
    """A number as JavaScript writes it."""
    number = float(value)
    if number == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    text = "".join(map(str, digits))
    point = len(text) + exponent
    if 0 < point <= 21:
        text = text.ljust(point, "0") if point >= len(text) else f"{text[:point]}.{text[point:]}"
    elif -6 < point <= 0:
        text = f"0.{'0' * -point}{text}"
    else:
        power = point - 1
        head = text[0] + (f".{text[1:]}" if len(text) > 1 else "")
        text = f"{head}e{'+' if power > 0 else '-'}{abs(power)}"
    return f"-{text}" if sign else text


def _words_of(feature, array):
    """Texts, with None for what is missing."""
    numbers = feature.get("numbers", False)
    known = feature["categories"] + feature["pooled"]
    flags = [[word for word in known if _truth_of(word) == flag] for flag in (0, 1)]
    truths = [flags[0][0], flags[1][0]] if len(known) == 2 and len(flags[0]) == len(flags[1]) == 1 else None
    words = []
    for value in array.tolist() if array.dtype.kind in "iufb" else array:
        if _is_missing(value):
            words.append(None)
        elif isinstance(value, str):
            words.append(_number_text(value) if numbers and _PLAIN.fullmatch(value) else value)
        elif numbers and _is_number(value):
            words.append(_number_text(value))
        elif _is_flag(value) and truths is not None:
            words.append(truths[int(value)])
        else:
            _refuse(feature, value, "texts")
    return words


# ---- from a row to bins, signals and a start ----


def _missing_bin(feature):
    if feature["kind"] == "numeric":
        return len(feature["cuts"]) + 1
    if feature["kind"] == "boolean":
        return 2
    return len(feature["categories"]) + (1 if feature["pooled"] else 0)


def _read(feature, array):
    """What the feature holds, and its bins."""
    if feature["kind"] == "boolean":
        bins = _flag_bins(feature, array)
        return bins, bins
    missing = _missing_bin(feature)
    if feature["kind"] == "categorical":
        bin_of = {word: len(feature["categories"]) for word in feature["pooled"]}
        bin_of.update({word: at for at, word in enumerate(feature["categories"])})
        words = _words_of(feature, array)
        return words, np.array([bin_of.get(word, missing) for word in words], dtype=np.int64)
    numbers = _times(feature, array) if "time" in feature else _numbers(feature, array)
    bins = np.searchsorted(np.array(feature["cuts"], dtype=np.float64), numbers, side="left")
    return numbers, np.where(np.isnan(numbers), missing, bins)


def _signal(signal, values, count):
    if signal["kind"] == "one":
        return np.full(count, float(_ONE))
    held = values[signal["column"]]
    if signal["kind"] == "scaled":
        with np.errstate(over="ignore"):
            inside = np.clip((held - signal["center"]) / signal["scale"], -1.0, 1.0)
        return np.where(np.isnan(held), 0.0, _round(np.where(np.isnan(held), 0.0, inside) * _ONE))
    if isinstance(signal["value"], bool):
        return np.where(held == int(signal["value"]), float(_ONE), 0.0)
    return np.array([float(_ONE) if word == signal["value"] else 0.0 for word in held])


def _start(columns, count):
    start = _PLAN["start"]
    if start["kind"] == "constant":
        return np.full(count, start["units"], dtype=np.int64)
    name, scale = start["column"], start.get("scale", "probability")
    array = columns[name]
    if scale == "probability" and array.dtype.kind == "b":
        scores = array.astype(np.float64)
    elif scale == "probability" and array.dtype.kind == "O":
        scores = _numbers({"name": name}, _objects([int(v) if _is_flag(v) else v for v in array]))
    else:
        scores = _numbers({"name": name}, array)
    if np.isnan(scores).any():
        raise FeatureBoostError("FB_MISSING_VALUE", f'column "{name}": the score to correct is missing.')
    if scale == "logit":
        odds = _exp(np.clip(scores, -32.0, 32.0))
        scores = odds / (1 + odds)
    elif scale == "percent":
        scores = scores / 100
    if ((scores < 0) | (scores > 1)).any():
        raise FeatureBoostError("FB_PREDICTION_RANGE", f'column "{name}": a score that is none.')
    return _round(scores * _ONE).astype(np.int64)


def _round(x):
    """Halves go up."""
    low = np.floor(x)
    return low + (x - low >= 0.5)


# ---- exp and ln, from additions, multiplications and divisions: the same to the bit everywhere ----

_LN2_HIGH, _LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10
_EXPONENTIAL = [1 / math.factorial(power) for power in range(13, -1, -1)]
_LOGARITHM = [2 / power for power in range(19, 0, -2)]


def _polynomial(coefficients, x):
    total = np.full(np.shape(x), coefficients[0])
    for coefficient in coefficients[1:]:
        total = total * x + coefficient
    return total


def _exp(x):
    k = np.floor(x * 1.4426950408889634 + 0.5)
    rest = x - k * _LN2_HIGH - k * _LN2_LOW
    return _polynomial(_EXPONENTIAL, rest) * np.ldexp(1.0, k.astype(np.int64))


def _ln(units):
    half, exponent = np.frexp(units)
    mantissa, exponent = half * 2, exponent - 1
    large = mantissa > 1.4142135623730951
    mantissa = np.where(large, mantissa / 2, mantissa)
    exponent = np.where(large, exponent + 1, exponent)
    s = (mantissa - 1) / (mantissa + 1)
    scale = (exponent - 24).astype(np.float64)
    return scale * _LN2_HIGH + (scale * _LN2_LOW + _polynomial(_LOGARITHM, s * s) * s)


def _move_odds(prediction, step):
    odds = prediction * _exp(step / _ONE)
    return np.floor((_ONE * odds) / (odds + (_ONE - prediction)) + 0.5)


# ---- trees ----


class _Trees:
    """Trees as arrays; each split is asked once, whatever the number of trees that ask it."""

    def __init__(self, trees):
        self.splits, self.depth = [], 0
        self.places, self.split, self.yes, self.no, self.leaf = {}, [], [], [], []
        self.roots = np.array([self._add(tree, 0) for tree in trees], dtype=np.int64)
        self.split, self.yes, self.no, self.leaf = (
            np.array(each, dtype=np.int64) for each in (self.split, self.yes, self.no, self.leaf)
        )

    def _add(self, tree, depth):
        node = len(self.split)
        for each in (self.split, self.yes, self.no, self.leaf):
            each.append(0)
        if "leaf" in tree:
            self.depth = max(self.depth, depth)
            self.yes[node] = self.no[node] = node
            self.leaf[node] = tree["leaf"]
            return node
        key = json.dumps(tree["split"], sort_keys=True)
        if key not in self.places:
            self.places[key] = len(self.splits)
            self.splits.append(tree["split"])
        self.split[node] = self.places[key]
        self.yes[node] = self._add(tree["yes"], depth + 1)
        self.no[node] = self._add(tree["no"], depth + 1)
        return node

    def leaves(self, bins, prediction):
        """The number of the leaf of each row in each tree."""
        count = len(prediction)
        answers = np.zeros((count, max(1, len(self.splits))), dtype=bool)
        for at, split in enumerate(self.splits):
            answers[:, at] = _takes_yes(split, bins, prediction)
        node = np.broadcast_to(self.roots, (count, len(self.roots)))
        rows = np.arange(count)[:, None]
        for _ in range(self.depth):
            node = np.where(answers[rows, self.split[node]], self.yes[node], self.no[node])
        return self.leaf[node]


def _takes_yes(split, bins, prediction):
    if split["kind"] == "below":
        return prediction < split["units"]
    own = bins[split["feature"]]
    missing = _missing_bin(_PLAN["features"][split["feature"]])
    if split["kind"] == "missing":
        return own == missing
    if split["kind"] == "in":
        return np.isin(own, split["bins"])
    return np.where(own == missing, split["missing"], own <= split["bin"])


# ---- updates ----


def _level(prediction, levels):
    return np.minimum(prediction * levels // _ONE, levels - 1)


def _clip(units):
    return np.clip(units, 0, _ONE).astype(np.int64)


def _table(update):
    trees = _Trees([update["tree"]])
    values, levels = np.array(update["values"], dtype=np.int64), update["levels"]

    def move(bins, _signals, prediction):
        leaf = trees.leaves(bins, prediction)[:, 0]
        return _clip(prediction + values[leaf * levels + _level(prediction, levels)])

    return move


def _linear(update):
    levels, chosen = update["levels"], update["signals"]
    coefficients = np.array(update["coefficients"], dtype=np.float64).reshape(levels, len(chosen))

    def move(_bins, signals, prediction):
        level = _level(prediction, levels)
        total = np.zeros(len(prediction))
        for at, signal in enumerate(chosen):
            total = total + coefficients[level, at] * signals[signal]
        return _clip(prediction + _round(total))

    return move


def _forest(update):
    trees = _Trees([each["tree"] for each in update["trees"]])
    longest = max([1, *(len(each["steps"]) for each in update["trees"])])
    steps = np.zeros((len(update["trees"]), longest), dtype=np.int64)
    for at, each in enumerate(update["trees"]):
        steps[at, : len(each["steps"])] = each["steps"]
    order = np.arange(len(update["trees"]))
    clip, scale = update["clip"], update.get("scale")

    def move(bins, _signals, prediction):
        step = steps[order, trees.leaves(bins, prediction)].sum(axis=1)
        inside = np.clip(prediction, clip, _ONE - clip)
        if update.get("link") == "identity":
            return _clip(inside + step)
        step = np.clip(step, -_MAX_STEP, _MAX_STEP)
        if scale is not None:
            logit = np.floor((_ln(inside.astype(float)) - _ln((_ONE - inside).astype(float))) * _ONE + 0.5)
            step = np.clip(np.floor((scale * (logit + step)) / _ONE + 0.5), -_MAX_STEP, _MAX_STEP)
            inside = np.full(len(prediction), _ONE // 2)
        return _move_odds(inside.astype(np.float64), step.astype(np.float64)).astype(np.int64)

    return move


def _curve(update):
    places, lands = (np.array(update[key], dtype=np.int64) for key in ("from", "to"))

    def move(_bins, _signals, prediction):
        low = np.minimum(np.searchsorted(places, prediction, side="right") - 1, len(places) - 2)
        width = places[low + 1] - places[low]
        rise = (lands[low + 1] - lands[low]) * (prediction - places[low])
        return lands[low] + (2 * rise + width) // (2 * width)

    return move


def _polynomial_update(update):
    trees, degree = _Trees([update["tree"]]), update["degree"]
    values = np.array(update["values"], dtype=np.float64).reshape(-1, degree + 1)

    def move(bins, _signals, prediction):
        own = values[trees.leaves(bins, prediction)[:, 0]]
        u = prediction / _ONE
        total = own[:, degree]
        for power in range(degree - 1, -1, -1):
            total = total * u + own[:, power]
        return _clip(prediction + np.floor(total + 0.5))

    return move


_MOVERS = [
    {"table": _table, "linear": _linear, "forest": _forest, "curve": _curve, "polynomial": _polynomial_update}[
        update["kind"]
    ](update)
    for update in _PLAN["updates"]
]


def _most_trees():
    return max([1, *(len(update.get("trees", ())) for update in _PLAN["updates"])])


def _score(columns, count):
    values, bins = {}, []
    for feature in _PLAN["features"]:
        held, own = _read(feature, columns[feature["name"]])
        values[feature["name"]] = held
        bins.append(own)
    signals = [_signal(signal, values, count) for signal in _PLAN["signals"]]
    prediction = _start(columns, count)
    for move in _MOVERS:
        prediction = move(bins, signals, prediction)
    rounding = _PLAN.get("rounding")
    if rounding is not None:
        prediction = np.array(rounding["values"], dtype=np.int64)[_level(prediction, rounding["bins"])]
    return prediction
