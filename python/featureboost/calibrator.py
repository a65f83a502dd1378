"""scikit-learn's interface: a classifier whose probabilities are right for every group that its columns describe."""

import numpy as np
import pyarrow as pa
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.utils import check_consistent_length, column_or_1d, get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ._run import fit

LABEL = "featureboost_label"
SCORE = "featureboost_score"
FEW_ROWS = 200
AS_THEY_ARE = {"dtype": None, "ensure_all_finite": "allow-nan"}


class FeatureBoostCalibrator(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Fits a classifier of two classes, and corrects its probabilities for every group.

    The correction learns from probabilities of rows that the classifier had not seen (`cv` folds), and the classifier itself is then
    fitted to all rows: as CalibratedClassifierCV does with `ensemble=False`.

    Parameters
    ----------
    estimator : classifier with `predict_proba`, or None for LogisticRegression
    cv : folds for the probabilities that the correction learns from
    options : dict or None
        Further options of `featureboost.fit`, such as {"epsilon": 0.02}. With fewer than 200 rows none are held out, unless said.
    """

    def __init__(self, estimator=None, *, cv=5, options=None):
        self.estimator = estimator
        self.cv = cv
        self.options = options

    def fit(self, X, y):
        checked, y = self._checked_to_fit(X, y)
        check_classification_targets(y)
        classes, labels = np.unique(y, return_inverse=True)
        if len(classes) != 2:
            raise ValueError(
                f"Only binary classification is supported: the classifier can be fitted to 2 classes, and y has {len(classes)} "
                f"{'class' if len(classes) == 1 else 'classes'}."
            )
        self.classes_ = classes
        estimator = self._estimator()
        unseen = cross_val_predict(clone(estimator), X, labels, cv=self._folds(labels), method="predict_proba")
        self.estimator_ = clone(estimator).fit(X, labels)
        frame = self._frame(X, checked, unseen[:, 1])
        frame[LABEL] = labels
        # So few rows leave none to hold out; the certificate is then about the rows of the fit alone.
        few = {"holdout": 0} if len(labels) < FEW_ROWS else {}
        self.model_ = fit(frame, LABEL, SCORE, **{**few, **(self.options or {})})
        return self

    def predict_proba(self, X):
        check_is_fitted(self)
        checked = self._checked(X)
        scores = self.estimator_.predict_proba(X)[:, 1]
        corrected = self.model_.predict(self._frame(X, checked, scores))
        return np.column_stack([1 - corrected, corrected])

    def predict(self, X):
        check_is_fitted(self)
        return self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]

    def _checked_to_fit(self, X, y):
        """Columns of a DataFrame stay as they are: there is no one type that categories and numbers could be made into."""
        if y is None or not hasattr(X, "iloc"):
            return validate_data(self, X, y, **AS_THEY_ARE)
        validate_data(self, X, y, skip_check_array=True)
        check_consistent_length(X, y)
        return X, column_or_1d(y, warn=True)

    def _checked(self, X):
        if not hasattr(X, "iloc"):
            return validate_data(self, X, reset=False, **AS_THEY_ARE)
        validate_data(self, X, reset=False, skip_check_array=True)
        return X

    def _estimator(self):
        return LogisticRegression() if self.estimator is None else self.estimator

    def _folds(self, labels):
        """No more folds than the rarer class has rows."""
        return max(2, min(self.cv, int(np.bincount(labels).min()))) if isinstance(self.cv, int) else self.cv

    def _frame(self, X, checked, scores):
        """Columns by name, as they came: categories stay categories."""
        if hasattr(X, "iloc"):  # pandas
            columns = {str(name): X[name] for name in X.columns}
            # In chunks, because an array alone with missing values does not become one of numpy.
            frame = {name: pa.chunked_array([_array_of(column)]) for name, column in columns.items()}
        else:
            frame = {f"x{index}": checked[:, index] for index in range(checked.shape[1])}
        return {**frame, SCORE: np.clip(scores, 0, 1)}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = get_tags(self._estimator()).input_tags.allow_nan
        return tags


def _array_of(column):
    found = pa.array(column, from_pandas=True)
    return found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found
