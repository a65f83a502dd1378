import pickle
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pytest
from conftest import ROOT, make_loans

import featureboost
from featureboost._command import find_command, flags_of

ZOO = ROOT / "packages/core/test/model/zoo"


def predicted_by_command(model, frame, folder):
    """What `featureboost predict` makes of the same rows."""
    model.save(folder / "model.fb.json")
    frame.to_parquet(folder / "rows.parquet")
    words = ["predict", str(folder / "rows.parquet"), "--model", str(folder / "model.fb.json")]
    subprocess.run([*find_command(), *words, "--out", str(folder / "out.parquet"), "--quiet"], check=True)
    return pd.read_parquet(folder / "out.parquet")["corrected"].to_numpy()


def test_a_fit_mends_the_group(model):
    fresh = make_loans(20_000, 2)
    group = (fresh.region == "south") & (fresh.age < 40)
    before = (fresh.defaulted - fresh.score)[group].mean()
    after = (fresh.defaulted - model.predict(fresh))[group].mean()
    assert before > 0.2
    assert abs(after) < 0.07


def test_predictions_are_those_of_the_command(model, tmp_path):
    fresh = make_loans(3000, 3)
    expected = predicted_by_command(model, fresh, tmp_path)
    assert (model.predict(fresh) == expected).all()
    assert (model.predict(polars.from_pandas(fresh)) == expected).all()
    assert (model.predict(pa.Table.from_pandas(fresh)) == expected).all()
    assert (model.predict({name: fresh[name].tolist() for name in fresh}) == expected).all()
    rows = fresh.head(20).to_dict("records")
    assert [model.predict_row(row) for row in rows] == expected[:20].tolist()


@pytest.mark.parametrize("version", [1, 2, 3])
def test_models_of_every_kind_and_version_predict_as_the_command_does(version, tmp_path):
    frame = zoo_frame()
    files = sorted((ZOO / str(version)).glob("*.fb.json"))
    assert len(files) > 10
    for file in files:
        model = featureboost.Model.load(file)
        assert model.data["version"] == version
        rows = frame[model.columns]
        assert (model.predict(rows) == predicted_by_command(model, rows, tmp_path)).all(), file.name
        (tmp_path / "out.parquet").unlink()


def zoo_frame():
    """Rows as the models of the zoo read them, some with values that are missing or that no model has seen."""
    count = 60
    random = np.random.default_rng(8)
    dates = pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 1500, count), "D")
    return pd.DataFrame(
        {
            "score": random.random(count).round(4),
            "age": np.where(random.random(count) < 0.1, np.nan, random.integers(10, 90, count)),
            "income": np.where(random.random(count) < 0.1, np.nan, random.random(count) * 1000),
            "region": random.choice(["east", "north", "south", "nowhere", None], count),
            "member": pd.array(random.choice([True, False, None], count), dtype="boolean"),
            "since": pd.Series(dates).where(random.random(count) < 0.9),
        }
    )


def test_a_model_is_saved_read_and_pickled(model, loans, tmp_path):
    model.save(tmp_path / "m.fb.json")
    for again in [featureboost.Model.load(tmp_path / "m.fb.json"), pickle.loads(pickle.dumps(model))]:
        assert again == model
        assert again.hash == model.hash
        assert (again.predict(loans) == model.predict(loans)).all()


def test_reports_show_themselves(model, loans):
    assert model._repr_html_().startswith("<iframe srcdoc=")
    assert "sandbox" in model._repr_html_()
    assert repr(model).startswith("<featureboost.Model ")
    found = featureboost.audit(loans, label="defaulted", prediction="score", report=True)
    assert found.found["rows"] == len(loans)
    assert "south" in repr(found)
    assert found._repr_html_().startswith("<iframe")
    assert featureboost.audit(loans, label="defaulted", model=model).found["rows"] > 0


def test_refusals_have_codes(model, loans, monkeypatch):
    with pytest.raises(featureboost.FeatureBoostError) as refused:
        featureboost.fit(loans, label="nope", prediction="score")
    assert refused.value.code == "FB_COLUMN_UNKNOWN"
    with pytest.raises(ValueError, match="FB_COLUMN_UNKNOWN"):
        model.predict(loans.drop(columns="age"))
    with pytest.raises(featureboost.FeatureBoostError, match="Expected a pandas"):
        featureboost.fit([1, 2], label="y")
    for text, code in [("{", "FB_MODEL_FORMAT"), ("{}", "FB_MODEL_FORMAT"), ('{"format":"featureboost-model","version":99}', "FB_MODEL_VERSION")]:
        with pytest.raises(featureboost.FeatureBoostError) as refused:
            featureboost.Model(text)
        assert refused.value.code == code
    monkeypatch.setenv("FEATUREBOOST_COMMAND", "")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(featureboost.FeatureBoostError, match="not on the PATH"):
        featureboost.fit(loans, label="defaulted")


def test_options_are_flags():
    options = {"group_by": "a", "except_": ["a,b", "c"], "no_audit": True, "weight": None, "epsilon": 0.1}
    assert flags_of(options) == ["--group-by", "a", "--except", '["a,b", "c"]', "--no-audit", "--epsilon", "0.1"]


def test_the_readme_runs(loans, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    loans.to_csv("loans.csv", index=False)
    text = (Path(__file__).resolve().parents[1] / "README.md").read_text()
    first, second = [part.split("```")[0] for part in text.split("```python\n")[1:]]
    exec(first, {})
    numbers = loans[["age", "income"]].to_numpy()
    exec(second, {"X": numbers, "y": loans.defaulted.to_numpy(), "X_new": numbers})
