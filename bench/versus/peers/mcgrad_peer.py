"""MCGrad. The settings go to LightGBM on top of MCGrad's own; none are its defaults."""

import numpy as np
import pandas as pd
from mcgrad import methods


def load(case, part):
    columns, label = case.part(part)
    frame = {}
    for feature in case.features:
        values = columns[feature["name"]]
        if feature["kind"] == "category":
            names = np.array([*feature["categories"], None], dtype=object)
            values = names[values.astype(int)]
        frame[feature["name"]] = values
    # The names of the two cannot meet those of columns.
    frame[" label"], frame[" score"] = label, case.score(part)
    return pd.DataFrame(frame), case.categorical, case.numerical


def columns_of(rows):
    return {"categorical_feature_column_names": rows[1], "numerical_feature_column_names": rows[2]}


def fit(rows, settings, threads):
    model = methods.MCGrad(lightgbm_params={"num_threads": threads, **settings})
    model.fit(rows[0], " score", " label", **columns_of(rows))
    return model


def predict(model, rows):
    return model.predict(rows[0], " score", **columns_of(rows))


def notes(model):
    return {"rounds": int(model.num_rounds_trained)}
