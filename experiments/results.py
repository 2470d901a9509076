# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Result files: what an experiment found, with all that its reader must know to
judge it or to run it again."""

import datetime
import json
import os
import subprocess
import tempfile

import paths
import torch

import machine

_KEYS = ("name", "date", "commit", "machine", "torch", "settings", "rows")


def save(name, settings, rows, folder=paths.RESULTS, commit=None):
    """Writes FOLDER/NAME.json, whole or not at all; returns its path.

    - settings: a dictionary, seeds included.
    - rows: dictionaries, one for each thing measured.
    - commit: that the rows come from, if it is not the one checked out.
    """
    if not rows:
        raise ValueError(f"expected rows for the results of {name}, got none")
    record = {"name": name,
              "date": datetime.datetime.now(datetime.timezone.utc)
              .strftime("%Y-%m-%d"),
              "commit": commit or current_commit(),
              "machine": {"cpu": machine.processor(),
                          "cores": os.cpu_count()},
              "torch": torch.__version__, "settings": settings, "rows": rows}
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name + ".json")
    # Not under the name that is read before it is complete.
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=name + ".")
    try:
        with os.fdopen(handle, "w") as file:
            file.write(_text(record))
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    return path


def load(name, folder=paths.RESULTS):
    """What save wrote, as a dictionary."""
    path = os.path.join(folder, name + ".json")
    with open(path) as file:
        record = json.load(file)
    missing = [key for key in _KEYS if key not in record]
    if missing:
        raise ValueError(f"expected results in {os.path.basename(path)} to "
                         f"have {', '.join(_KEYS)}, got none of "
                         f"{', '.join(missing)}")
    return record


def current_commit():
    """The commit checked out; with a mark where its code differs."""
    def git(*words):
        return subprocess.run(["git", "-C", paths.ROOT, *words], text=True,
                              capture_output=True, check=True).stdout.strip()
    try:
        changed = git("status", "--porcelain", "--untracked-files=no", "--",
                      ".", ":!experiments/results", ":!docs", ":!*.md")
        return git("rev-parse", "--short=12", "HEAD") + (
            " and changes" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _text(record):
    """JSON with a row on each line: a difference shows what has changed."""
    parts = [f'  {json.dumps(key)}: {json.dumps(record[key])}'
             for key in record if key != "rows"]
    rows = ",\n".join("    " + json.dumps(row, allow_nan=False)
                      for row in record["rows"])
    parts.append(f'  "rows": [\n{rows}\n  ]')
    return "{\n" + ",\n".join(parts) + "\n}\n"
