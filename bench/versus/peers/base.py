"""Fits a base model on the base rows and scores the calibration and the test rows.

    python base.py request.json

poor: logistic regression on the raw columns; numbers standardized, with missing ones marked and set to the mean, categories
one-hot. strong: LightGBM's classifier as it comes.
"""

import json
import os
import sys
import warnings

import lightgbm
import numpy as np
from case import Case
from scipy import sparse
from sklearn.linear_model import LogisticRegression

warnings.simplefilter("ignore")


def design(case, columns, statistics):
    blocks = []
    for feature in case.features:
        values = columns[feature["name"]]
        if feature["kind"] == "number":
            mean, scale = statistics[feature["name"]]
            missing = np.isnan(values)
            blocks.append(np.where(missing, 0, (values - mean) / scale)[:, None])
            blocks.append(missing.astype(float)[:, None])
        else:
            codes = values.astype(int)
            rows, width = len(codes), len(feature["categories"]) + 1
            blocks.append(sparse.csr_matrix((np.ones(rows), (np.arange(rows), codes + 1)), (rows, width)))
    return sparse.hstack([sparse.csr_matrix(block) for block in blocks], format="csr")


def poor(case, request):
    columns, label = case.part("base")
    statistics = {}
    for name in case.numerical:
        present = columns[name][~np.isnan(columns[name])]
        scale = present.std() if len(present) else 0
        statistics[name] = (present.mean() if len(present) else 0, scale or 1)
    model = LogisticRegression(max_iter=2000).fit(design(case, columns, statistics), label)
    return lambda part: model.predict_proba(design(case, case.part(part)[0], statistics))[:, 1]


def strong(case, request):
    def matrix(part):
        return np.column_stack([case.part(part)[0][name] for name in case.names])

    model = lightgbm.LGBMClassifier(
        random_state=request["seed"], n_jobs=request["threads"], deterministic=True, verbosity=-1
    )
    categories = [index for index, f in enumerate(case.features) if f["kind"] == "category"]
    model.fit(matrix("base"), case.label("base"), categorical_feature=categories)
    return lambda part: model.predict_proba(matrix(part))[:, 1]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        request = json.load(file)
    case = Case(request["prepared"])
    score = {"poor": poor, "strong": strong}[request["base"]](case, request)
    for part in ("calibration", "test"):
        score(part).astype(np.float64).tofile(os.path.join(request["out"], f"{part}.f64"))


main()
