"""Runs one peer on one case, and says how long it took.

    python runner.py request.json

The request names the peer's module, the folders of the case, the settings, the threads and the folder to write to:
test.f64 with the corrected probabilities of the test rows, and measured.json. A peer has three functions. `load` brings rows
into the form that its package takes, `fit` and `predict` do the work; only these two are timed.
"""

import importlib
import json
import logging
import os
import random
import sys
import time
import warnings

import numpy as np

from case import Case

warnings.simplefilter("ignore")
logging.disable(logging.WARNING)


def timed(work):
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}


def peak_bytes():
    """The high-water mark of this program's own memory: ru_maxrss also knows what the process was before it."""
    try:
        with open("/proc/self/status", encoding="ascii") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:"))
    except OSError:
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        request = json.load(file)
    random.seed(request["seed"])
    np.random.seed(request["seed"])
    peer = importlib.import_module(request["module"])
    case = Case(request["prepared"], request["scores"])
    settings, threads = request["settings"], request["threads"]
    calibration, test = peer.load(case, "calibration"), peer.load(case, "test")
    before = peak_bytes()
    model, fit = timed(lambda: peer.fit(calibration, settings, threads))
    predictions, predict = timed(lambda: peer.predict(model, test))
    predictions = np.asarray(predictions, dtype=np.float64)
    peak = peak_bytes()
    predictions.tofile(os.path.join(request["out"], "test.f64"))
    notes = peer.notes(model) if hasattr(peer, "notes") else {}
    measured = {"fit": fit, "predict": predict, "peakBytes": peak, "bytesBeforeFit": before, "notes": notes}
    with open(os.path.join(request["out"], "measured.json"), "w", encoding="utf-8") as file:
        json.dump(measured, file)


main()
