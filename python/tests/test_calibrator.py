import numpy as np
from conftest import make_loans
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from featureboost import FeatureBoostCalibrator


@parametrize_with_checks([FeatureBoostCalibrator(LogisticRegression(), cv=2)])
def test_scikit_learn_agrees(estimator, check):
    check(estimator)


def test_groups_are_mended_that_the_classifier_does_not_see():
    train, test = make_loans(8000, 5), make_loans(20_000, 6)
    columns_of = lambda frame: frame[["age", "score"]].assign(south=(frame.region == "south").astype(int))
    plain = make_pipeline(StandardScaler(), LogisticRegression())
    classifier = FeatureBoostCalibrator(plain).fit(columns_of(train), train.defaulted)
    group = ((test.region == "south") & (test.age < 40)).to_numpy()
    alone = classifier.estimator_.predict_proba(columns_of(test))[:, 1]
    corrected = classifier.predict_proba(columns_of(test))
    outcome = test.defaulted.to_numpy()
    assert abs((outcome - corrected[:, 1])[group].mean()) < abs((outcome - alone)[group].mean())
    assert np.allclose(corrected.sum(axis=1), 1)


def test_columns_of_words_stay_words():
    frame = make_loans(3000, 7)
    # Truth values beside categories: scikit-learn would make numbers of both.
    X = frame[["region", "age"]].astype({"region": "category"}).assign(young=frame.age < 30)
    X.loc[::7, "age"] = None
    boosted = HistGradientBoostingClassifier(categorical_features="from_dtype", max_iter=20)
    classifier = FeatureBoostCalibrator(boosted, cv=3).fit(X, frame.defaulted.map({0: "no", 1: "yes"}))
    assert set(classifier.predict(X)) <= {"no", "yes"}
    kinds = {each["name"]: each["kind"] for each in classifier.model_.data["encoding"]["features"]}
    assert kinds == {"region": "categorical", "age": "numeric", "young": "boolean"}
