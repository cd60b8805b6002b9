#!/usr/bin/env bash
# 24 100 damaged inputs, always the same, for every reader of files under the sanitizers (tests/fuzz).
exec "$(dirname "$0")/../fuzz/run" "$(dirname "$(realpath "${POISE:-build/poise}")")"
