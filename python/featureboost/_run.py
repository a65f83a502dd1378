"""fit and audit: a frame goes to the command line as a Parquet file, and what it finds comes back."""

import os

from ._command import flags_of, run_json
from ._command import run as run_command
from ._frames import parquet_file
from ._model import Model, as_frame


def fit(frame, label, prediction=None, *, report=False, **options):
    """A certified correction of the score in `prediction`, or of the base rate where there is none.

    `options` are the flags of `featureboost fit` with underscores: `weight="w"`, `group_by="person"`, `epsilon=0.02`,
    `except_=["id"]`. With `report=True` the model shows its report in a notebook.
    """
    with parquet_file(frame) as path:
        folder = os.path.dirname(path)
        out = os.path.join(folder, "model.fb.json")
        page = os.path.join(folder, "report.html")
        wanted = {"report": page} if report else {"no_audit": True}
        roles = {"label": label, "prediction": prediction}
        run_json(["fit", path, "--out", out, *flags_of({**roles, **wanted, **options})])
        with open(out, encoding="utf-8") as file:
            text = file.read()
        if not report:
            return Model(text)
        with open(page, encoding="utf-8") as file:
            return Model(text, file.read())


class Audit:
    """How wrong a score is, and for whom. `found` is the document that `featureboost audit --json` prints."""

    def __init__(self, found, text, page):
        self.found = found
        self.text = text
        self.page = page

    def __repr__(self):
        return self.text

    def _repr_html_(self):
        return as_frame(self.page) if self.page is not None else None


def audit(frame, label, prediction=None, *, model=None, report=False, **options):
    """For whom the score is wrong: of the column `prediction`, or of what `model` makes of it.

    `options` are the flags of `featureboost audit` with underscores.
    """
    with parquet_file(frame) as path:
        folder = os.path.dirname(path)
        roles = {"label": label, "prediction": prediction}
        if model is not None:
            file = os.path.join(folder, "model.fb.json")
            model.save(file)
            roles = {"model": file}
        flags = flags_of({**roles, **options})
        found = run_json(["audit", path, *flags])
        text = run_command(["audit", path, *flags, "--quiet"])
        page = None
        if report:
            out = os.path.join(folder, "report.html")
            run_command(["report", path, *flags_of(roles), "--out", out, "--quiet"])
            with open(out, encoding="utf-8") as file:
                page = file.read()
        return Audit(found, text, page)
