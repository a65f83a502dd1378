"""Writes tables as Parquet, by pyarrow with types that are given, and by pandas as most people do.

Reads one JSON document per line from stdin: {"arrow": path, "pandas": path, "columns": [{"name", "kind", "cells"}]}.
"""

import datetime
import json
import sys
from decimal import Decimal

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

ARROW = {
    "int": pa.int64(),
    "float": pa.float64(),
    "single": pa.float32(),
    "big": pa.int64(),
    "bool": pa.bool_(),
    "text": pa.string(),
    "digits": pa.string(),
    "answer": pa.string(),
    "date": pa.date32(),
    "moment": pa.timestamp("us"),
    "zoned": pa.timestamp("us", tz="UTC"),
    "time": pa.time64("us"),
    "empty": pa.null(),
}

READ = {
    "big": int,
    "date": datetime.date.fromisoformat,
    "moment": datetime.datetime.fromisoformat,
    "zoned": datetime.datetime.fromisoformat,
    "time": datetime.time.fromisoformat,
}


def cells_of(column):
    read = READ.get(column["kind"], lambda value: value)
    return [None if cell is None else read(cell) for cell in column["cells"]]


def padded(cell):
    """Python 3.10 reads fractions of three or six digits only."""
    if not isinstance(cell, str) or "." not in cell:
        return cell
    head, rest = cell.split(".", 1)
    digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
    return f"{head}.{digits.ljust(6, '0')}{rest[len(digits):]}"


def arrow_array(column):
    cells = cells_of(column)
    array = pa.array(cells, type=ARROW[column["kind"]])
    # Words that repeat are often kept as a dictionary.
    if column["kind"] == "text" and len(cells) % 2 == 0:
        array = array.dictionary_encode()
    return array


def series(column):
    kind, cells = column["kind"], cells_of(column)
    if kind == "big":
        return pd.array(cells, dtype="Int64")
    if kind in ("date", "moment"):
        return pd.to_datetime(pd.Series(cells))
    if kind == "zoned":
        return pd.to_datetime(pd.Series(cells), utc=True)
    if kind == "int" or kind == "float":
        # A whole number beside a missing one becomes a double.
        return pd.Series(cells)
    if kind == "single":
        return pd.Series(cells, dtype="float32")
    if kind == "text" and len(cells) % 3 == 0:
        return pd.Series(cells, dtype="category")
    return pd.Series(cells, dtype="object")


for line in sys.stdin:
    table = json.loads(line)
    columns = table["columns"]
    for column in columns:
        if column["kind"] in READ:
            column["cells"] = [padded(cell) for cell in column["cells"]]
    names = [column["name"] for column in columns]
    arrow = pa.Table.from_arrays([arrow_array(column) for column in columns], names=names)
    pq.write_table(arrow, table["arrow"])
    pd.DataFrame({column["name"]: series(column) for column in columns}).to_parquet(table["pandas"], index=False)
