"""Probabilities that are right for every group.

    import featureboost
    model = featureboost.fit(frame, label="defaulted", prediction="score")
    corrected = model.predict(new_frame)

`fit` and `audit` run the featureboost command line (npm package `featureboost`, Node 20.19 or newer). `Model.predict` needs numpy alone.
"""

from ._command import FeatureBoostError
from ._model import Model
from ._run import Audit, audit, fit

__all__ = ["Audit", "FeatureBoostCalibrator", "FeatureBoostError", "Model", "audit", "fit"]
__version__ = "0.1.0"


def __getattr__(name):
    # scikit-learn is loaded when it is asked for.
    if name == "FeatureBoostCalibrator":
        from .calibrator import FeatureBoostCalibrator

        return FeatureBoostCalibrator
    raise AttributeError(f"module 'featureboost' has no attribute {name!r}")
