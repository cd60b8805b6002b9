#!/usr/bin/env bash
# Called by conda build, which sets CC, CFLAGS, CPPFLAGS, LDFLAGS, PREFIX and CPU_COUNT.
set -e
arch=""
[[ $target_platform == linux-64 ]] && arch=-march=x86-64-v3
flags=(CUDA=0 MPICC= DEPS=0 ARCH="$arch" COMMIT="conda" B=objects CC="$CC" CPPFLAGS="$CPPFLAGS -I$PREFIX/include"
    CFLAGS="$CFLAGS -O3" LDFLAGS="$LDFLAGS -L$PREFIX/lib")
make -j"${CPU_COUNT:-2}" "${flags[@]}" all
make "${flags[@]}" PREFIX="$PREFIX" install
