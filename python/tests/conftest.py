"""Made-up loans whose score is wrong for one group; the command line of this repository unless another one is named."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]
os.environ.setdefault("FEATUREBOOST_COMMAND", f"node {ROOT / 'packages/cli/bin/featureboost.js'}")


def make_loans(count, seed):
    random = np.random.default_rng(seed)
    region = random.choice(["north", "south", "east"], count)
    age = random.integers(18, 80, count)
    score = random.uniform(0.05, 0.7, count).round(4)
    truth = score + 0.25 * ((region == "south") & (age < 40))
    return pd.DataFrame(
        {
            "region": region,
            "age": age,
            "member": random.random(count) < 0.5,
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 1500, count), "D"),
            "income": np.where(random.random(count) < 0.1, np.nan, random.normal(50, 9, count).round(2)),
            "score": score,
            "defaulted": (random.random(count) < truth).astype(int),
        }
    )


@pytest.fixture(scope="session")
def loans():
    return make_loans(6000, 1)


@pytest.fixture(scope="session")
def model(loans):
    import featureboost

    return featureboost.fit(loans, label="defaulted", prediction="score", report=True)
