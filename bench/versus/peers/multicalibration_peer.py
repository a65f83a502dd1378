"""HKRR and HJZ of the PyPI package `multicalibration`."""

import contextlib
import io

import numpy as np
from multicalibration import MulticalibrationPredictor


class Group(list):
    """Row numbers. The package asks `row in group` for every row and group, which takes a list a pass each time; answered
    from a set the predictions are the same, and the package is not timed on a slip that is easily mended."""

    def __init__(self, rows):
        super().__init__(rows)
        self.known = set(rows)

    def __contains__(self, row):
        return row in self.known


def load(case, part):
    everyone = Group(range(case.row_counts[part]))
    groups = [Group(np.flatnonzero(column).tolist()) for column in case.group_columns(part)]
    return case.score(part), case.label(part), [everyone, *groups]


def fit(rows, settings, threads):
    score, label, groups = rows
    model = MulticalibrationPredictor(settings["algorithm"])
    with contextlib.redirect_stderr(io.StringIO()):
        model.fit(score, label, groups, settings["parameters"])
    return model


def predict(model, rows):
    score, _, groups = rows
    with contextlib.redirect_stderr(io.StringIO()):
        return np.clip(model.predict(score, groups), 0, 1)
