# Sourced by the scripts beside it: where things are, and how they speak. Environments live outside
# the tree; tests/kernel/environments.py knows the same places.
# shellcheck shell=bash
ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
CACHE="${NBASK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/nbask}"
DEV="$CACHE/dev"

say() { printf '%s\n' "nbask: $*"; }

fail() {
  printf '%s\n' "nbask: $*" >&2
  exit 1
}

heading() { printf '\n=== %s ===\n' "$*"; }

find_chromium() {
  local name
  for name in "${NBASK_CHROMIUM:-}" chromium chromium-browser google-chrome; do
    if [ -n "$name" ] && command -v "$name"; then return; fi
  done
  return 1
}
