"""Models of MCGrad and calibrations of scikit-learn, and what they themselves predict for rows with values that no model likes.

originals.py ROWS FOLDER writes FOLDER/cases.json: a list of {name, file, options, rows, predictions}. Started by scripts/check-import.ts.
"""

import json
import logging
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from mcgrad import methods
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

CATEGORICAL, NUMERICAL = ["region", "sex", "code"], ["age", "income"]


def make(count, seed):
    random = np.random.default_rng(seed)
    region = random.choice(["north", "sud-ouest", "l'est", 'gr"öße', "a\nb"], count).astype(object)
    income = np.exp(random.normal(10, 1, count)).round(2)
    income[random.random(count) < 0.1] = np.nan
    code = random.integers(0, 40, count)
    age = random.integers(18, 80, count).astype(float)
    score = np.clip(random.beta(2, 5, count), 1e-6, 1 - 1e-6)
    logit = np.log(score / (1 - score)) + 0.8 * ((region == "north") & (age < 35)) - 0.7 * (code % 3 == 0)
    label = (random.random(count) < 1 / (1 + np.exp(-logit - 0.5 * np.isnan(income)))).astype(int)
    columns = {"region": region, "sex": random.choice(["F", "M"], count).astype(object), "code": code.astype(object)}
    return pd.DataFrame({**columns, "age": age, "income": income, "score": score, "label": label})


def unlike(count, seed):
    """Missing values, categories that no model has seen, scores at the ends."""
    random = np.random.default_rng(seed)
    rows = make(count, seed + 1)
    some = lambda share: random.random(count) < share
    rows.loc[some(0.05), "age"] = np.nan
    for name, other in (("region", "never"), ("sex", "X"), ("code", 99)):
        rows.loc[some(0.05), name] = other
        rows.loc[some(0.05), name] = None
    ends = [0, 1, 1e-9, 1 - 1e-9, 2**-24, 1 - 2**-24, 0.5]
    rows.loc[: len(ends) - 1, "score"] = ends
    return rows


def mcgrad(rows, rounds, trees, **params):
    model = methods.MCGrad(
        early_stopping=False, num_rounds=rounds, lightgbm_params={"num_threads": 1, "n_estimators": trees}, **params
    )
    model.fit(make(8000, 1), "score", "label", None, CATEGORICAL, NUMERICAL)
    # As its own reader has it, and not as it is in memory.
    text = model.serialize()
    predictions = methods.MCGrad.deserialize(text).predict(rows, "score", CATEGORICAL, NUMERICAL)
    return text, predictions


def scikit(rows, estimator, method):
    train = make(8000, 3)
    features = lambda frame: np.c_[frame["age"].fillna(40), frame["income"].fillna(0) / 1e5, frame["score"]]
    calibrated = CalibratedClassifierCV(estimator, method=method, ensemble=False, cv=3).fit(features(train), train["label"])
    pair = calibrated.calibrated_classifiers_[0]
    one = pair.calibrators[0]
    known = (
        {"isotonic": {"x": one.X_thresholds_.tolist(), "y": one.y_thresholds_.tolist()}}
        if method == "isotonic"
        else {"sigmoid": {"a": float(one.a_), "b": float(one.b_)}}
    )
    on_logits = hasattr(pair.estimator, "decision_function")
    scores = pair.estimator.decision_function if on_logits else lambda each: pair.estimator.predict_proba(each)[:, 1]
    scored = pd.DataFrame({"score": scores(features(rows))})
    predictions = calibrated.predict_proba(features(rows))[:, 1]
    return json.dumps(known), scored, predictions, {"scale": "logit"} if on_logits else {}


def as_rows(frame):
    return json.loads(frame.to_json(orient="records", double_precision=15))


def main(count, folder):
    logging.disable(logging.WARNING)
    rows = unlike(count, 7)
    # JSON has 15 digits of a number; both sides see the same.
    for name in ("score", "income"):
        rows[name] = [None if pd.isna(value) else float(f"{value:.15g}") for value in rows[name]]
    rows[["score", "income"]] = rows[["score", "income"]].astype(float)
    columns = ["score", *CATEGORICAL, *NUMERICAL]
    listed = [
        {name: (None if pd.isna(value) else value) for name, value in row.items()} for row in rows[columns].to_dict("records")
    ]
    cases = []
    for name, rounds, trees, params in (("usual", 3, 94, {}), ("long", 8, 40, {}), ("monotone", 2, 60, {"monotone_t": True}), ("small", 2, 12, {})):
        text, predictions = mcgrad(rows, rounds, trees, **params)
        cases.append({"name": f"mcgrad {name}", "file": text, "options": {}, "rows": listed, "predictions": predictions.tolist()})
    for title, estimator in (
        ("logistic", LogisticRegression(max_iter=1000)),
        ("forest", RandomForestClassifier(20, min_samples_leaf=20, random_state=1)),
    ):
        for method in ("isotonic", "sigmoid"):
            text, scored, predictions, options = scikit(rows, estimator, method)
            listed_scores = [{"score": float(value)} for value in scored["score"]]
            cases.append(
                {"name": f"{method} {title}", "file": text, "options": options, "rows": listed_scores, "predictions": predictions.tolist()}
            )
    Path(folder, "cases.json").write_text(json.dumps(cases), encoding="utf-8")


main(int(sys.argv[1]), sys.argv[2])
