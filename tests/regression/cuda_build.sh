#!/usr/bin/env bash
# GPUs for which make builds: those of this machine, all with CUDA=1 if there is none, else CPU only, as reported in one
# line; and the build without Gmsh.  If nvcc exists but the build is without it, nvcc compiles every kernel, without
# optimization, and the C compiler the files for CUDA, so that errors in them are found on a machine without a GPU.
cd "$(dirname "$0")/../.." || exit 1
source tests/checks.sh
poise=$(realpath "${POISE:-build/poise}") folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
printf '#!/bin/sh\n' >"$folder/bin/nvcc"
printf '#!/bin/sh\nprintf "%%s\\n" 9.0 8.9 9.0\n' >"$folder/bin/nvidia-smi"
chmod +x "$folder"/bin/*

# line NAME PART [NOT] WORDS...: the output of a first make contains this part
line() {
    local name=$1 part=$2 not=$3 said
    shift 3
    rm -rf "$folder/b"
    said=$(PATH=$folder/bin:$PATH make -s --no-print-directory DEPS=0 B="$folder/b" NVCC="$folder/bin/nvcc" "$@" \
        "$folder/b/flags" 2>&1 | grep -v '^without poise-gmsh')
    result "build-$name" "$([[ $said == 'building for the CPU'*"$part"* && $(wc -l <<<"$said") == 1 &&
        ( -z $not || $said != *"$not"* ) ]] || echo "$said")"
}
line gpus '(-gencode arch=compute_89,code=sm_89 -gencode arch=compute_90,code=sm_90)' _75
line no-gpu 'only, as there is no GPU here; CUDA=1' sm_ GPUS=
line all 'arch=compute_75,code=compute_75' '' GPUS= CUDA=1
line none 'only' there CUDA=0
line sanitized 'only' there SANITIZE=1
line no-nvcc 'only, as there is no nvcc' sm_ NVCC=

# Without Gmsh everything else is built, and a line reports it.
without=(make -ns --no-print-directory DEPS=0 CUDA=0 CC="${CC:-cc} -nostdinc" PYTHON=false B="$folder/n")
said=$("${without[@]}" all build-tests 2>&1)
result build-no-gmsh "$([[ $said == *'without poise-gmsh'* && $said == *fuzz/read_mesh* &&
    $said != *"-o $folder/n/poise-gmsh"* && $said != *fuzz/read_msh* ]] || grep -m 3 gmsh <<<"$said")"

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [[ -z $nvcc ]]; then echo "ok cuda-compiles # SKIP nvcc is not there"; exit $failed; fi
if nm "$(dirname "$poise")/libpoise.a" 2>/dev/null | grep -q ' U cudaMallocAsync'; then
    echo "ok cuda-compiles # SKIP this build has them"; exit $failed; fi
# compile OUT FILES...: as one file, since most of the time goes to CUDA's headers, and one by one where that fails, as
# files may use the same name for different things.
compile() {
    local out=$1
    shift
    printf '#include "%s"\n' "$@" >"$out.cu"
    "$nvcc" -Isrc -I. -diag-suppress 177 -arch=compute_90 -ptx -Xcicc -O0 -x cu -o "$out.ptx" "$out.cu" \
        >"$out.said" 2>&1 && return
    if (( $# == 1 )); then head -n 3 "$out.said"; return; fi
    local file
    for file; do compile "$out-$(basename "$file")" "$file"; done
}
bad=$(for room in src/*/ src/solve/study/; do
    files=("$room"*.cu)
    [[ -e ${files[0]} ]] && compile "$folder/$(basename "$room")" "${files[@]}"
done 2>&1)
result cuda-compiles "$bad"
home=$(dirname "$(dirname "$(realpath "$nvcc")")")
result cuda-compiles-c "$(${CC:-cc} -std=c11 -D_GNU_SOURCE -DPOISE_CUDA -DPOISE_GENCODE='""' -Isrc -I"$home/include" \
    -fopenmp $(pkg-config --cflags hdf5 libconfig 2>/dev/null) -Wall -Wno-unknown-pragmas -Werror -fsyntax-only \
    src/gpu/*.c src/command/version.c 2>&1 | head -n 5)"
exit $failed
