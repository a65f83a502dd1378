"""A model: read from its file, scored in numpy, without Node."""

import html
import json
from functools import cached_property
from importlib import resources
from types import ModuleType

from ._command import FeatureBoostError


class Model:
    """A certified correction of a score. `predict` gives the numbers of the command line and of the library, to the last bit."""

    def __init__(self, text, report=None):
        self.text = text
        #: The HTML report of the fit, where it was asked for.
        self.report = report
        try:
            data = json.loads(text)
        except ValueError as error:
            raise FeatureBoostError("FB_MODEL_FORMAT", f"FB_MODEL_FORMAT: the model is no JSON: {error}.") from None
        if not isinstance(data, dict) or data.get("format") != "featureboost-model":
            raise FeatureBoostError("FB_MODEL_FORMAT", "FB_MODEL_FORMAT: this is not the text of a featureboost model.")
        if data.get("version") not in (1, 2, 3):
            raise FeatureBoostError(
                "FB_MODEL_VERSION", f"FB_MODEL_VERSION: version {data.get('version')} of the format is not read."
            )
        if data["encoding"]["functions"]:
            raise FeatureBoostError("FB_FUNCTION", "FB_FUNCTION: the model needs functions, which no file can hold.")
        self.data = data

    @classmethod
    def load(cls, path):
        with open(path, encoding="utf-8") as file:
            return cls(file.read())

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    @property
    def hash(self):
        return self.data["hash"]

    @property
    def certificate(self):
        return self.data["certificate"]

    @property
    def columns(self):
        """The columns that a frame has to have."""
        names = [feature["name"] for feature in self.data["encoding"]["features"]]
        start = self.data["start"]
        return [*names, start["column"]] if start["kind"] == "column" else names

    def predict(self, frame):
        """Corrected probabilities of all rows, as a numpy array of float64."""
        return self._scorer.predict(frame)

    def predict_row(self, row):
        """The corrected probability of one row, a dict; columns that are absent are missing."""
        return self._scorer.predict_row(row)

    @cached_property
    def _scorer(self):
        """The runtime of exported models, with the tables of this one."""
        data = self.data
        plan = {
            "hash": data["hash"],
            "version": data["version"],
            "start": data["start"],
            "features": data["encoding"]["features"],
            "signals": data["encoding"]["signals"],
            "updates": data["updates"],
        }
        source = resources.files(__package__).joinpath("_runtime.py").read_text("utf-8")
        source = source.replace("__HASH__", data["hash"]).replace("__PLAN__", repr(json.dumps(plan)))
        module = ModuleType("featureboost_scorer")
        exec(compile(source, "featureboost/_runtime.py", "exec"), module.__dict__)
        return module

    def __getstate__(self):
        return {"text": self.text, "report": self.report}

    def __setstate__(self, state):
        self.__init__(**state)

    def __eq__(self, other):
        return isinstance(other, Model) and other.text == self.text

    def __hash__(self):
        return hash(self.text)

    def __repr__(self):
        updates = len(self.data["updates"])
        return f"<featureboost.Model {self.hash[:12]}, {updates} update{'' if updates == 1 else 's'}>"

    def _repr_html_(self):
        if self.report is None:
            return f"<pre>{html.escape(repr(self))}</pre>"
        return as_frame(self.report)


def as_frame(page):
    """A page of its own inside a notebook: its scripts and styles touch nothing else."""
    return (
        f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts allow-downloads" '
        'style="width: 100%; height: 800px; border: 1px solid #8884"></iframe>'
    )
