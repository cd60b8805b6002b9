#!/usr/bin/env bash
# Files for editors: every source is in compile_commands.json, and a kernel's tag points to its body.
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
cp -r Makefile src tests "$work" && cd "$work" || exit 1
make -s compile_commands.json DEPS=0 CUDA=0 2>&1
missing=$("${PYTHON:-/usr/bin/python3}" - <<'CODE'
import glob, json
told = {entry["file"] for entry in json.load(open("compile_commands.json"))}
print(*(f for f in glob.glob("src/*/*.c*") + glob.glob("src/solve/study/*.c*") +
        glob.glob("src/mesh/gmsh/*.c") + glob.glob("tests/*.c")
        if f not in told and f not in ("src/gpu/device_cuda.c", "src/gpu/nccl.c")))
CODE
) || missing="it is no JSON"
if [ -z "$missing" ]; then echo "ok compile_commands.json"
else echo "not ok compile_commands.json: missing: $missing"; failed=1; fi
if ! command -v ctags >/dev/null || ! ctags --version | grep -q Universal; then
    echo "ok tags # SKIP Universal Ctags is not there"
elif make -s tags DEPS=0 CUDA=0 && grep -q $'^boundary_velocity\tsrc/assembly/boundary.cu' tags; then echo "ok tags"
else echo "not ok tags: boundary_velocity has no tag in src/assembly/boundary.cu"; failed=1; fi
exit $failed
