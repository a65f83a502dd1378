"""The arrays of a case, as bench/versus/arrays.ts writes them."""

import json
import os

import numpy as np


class Case:
    def __init__(self, prepared, scores=None):
        with open(os.path.join(prepared, "case.json"), encoding="utf-8") as file:
            facts = json.load(file)
        self.folder = prepared
        self.scores = scores
        self.features = facts["features"]
        self.names = [feature["name"] for feature in self.features]
        self.categorical = [f["name"] for f in self.features if f["kind"] == "category"]
        self.numerical = [f["name"] for f in self.features if f["kind"] == "number"]
        self.groups = facts["groups"]
        self.row_counts = facts["rowCounts"]

    def part(self, name):
        """The columns by name, and the label."""
        rows = self.row_counts[name]
        table = np.fromfile(os.path.join(self.folder, f"{name}.f64")).reshape(len(self.names) + 1, rows)
        return dict(zip(self.names, table)), table[-1]

    def label(self, name):
        return self.part(name)[1]

    def score(self, name):
        return np.fromfile(os.path.join(self.scores, f"{name}.f64"))

    def group_columns(self, name):
        """One row of 0 and 1 for each group."""
        path = os.path.join(self.folder, f"{name}.groups.u8")
        return np.fromfile(path, dtype=np.uint8).reshape(len(self.groups), self.row_counts[name])
