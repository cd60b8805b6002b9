#!/usr/bin/env bash
# Structure and style of sources and documents (docs/architecture.md).  A folder includes only folders below it.
cd "$(dirname "$0")/../src" || exit 1
declare -A below=([base]="" [case]="base" [gpu]="base" [mesh]="base case gpu" [solve]="base case gpu"
                  [system]="base case gpu mesh solve" [io]="base case gpu mesh solve system"
                  [assembly]="base case gpu mesh solve system" [interface]="base case gpu mesh solve system assembly"
                  [flow]="base case gpu mesh solve system assembly interface"
                  [run]="base case gpu mesh solve system assembly interface io flow"
                  [bench]="base case gpu mesh solve system assembly interface io flow run"
                  [command]="base case gpu mesh solve system assembly interface io flow run bench"
                  [main.c]="base case gpu mesh solve system assembly interface io flow run bench command")
bad=0
while IFS=: read -r file line text; do
    from=${file#./} from=${from%%/*} to=${text#*\"} to=${to%%/*}
    [[ $from == "$to" || " ${below[$from]-?} " == *" $to "* ]] && continue
    echo "not ok layers: src/${file#./}:$line: $from includes $to, expected only: ${below[$from]-(unknown folder)}"
    bad=1
done < <(grep -rn '^ *# *include *"' --include='*.[ch]' --include='*.cu' . | sed 's/:[^:"]*include/:include/')
(( bad )) || echo "ok layers"
# Methods for studies are reached by the tables of src/solve alone.
if found=$(grep -rn '"solve/study/' --include='*.[ch]' --include='*.cu' . | grep -v '^./solve/study/'); then
    echo "not ok studies: $found; expected no include of solve/study outside of it"
    bad=1
else echo "ok studies"; fi
# Header names and include guards are unique: of two headers with one guard the second is silently ignored.
if found=$({ grep -rh -m1 '^#ifndef' --include='*.h' .; find . -name '*.h' -printf '%f\n'; } | sort | uniq -d |
    grep .); then
    echo "not ok headers: expected unique names and include guards; used twice: $found"
    bad=1
else echo "ok headers"; fi
# Output goes through base/log.h, which makes it printable; base/process.c and the progress line of log.c print no text
# from files.
if found=$(grep -rnE '(^|[^a-z_])(printf|puts|perror) *\(|fprintf\(std|fputs\([^)]*, *std' \
        --include='*.[ch]' --include='*.cu' . |
        grep -v '^./base/\(log\|process\).c:\|^./command/help.c:'); then
    echo "not ok prints: $found; expected log_print() or log_error()"
    bad=1
else echo "ok prints"; fi
# Boundary types are interpreted in one table (assembly/boundary_kinds.h); kernels see only rules.
types=$(sed -n '/^enum boundary_type/,/;/p' assembly/boundary_kinds.h | grep -o 'BOUNDARY_[A-Z]*' | paste -sd'|' -)
if found=$(grep -rnwE "$types|boundary_types?" --include='*.cu' . ; grep -rnwE "$types" --include='*.[ch]' . |
    grep -v '^./assembly/boundary_kinds\.[ch]:') || [[ $found ]]; then
    echo "not ok boundary types: $found; expected a rule, or a function of assembly/boundary_kinds.h"
    bad=1
else echo "ok boundary types"; fi
# Only readers and writers of meshes and the box generator use cell shapes; everything else loops over faces.
if found=$(grep -rlE '^#include "mesh/cell_shape\.h"|face\[6\]\[4\]' --include='*.[ch]' --include='*.cu' . |
    grep -vxE './(io/fields|mesh/(box|cell_shape|foreign|native|gmsh/(boundary|cells)))\.[ch]'); then
    echo "not ok shapes: $found; expected a loop over the faces of mesh/rings.h"
    bad=1
else echo "ok shapes"; fi
# Sums over all rows use gpu/sums.h; deflation passes its pieces to it as groups, and multigrid's structure is local
# to a rank.
if found=$(grep -rnE '(slice_sum|slice_max|sums_add|sums_compare) *\(' --include='*.[ch]' --include='*.cu' . |
        grep -v '^./gpu/\|^./solve/\(deflation\|aggregate\).cu:'); then
    echo "not ok sums: $found; expected SUM_OF_SLICE() and sums_finish() of gpu/sums.h"
    bad=1
else echo "ok sums"; fi
# Kernels are written for every device: CUDA's own words occur only in kernel_cuda.h and in sources for CUDA alone.
if found=$(grep -rnE -e '__(CUDA_?[A-Z]+__|[a-z_]*(shared|device|global|constant|noinline|forceinline)__)|_Pragma *\(' \
        -e '__(syncthreads|syncwarp|shfl|ballot|threadfence|ldg)|(thread|block)Idx|(block|grid)Dim|asm volatile' \
        --include='*.h' --include='*.cu' . |
        grep -v '^./gpu/kernel\(_cpu\|_cuda\)\?\.h:\|^./gpu/nccl/\|^./bench/peers/'); then
    echo "not ok devices: $found; expected the macros of gpu/kernel.h"
    bad=1
else echo "ok devices"; fi
# The program ends by returning from main(); only bugs and exhausted memory end it elsewhere (base/error.h), and its
# child processes.
if found=$(grep -rnE '(^|[^a-z_])exit *\(' --include='*.[ch]' --include='*.cu' . |
    grep -v '/\*.*exit()\|^[^:]*:[0-9]*: \*'); then
    echo "not ok exit: $found; expected a status that is returned to main()"
    bad=1
else echo "ok exit"; fi
# Every source file begins with a comment that says what it contains; a licence alone does not.
if found=$(cd .. && find src tests \( -name '*.[ch]' -o -name '*.cu' \) -exec \
        awk 'FNR == 1 && (!/^\/\* [A-Za-z]/ || /SPDX.*\*\//) { print FILENAME }' {} + | grep .); then
    echo "not ok openings: $found; expected a sentence in the first line that says what the file contains"
    bad=1
else echo "ok openings"; fi
# No line of code is longer than 120 columns.
if found=$(cd .. && LC_ALL=C.UTF-8 grep -rnE '^.{121}' --include='*.[ch]' --include='*.cu' --include='*.sh' \
        --include='*.py' --include=Makefile src tests Makefile | cut -d: -f1,2) && [[ $found ]]; then
    echo "not ok columns: longer than 120: $found"
    bad=1
else echo "ok columns"; fi
# Pages have short lines of prose and the words of the field.
if found=$("${PYTHON:-/usr/bin/python3}" ../tests/prose.py 2>&1); then echo "ok prose"
else
    echo "not ok prose: $(wc -l <<<"$found") findings:"
    sed 's/^/    /' <<<"$found"
    bad=1
fi
# Spaces inside lines are those of clang-format, whose versions differ.
if ! clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    echo "ok spaces # SKIP clang-format 14 is not installed"
elif found=$("${PYTHON:-/usr/bin/python3}" ../tests/spacing.py); then echo "ok spaces"
else
    echo "not ok spaces: $found"
    bad=1
fi
exit $bad
