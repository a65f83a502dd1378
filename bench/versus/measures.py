"""Scores data sets with the peers: scikit-learn, MCGrad, relplot.

    python measures.py input.json output.json

Input: a list of {name, predictions, labels, weights?, columns?}. Output: {versions, results: {name: {...}}}. A measure is
left out where its peer cannot take the data: weights in relplot and calibration_curve, labels other than 0 and 1 in
scikit-learn, equal scores in MCGrad, whose answer would depend on the order of rows.
"""

import json
import logging
import sys
import warnings
from importlib.metadata import version

import numpy as np
import pandas as pd

warnings.simplefilter("ignore")
logging.disable(logging.WARNING)

import relplot
from mcgrad import metrics as mcgrad
from relplot.metrics import binnedECE
from sklearn.calibration import calibration_curve
from sklearn.metrics import average_precision_score, brier_score_loss, log_loss, roc_auc_score

BINS = 10
FIXED_WIDTH = 0.05
CAP = 300  # a multiple of 50, where MCGrad's cap is exact


def score(data):
    f = np.array(data["predictions"], dtype=np.float64)
    y = np.array(data["labels"], dtype=np.float64)
    w = None if data.get("weights") is None else np.array(data["weights"], dtype=np.float64)
    binary = bool(np.isin(y, [0, 1]).all())
    tied = len(np.unique(f)) < len(f)
    found = {}
    if binary:
        found["sklearn"] = score_sklearn(f, y, w, tied)
    if w is None:
        found["relplot"] = score_relplot(f, y)
    if not tied:
        found["mcgrad"] = score_mcgrad(f, y, w, binary)
        if data.get("columns") is not None:
            found["segments"] = score_segments(data, f, y, w)
    return found


def score_sklearn(f, y, w, tied):
    found = {
        "brier": brier_score_loss(y, f, sample_weight=w),
        "logLoss": log_loss(y, f, sample_weight=w, labels=[0, 1]),
        "auc": roc_auc_score(y, f, sample_weight=w),
        "prAuc": average_precision_score(y, f, sample_weight=w),
    }
    if w is None and not tied:
        for name, strategy in (("curveWidth", "uniform"), ("curveMass", "quantile")):
            labels, predictions = calibration_curve(y, f, n_bins=BINS, strategy=strategy)
            found[name] = {"labels": labels.tolist(), "predictions": predictions.tolist()}
    return found


def score_relplot(f, y):
    value, width = relplot.smECE(f, y, return_width=True)
    return {
        "smoothEce": value,
        "width": width,
        "atFixedWidth": relplot.smECE_sigma(f, y, FIXED_WIDTH),
        "ece": binnedECE(f, y, BINS),
    }


def score_mcgrad(f, y, w, binary):
    sigma = mcgrad.ecce_sigma(y, f, w)
    found = {"ecce": mcgrad.ecce(y, f, w), "ratio": sigma, "pValue": mcgrad.ecce_pvalue_from_sigma(sigma)}
    if not binary:
        frame = pd.DataFrame({"y": y, "f": f})
        regression = mcgrad.MulticalibrationError(
            frame, "y", "f", precision_dtype="float64", outcome_type="regression"
        )
        found["successiveRatio"] = regression.global_ecce_sigma
    return found


def score_segments(data, f, y, w):
    columns = data["columns"]
    frame = pd.DataFrame({"y": y, "f": f, **columns["categorical"], **columns["numerical"]})
    for name in columns["numerical"]:
        frame[name] = frame[name].astype(float)
    if w is not None:
        frame["w"] = w

    def measure(cap):
        return mcgrad.MulticalibrationError(
            frame,
            "y",
            "f",
            weight_column=None if w is None else "w",
            categorical_segment_columns=list(columns["categorical"]),
            numerical_segment_columns=list(columns["numerical"]),
            max_n_segments=cap,
            precision_dtype="float64",
        )

    every, capped = measure(None), measure(CAP)
    ratios = np.sort(np.asarray(every.segments_ecce_sigma))[::-1]
    return {
        "count": len(ratios),
        "sigma": every.mce_sigma,
        "value": every.mce,
        "relative": every.mce_relative,
        "pValue": every.mce_pvalue,
        "detectable": every.mde,
        "largestRatios": ratios[:20].tolist(),
        "sumOfRatios": ratios.sum(),
        "cappedSigma": capped.mce_sigma,
        "cappedSum": np.asarray(capped.segments_ecce_sigma).sum(),
    }


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    names = ["scikit-learn", "MCGrad", "relplot", "numpy", "pandas"]
    found = {
        "versions": {name: version(name) for name in names},
        "results": {each["name"]: score(each) for each in data},
    }
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(found, file, default=float)


main()
