#!/usr/bin/env bash
# Sets up what `make` needs: a virtual environment with pinned packages, and a Chromium.
#
#   scripts/setup.sh EXTRAS [--browser]
#
# EXTRAS are the package's extras, as "miniwob,endpoint". Every step leaves a stamp in .venv, so
# that doing it again costs nothing until what it depends on has changed.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly VENV=.venv
readonly LOCK=requirements/lock.txt
export PIP_DISABLE_PIP_VERSION_CHECK=1

say() { printf '==> %s\n' "$*" >&2; }
fail() {
    printf '\nSet-up stopped: %s\n' "$1" >&2
    shift
    [ $# -eq 0 ] || printf '  %s\n' "$@" >&2
    exit 4
}

# "debian", "ubuntu", "macos" or "other"
system() {
    if [ "$(uname -s)" = Darwin ]; then
        echo macos
    elif [ -r /etc/os-release ] && command -v apt-get >/dev/null; then
        # shellcheck disable=SC1091
        case "$(. /etc/os-release && echo " ${ID:-} ${ID_LIKE:-} ")" in
            *" ubuntu "*) echo ubuntu ;;
            *" debian "*) echo debian ;;
            *) echo other ;;
        esac
    else
        echo other
    fi
}

is_root() { [ "$(id -u)" -eq 0 ]; }

# apt-get tells hundreds of lines; they are shown only when it fails.
apt_install() {
    local log
    say "Installing with apt-get: $*"
    log=$(mktemp)
    if {
        apt-get update -q &&
            DEBIAN_FRONTEND=noninteractive apt-get install -y -q -o Dpkg::Use-Pty=0 \
                --no-install-recommends "$@"
    } </dev/null >"$log" 2>&1; then
        rm -f "$log"
    else
        tail -n 40 "$log" >&2
        rm -f "$log"
        return 1
    fi
}

# The first Python >= 3.11 that can make environments; failing that, one that can't yet.
find_python() {
    local name found=
    for name in ${PYTHON:+"$PYTHON"} python3 python3.11 python3.12 python3.13 python3.14 python; do
        command -v "$name" >/dev/null || continue
        "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
        if "$name" -c 'import ensurepip, venv' 2>/dev/null; then
            command -v "$name"
            return
        fi
        found=${found:-$(command -v "$name")}
    done
    [ -n "$found" ] || fail "Python 3.11 or newer was not found." \
        "Debian, Ubuntu: sudo apt-get install python3 python3-venv" \
        "macOS:          brew install python@3.12"
    echo "$found"
}

venv_is_good() {
    [ -x "$VENV/bin/python" ] && [ -f "$VENV/bin/pip" ] &&
        # Scripts hold the full path of their environment: one that was moved is of no use.
        head -n 1 "$VENV/bin/pip" | grep -qF "$PWD/$VENV/" &&
        "$VENV/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

make_venv() {
    venv_is_good && return
    local python package
    python=$(find_python)
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
        case "$(system)" in
            debian | ubuntu)
                is_root || fail "$python can't make virtual environments." \
                    "Install what is missing: sudo apt-get install $package"
                apt_install "$package" || fail "apt-get could not install $package."
                ;;
            *)
                fail "$python can't make virtual environments (no ensurepip)." \
                    "Install a Python that has the venv and ensurepip modules."
                ;;
        esac
    fi
    say "Making a virtual environment in $VENV with $("$python" --version 2>&1)"
    rm -rf "$VENV"
    "$python" -m venv "$VENV"
}

# One number for all that decides which packages are installed.
wanted() {
    { cat pyproject.toml "$LOCK" scripts/setup.sh && pwd && "$VENV/bin/python" -VV; } | cksum
}

pip_install() {
    # --no-build-isolation: the build backend is pinned too, and lies in the environment.
    "$VENV/bin/python" -m pip install -qq --retries 5 --constraint "$LOCK" "$@" >&2 ||
        fail "pip could not install: $*" \
            "Its own message is above. Is the network there? Trying again goes on from here."
}

install_packages() {
    local extras=$1 stamp
    stamp="$VENV/.installed-${extras//,/-}"
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(wanted)" ]; then
        return
    fi
    say "Installing openvenus[$extras] with pinned packages (once; takes a few minutes)"
    pip_install hatchling editables
    pip_install --no-build-isolation --editable ".[$extras]"
    wanted >"$stamp"
}

# Prints the browser that the package itself would start, or fails.
find_browser() {
    "$VENV/bin/python" -c '
import sys
from openvenus.device.web import find_chromium
path = find_chromium()
print(path) if path else sys.exit(1)
' 2>/dev/null
}

runs() { "$1" --version >/dev/null 2>&1 </dev/null; }

# Playwright's driver is a program of its own, with a library that minimal systems lack.
check_driver() {
    runs "$VENV/bin/playwright" && return
    case "$(system)" in
        debian | ubuntu)
            is_root || fail "Playwright's driver does not start." \
                "A library is missing: sudo apt-get install libatomic1"
            apt_install libatomic1 || fail "apt-get could not install libatomic1."
            runs "$VENV/bin/playwright" && return
            ;;
    esac
    "$VENV/bin/playwright" --version >&2 || true
    fail "Playwright's driver does not start." "Its own message is above."
}

download_browser() {
    say "Downloading Chromium with Playwright"
    "$VENV/bin/playwright" install "$@" chromium </dev/null >&2
}

install_browser() {
    local path stamp="$VENV/.browser"
    if [ -f "$stamp" ] && [ -x "$(cat "$stamp")" ]; then
        return
    fi
    check_driver
    if ! path=$(find_browser); then
        case "$(system)" in
            debian)
                if is_root; then
                    apt_install chromium fonts-liberation ||
                        fail "apt-get could not install chromium." "Its own message is above."
                else
                    download_browser || fail "Chromium could not be downloaded." \
                        "Install it yourself: sudo apt-get install chromium"
                fi
                ;;
            ubuntu)
                # Ubuntu's chromium package is a snap, which containers and root can't run.
                if is_root; then
                    download_browser --with-deps || fail "Chromium could not be installed." \
                        "Playwright's own message is above."
                else
                    download_browser || fail "Chromium could not be downloaded." \
                        "Its system libraries: sudo $VENV/bin/playwright install-deps chromium"
                fi
                ;;
            *)
                download_browser || fail "Chromium could not be downloaded." \
                    "Install Chromium or Google Chrome yourself, then try again."
                ;;
        esac
        path=$(find_browser) || fail "Chromium was installed, but can't be found." \
            "See what is there: $VENV/bin/venus doctor"
    fi
    runs "$path" || fail "$path does not start." \
        "Missing system libraries? sudo $VENV/bin/playwright install-deps chromium"
    say "Chromium: $path"
    printf '%s\n' "$path" >"$stamp"
}

main() {
    [ $# -ge 1 ] || fail "which extras?" "usage: scripts/setup.sh EXTRAS [--browser]"
    make_venv
    install_packages "$1"
    if [ "${2:-}" = --browser ]; then
        install_browser
    fi
}

main "$@"
