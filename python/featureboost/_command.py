"""The command line: found, run, and its refusals as exceptions."""

import json
import os
import re
import shlex
import shutil
import subprocess


class FeatureBoostError(ValueError):
    """A refusal. `code` is one of docs/errors.md."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def find_command():
    """The words that start the command line: of FEATUREBOOST_COMMAND, or `featureboost` on the PATH."""
    given = os.environ.get("FEATUREBOOST_COMMAND")
    if given:
        return shlex.split(given)
    found = shutil.which("featureboost")
    if found is not None:
        return [found]
    raise FeatureBoostError(
        "FB_SYSTEM",
        "FB_SYSTEM: the command featureboost is not on the PATH. Install it (npm install --global featureboost), "
        "or say in FEATUREBOOST_COMMAND how it is started.",
    )


def run(arguments):
    """What it printed. Raises FeatureBoostError where it refused or failed."""
    words = [*find_command(), *arguments]
    done = subprocess.run(
        words,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "NO_COLOR": "1"},
        check=False,
    )
    if done.returncode == 0:
        return done.stdout
    message = done.stderr.strip() or f"featureboost ended with code {done.returncode}."
    found = re.search(r"FB_[A-Z_]+", message)
    raise FeatureBoostError(found.group() if found else "FB_SYSTEM", message)


def run_json(arguments):
    return json.loads(run([*arguments, "--json", "--quiet"]))


def flags_of(options):
    """`group_by="person"` is `--group-by person`. A list is one flag with a JSON list; True a flag alone; None and False none."""
    flags = []
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            flags.append(flag)
        elif isinstance(value, (list, tuple)):
            flags += [flag, json.dumps([str(each) for each in value])]
        else:
            flags += [flag, str(value)]
    return flags
