"""scikit-learn's isotonic regression of the label on the score."""

from sklearn.isotonic import IsotonicRegression


def load(case, part):
    return case.score(part), case.label(part)


def fit(rows, settings, threads):
    score, label = rows
    return IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(score, label)


def predict(model, rows):
    return model.predict(rows[0])
