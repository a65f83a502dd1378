"""Frames as Parquet files, which is how rows get to the command line."""

import os
import tempfile
from contextlib import contextmanager

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet

from ._command import FeatureBoostError


def as_table(frame):
    """A pyarrow Table of a pandas or polars DataFrame, a pyarrow Table, or a dict with a sequence for every column."""
    if isinstance(frame, pa.Table):
        table = frame
    elif hasattr(frame, "to_arrow"):  # polars
        table = frame.to_arrow()
    elif hasattr(frame, "iloc"):  # pandas
        table = pa.Table.from_pandas(frame, preserve_index=False)
    elif isinstance(frame, dict):
        table = pa.table({str(name): _array_of(column) for name, column in frame.items()})
    else:
        raise FeatureBoostError(
            "FB_ARGUMENT",
            f"FB_ARGUMENT: the frame is {type(frame).__name__}. Expected a pandas or polars DataFrame, a pyarrow Table, or a dict.",
        )
    plain = [_plain(column) for column in table.columns]
    return pa.table(plain, names=[str(name) for name in table.column_names])


def _array_of(column):
    return column if isinstance(column, (pa.Array, pa.ChunkedArray)) else pa.array(np.asarray(column))


def _plain(column):
    """Categories as their values."""
    if pa.types.is_dictionary(column.type):
        return column.cast(column.type.value_type)
    return column


@contextmanager
def parquet_file(frame):
    """The path of a file with the rows, in a folder of its own that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="featureboost-") as folder:
        path = os.path.join(folder, "rows.parquet")
        parquet.write_table(as_table(frame), path)
        yield path
