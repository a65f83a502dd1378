"""The originals of our baselines on small rows.

    python parity.py input.json output.json

Input: {data: {name: {weighted, fitted, unseen}}, asked: [{original, data}]}, with lists of rows. Output: {versions,
predictions}, the predictions of the unseen rows for every entry of `asked`. An original is a function of this file that takes
the fitted and the unseen rows as data frames, and says what it predicts for the latter.
"""

import contextlib
import io
import json
import logging
import os
import sys
import warnings
from importlib.metadata import version

import numpy as np
import pandas as pd

warnings.simplefilter("ignore")
logging.disable(logging.WARNING)

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "peers"))

import jin
import lightgbm
from mcgrad import methods as mcgrad
from multicalibration import MulticalibrationPredictor
from scipy.optimize import minimize_scalar
from scipy.special import expit, logit
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder

CATEGORICAL, NUMERICAL = ["region", "member"], ["age"]


def group_columns(rows):
    """A column of 0 and 1 for every region, and for members and all others; the order is that of our groups."""
    columns = [rows["region"] == region for region in sorted(rows["region"].unique())]
    columns += [rows["member"] == value for value in (False, True)]
    return np.column_stack(columns).astype(int)


def sklearn_isotonic(fitted, unseen):
    model = IsotonicRegression(out_of_bounds="clip")
    return model.fit(fitted["score"], fitted["label"], fitted["weight"]).predict(unseen["score"])


def sklearn_platt(fitted, unseen):
    features = [logit(rows["score"]).to_numpy()[:, None] for rows in (fitted, unseen)]
    model = LogisticRegression(penalty=None, tol=1e-12, max_iter=10_000, solver="newton-cholesky")
    model.fit(features[0], fitted["label"], fitted["weight"])
    return model.predict_proba(features[1])[:, 1]


def scipy_temperature(fitted, unseen):
    z, y, w = logit(fitted["score"]), fitted["label"], fitted["weight"]

    def loss(factor):
        return (w * (np.logaddexp(0, factor * z) - y * factor * z)).sum() / w.sum()

    factor = minimize_scalar(loss, bounds=(1e-8, 50), method="bounded", options={"xatol": 1e-12}).x
    return expit(factor * logit(unseen["score"]))


def sklearn_histogram(fitted, unseen):
    bins = KBinsDiscretizer(10, encode="ordinal", quantile_method="linear", subsample=None)
    places = bins.fit_transform(fitted[["score"]])[:, 0]
    means = np.array([fitted["label"][places == place].mean() for place in range(10)])
    # Between two bins our cut is halfway, as an interpolated quantile seldom is: unseen scores are placed by ours.
    order = np.sort(fitted["score"])
    cuts = (order[99:-1:100] + order[100::100]) / 2
    return means[np.searchsorted(cuts, unseen["score"], side="right")]


def sklearn_platt_features(fitted, unseen):
    encoder = OneHotEncoder(sparse_output=False).fit(fitted[CATEGORICAL])
    thirds = KBinsDiscretizer(3, encode="onehot-dense", quantile_method="linear", subsample=None)
    thirds.fit(fitted[NUMERICAL])

    def features(rows):
        return np.column_stack(
            [logit(rows["score"]), encoder.transform(rows[CATEGORICAL]), thirds.transform(rows[NUMERICAL])]
        )

    model = LogisticRegression(C=0.1, tol=1e-12, max_iter=10_000)
    model.fit(features(fitted), fitted["label"], fitted["weight"])
    return model.predict_proba(features(unseen))[:, 1]


def calibrated(model, fitted, unseen):
    """One of MCGrad's calibrators."""
    columns = {
        "categorical_feature_column_names": CATEGORICAL,
        "numerical_feature_column_names": NUMERICAL,
    }
    model.fit(fitted, "score", "label", "weight", **columns)
    return model.predict(unseen, "score", **columns)


def mcgrad_isotonic(fitted, unseen):
    return calibrated(mcgrad.IsotonicRegression(), fitted, unseen)


def mcgrad_platt(fitted, unseen):
    return calibrated(mcgrad.PlattScaling(), fitted, unseen)


def mcgrad_platt_features(fitted, unseen):
    return calibrated(mcgrad.PlattScalingWithFeatures(), fitted, unseen)


def mcgrad_round(fitted, unseen):
    """One round on all rows, without cross-validation."""
    return calibrated(mcgrad.MCGrad(early_stopping=False, num_rounds=1), fitted, unseen)


def mcgrad_whole(fitted, unseen):
    return calibrated(mcgrad.MCGrad(), fitted, unseen)


def jin_rows(rows):
    score = rows["score"].to_numpy()
    return np.column_stack([group_columns(rows), score]), score, rows["label"].to_numpy()


def jin_lightgbm(fitted, unseen):
    """The recipe of the benchmark, ../peers/jin.py."""
    model = jin.fit(jin_rows(fitted), {"learningRate": 0.0316, "subsample": 0.7}, 1)
    return jin.predict(model, jin_rows(unseen))


def jin_every_row(fitted, unseen):
    """Its trees, 200 of them, without rows held apart or left out."""
    features, score, label = jin_rows(fitted)
    parameters = {
        "objective": "regression",
        "max_depth": 2,
        "learning_rate": 0.0316,
        "max_bin": 8192,
        "min_data_in_bin": 1,
        "num_threads": 1,
        "deterministic": True,
        "verbosity": -1,
    }
    model = lightgbm.train(parameters, lightgbm.Dataset(features, label, init_score=score), num_boost_round=200)
    return jin.predict(model, jin_rows(unseen))


def multicalibrated(algorithm, parameters, fitted, unseen):
    """An algorithm of the package multicalibration. It wants row numbers of groups; everyone is one of them, as with us."""

    def groups(rows):
        return [list(range(len(rows)))] + [np.flatnonzero(column).tolist() for column in group_columns(rows).T]

    model = MulticalibrationPredictor(algorithm)
    with contextlib.redirect_stderr(io.StringIO()):
        model.fit(
            fitted["score"].to_numpy(), fitted["label"].to_numpy(dtype=float), groups(fitted), parameters
        )
        return model.predict(unseen["score"].to_numpy(), groups(unseen))


def multicalibration_hkrr(fitted, unseen):
    """The parameters of its README, but for the order of groups and bins, which is random there."""
    parameters = {"alpha": 0.1, "lambda": 0.1, "max_iter": 100, "randomized": False, "use_oracle": False}
    return multicalibrated("HKRR", parameters, fitted, unseen)


def multicalibration_hjz(fitted, unseen):
    parameters = {
        "algorithm": "Hedge",
        "other_algorithm": "None",
        "lr": 0.9,
        "other_lr": 0.9,
        "n_bins": 10,
        "iterations": 30,
    }
    return multicalibrated("HJZ", parameters, fitted, unseen)


def main():
    with open(sys.argv[1]) as file:
        given = json.load(file)
    frames = {
        name: [pd.DataFrame(data[part]) for part in ("fitted", "unseen")] for name, data in given["data"].items()
    }
    predictions = [
        np.asarray(globals()[entry["original"]](*[frame.copy() for frame in frames[entry["data"]]])).tolist()
        for entry in given["asked"]
    ]
    names = ["scikit-learn", "MCGrad", "lightgbm", "multicalibration", "scipy", "numpy"]
    with open(sys.argv[2], "w") as file:
        json.dump({"versions": {name: version(name) for name in names}, "predictions": predictions}, file)


main()
