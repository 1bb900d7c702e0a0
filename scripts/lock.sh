#!/usr/bin/env bash
# Writes requirements/lock.txt: every package of every extra, at the versions of today.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
venv=$(mktemp -d)
trap 'rm -rf "$venv"' EXIT

"$python" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet hatchling editables
"$venv/bin/python" -m pip install --quiet --no-build-isolation --editable '.[all]'
"$venv/bin/python" -m pip check

{
    sed -n '/^#/p' requirements/lock.txt
    # A local build of torch ("2.13.0+cpu") is the same release; the file names no machine's build.
    "$venv/bin/python" -m pip freeze --all --exclude-editable --exclude pip |
        sed -E 's/\+[a-z0-9.]+$//' | sort -f
} >"$venv/lock.txt"
mv "$venv/lock.txt" requirements/lock.txt
echo "Written: requirements/lock.txt"
