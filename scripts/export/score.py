"""Scores the cases of scripts/check-export.ts with the exported Python files and ONNX graphs, and compares with what the library says.

    python score.py FOLDER

FOLDER has a folder for each case: model.py, model.onnx, rows.parquet and expected.json, the predictions in units.
"""

import importlib.util
import json
import pathlib
import sys

import numpy as np
import onnxruntime
import pandas
import polars
import pyarrow.parquet

UNIT = 2**24


def load(path):
    spec = importlib.util.spec_from_file_location("model", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def frames_of(path, row_limit=2000):
    table = pyarrow.parquet.read_table(path)
    yield "pyarrow", table
    yield "pandas", table.to_pandas()
    yield "pandas with its own types", table.to_pandas(types_mapper=nullable)
    yield "polars", polars.read_parquet(path)
    head = table.slice(0, row_limit)
    yield "a dict of lists", {name: head[name].to_pylist() for name in head.column_names}


def nullable(kind):
    names = {"bool": pandas.BooleanDtype(), "string": pandas.StringDtype(), "double": pandas.Float64Dtype()}
    return names.get(str(kind))


def inputs_of(module, table):
    """What docs/export.md asks of whoever feeds the graph."""
    inputs = {}
    for feature in module._PLAN["features"]:
        array = module._array_of(table[feature["name"]])
        if feature["kind"] == "categorical":
            words = [word or "" for word in module._words_of(feature, array)]
            inputs[feature["name"]] = np.array(words, dtype=object)
            continue
        held, _ = module._read(feature, array)
        numbers = np.where(held == 2, np.nan, held) if feature["kind"] == "boolean" else held
        inputs[feature["name"]] = np.asarray(numbers, dtype=np.float64)
    if module._PLAN["start"]["kind"] == "column":
        name = module._PLAN["start"]["column"]
        inputs[name] = table[name].to_numpy().astype(np.float64)
    return inputs


def differing(found, expected):
    rows = np.flatnonzero(found != expected[: len(found)])
    return [(int(row), float(found[row]), int(expected[row])) for row in rows[:3]]


def main(folder):
    failures = 0
    for case in sorted(path for path in pathlib.Path(folder).iterdir() if path.is_dir()):
        expected = np.array(json.loads((case / "expected.json").read_text()))
        module = load(case / "model.py")
        for kind, frame in frames_of(case / "rows.parquet"):
            wrong = differing(module.predict(frame) * UNIT, expected)
            if wrong:
                failures += 1
                print(f"{case.name}, Python, {kind}: {wrong}")
        table = pyarrow.parquet.read_table(case / "rows.parquet")
        row = {name: table[name][0].as_py() for name in table.column_names}
        if module.predict_row(row) * UNIT != expected[0]:
            failures += 1
            print(f"{case.name}, Python, one row")
        if (case / "model.onnx").exists():
            session = onnxruntime.InferenceSession(case / "model.onnx", providers=["CPUExecutionProvider"])
            wrong = differing(session.run(None, inputs_of(module, table))[0] * UNIT, expected)
            if wrong:
                failures += 1
                print(f"{case.name}, ONNX in Python: {wrong}")
    return failures


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1]) else 0)
