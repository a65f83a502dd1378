"""Writes tables as Parquet: by pyarrow with types that are given, the same with text where there is a choice, and by pandas as most
people do.

Reads one JSON document per line from stdin: {"arrow": path, "text": path, "pandas": path, "columns": [{"name", "kind", "cells"}]}.
"""

import datetime
import json
import sys

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
    kind, cells = column["kind"], column["cells"]
    if kind not in READ:
        return cells
    return [None if cell is None else READ[kind](padded(cell)) for cell in cells]


def padded(cell):
    """Python 3.10 reads fractions of three or six digits only."""
    if "." not in cell:
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


def text_array(column):
    """As files have it whose writers did not mind types."""
    if column["kind"] not in ("bool", "date", "moment", "zoned", "time", "empty"):
        return arrow_array(column)
    return pa.array([None if cell is None else str(cell) for cell in column["cells"]], type=pa.string())


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
    names = [column["name"] for column in columns]
    texts = pa.Table.from_arrays([text_array(column) for column in columns], names=names)
    arrow = pa.Table.from_arrays([arrow_array(column) for column in columns], names=names)
    pq.write_table(texts, table["text"])
    pq.write_table(arrow, table["arrow"])
    pd.DataFrame({column["name"]: series(column) for column in columns}).to_parquet(table["pandas"], index=False)
