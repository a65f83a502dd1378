"""Platt scaling: scikit-learn's sigmoid calibration of the log-odds of the score."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator

# Log-odds of 0 and 1 are infinite; these are as far as they go.
NEAREST = 1e-6


class LogOdds(ClassifierMixin, BaseEstimator):
    """A classifier whose one feature is the probability."""

    def fit(self, X, y):
        self.classes_ = np.array([0.0, 1.0])
        self.n_features_in_ = 1
        return self

    def decision_function(self, X):
        p = np.clip(X[:, 0], NEAREST, 1 - NEAREST)
        return np.log(p / (1 - p))

    def predict(self, X):
        return (self.decision_function(X) > 0).astype(float)


def load(case, part):
    return case.score(part)[:, None], case.label(part)


def fit(rows, settings, threads):
    score, label = rows
    frozen = FrozenEstimator(LogOdds().fit(score, label))
    # One fold would leave rows out; a frozen estimator is calibrated on all of them.
    return CalibratedClassifierCV(frozen, method="sigmoid", ensemble=False).fit(score, label)


def predict(model, rows):
    return model.predict_proba(rows[0])[:, 1]
