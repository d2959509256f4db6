#!/bin/sh
# Gradescope runs this once, as root, when it builds the image of the autograder.
set -eu
root="${AUTOGRADER_ROOT:-/autograder}"

if command -v apt-get >/dev/null; then
    apt-get -qq update
    apt-get -qq install -y python3-venv bubblewrap
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || apt-get -qq install -y python3.11 python3.11-venv
fi
for python in python3 python3.13 python3.12 python3.11; do
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        "$python" -m venv "$root/venv"
        "$root/venv/bin/python" -m pip --quiet install --requirement "$root/source/requirements.txt"
        "$root/venv/bin/python" -m compileall -q "$root/source/lib"
%{prepare}        exit 0
    fi
done
echo "Python 3.11 or newer is needed: choose a newer base image." >&2
exit 1
