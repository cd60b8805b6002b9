# Poise.  make cavity, make bubble: the main jobs, from nothing.  make test: every test, from nothing.  make help: all.
.DEFAULT_GOAL := all
SANITIZE ?= 0
,        := ,
HASH     := \#
REVERSED ?= 0
# Components of vectors so much farther apart than rows are launched, with NaN between them: who takes one for the other
# is found out.
PITCH_PAD ?= $(if $(filter 1,$(REVERSED)),512,0)
NVCC     ?= $(shell command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
# The GPUs of this machine by compute capability, 90 for 9.0; "native" where only nvcc can tell.  Code for GPUs is built
# where there is one, and for CUDA=1.
ifneq ($(and $(NVCC),$(filter-out 0,$(or $(CUDA),1))),)
GPUS     := $(sort $(subst .,,$(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | \
            grep -x '[0-9]*\.[0-9]')))
GPUS     := $(or $(GPUS),$(if $(wildcard /dev/nvidia0),native))
endif
CUDA     ?= $(if $(GPUS),1,0)
PYTHON   ?= /usr/bin/python3
# The processor that is built for, as flags of the C compiler.  native: this machine's, for whoever builds for himself;
# a package names one that all its users have, ARCH=-march=x86-64-v3 (AVX2, of 2013 and later).  The results are the
# same bits with each.  Gathers pay with the widest vectors (measured: the product takes 25 % less time with 512 bits).
ARCH     ?= -march=native -mprefer-vector-width=512
B        ?= build$(if $(filter 1,$(SANITIZE)),-sanitize)$(if $(filter 1,$(REVERSED)),-reversed)
# GHOSTS=nan: copies of other ranks' rows are NaN once they are stale (gpu/stale.h).  $B/poise-ghosts, for tests of
# ranks, has that in any build.
GHOSTS   ?= $(if $(filter 1,$(SANITIZE)),nan)
# DEPS=0: do not look for what the system lacks (packaging/deps), do not install.
DEPS     ?= 1
# MPI=1: what several ranks need (docs/explanation/scaling.md), too.
MPI      ?= 0

# ---------------------------------------------------------------- compilers
# CFLAGS, CPPFLAGS, LDFLAGS and LIBS are the user's.  Contraction to fused operations, which would change the bits, is
# off whatever they say.
CFLAGS   ?= -O3 -g1
# A call of the C library that would write past an array ends the program, as with Ubuntu's gcc; needs optimization, and
# hides from AddressSanitizer what it finds itself.
FORTIFY  := -U_FORTIFY_SOURCE $(if $(and $(filter 0,$(SANITIZE)),$(filter -O%,$(filter-out -O0,$(CFLAGS)))),\
            $(if $(findstring _FORTIFY_SOURCE,$(CFLAGS) $(CPPFLAGS)),,-D_FORTIFY_SOURCE=3))
C_FLAGS  := -std=c11 $(FORTIFY) $(CFLAGS) $(ARCH) -Wall -Wextra -Wshadow -Wno-unknown-pragmas -ffp-contract=off \
            -fopenmp -D_GNU_SOURCE -Isrc $(CPPFLAGS) $(shell pkg-config --cflags hdf5 libconfig 2>/dev/null)
C_LIBS   := $(LDFLAGS) $(shell pkg-config --libs hdf5 libconfig 2>/dev/null || echo -lhdf5 -lconfig) -lmetis \
            -lmuparser -lz $(LIBS) -lm -ldl
# Those of this machine; where there are none, all: 9.0, and code that the driver translates for 7.5 and for 9.0 and
# later, as packages have it.
ifeq ($(GPUS),native)
GENCODE  ?= -arch=native
else
GENCODE  ?= $(or $(foreach g,$(GPUS),-gencode arch=compute_$g$(,)code=sm_$g),$(GENCODE_ALL))
endif
GENCODE_ALL := -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90 \
            -gencode arch=compute_75,code=compute_75
NVFLAGS  := -O3 --fmad=false -lineinfo -diag-suppress 177 -Isrc $(GENCODE)
# Gmsh: the system's; or where include/ and lib/ of another one are, such as that of PyPI (packaging/README.md), which
# is found where the system has none.  Without any, all but poise-gmsh is built.
OWN_GMSH := $(shell echo '$(HASH)include <gmshc.h>' | $(CC) $(CPPFLAGS) -E -x c - >/dev/null 2>&1 && echo 1)
ifeq ($(origin GMSH),undefined)
GMSH     := $(if $(OWN_GMSH),,$(shell $(PYTHON) -c \
            'import importlib.util as u, pathlib as p; f = p.Path(u.find_spec("gmsh").origin).parents[3]; \
             (f / "include/gmshc.h").exists() and print(f)' 2>/dev/null))
endif
GMSH_LIB := $(if $(GMSH),$(lastword $(sort $(wildcard $(GMSH)/lib/libgmsh.so*))))
GMSH_LINK := $(if $(GMSH),$(GMSH_LIB) -Wl$(,)-rpath$(,)$(GMSH)/lib,-lgmsh)
GMSH_FLAGS := $(if $(GMSH),-I$(GMSH)/include)
ifeq ($(SANITIZE),1)
CUDA     := 0
C_FLAGS  += -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif
ifeq ($(REVERSED),1)
CUDA     := 0
C_FLAGS  += -DLANES_REVERSED
endif
C_FLAGS  += -DPITCH_PAD=$(PITCH_PAD) $(if $(filter nan,$(GHOSTS)),-DGHOSTS_NAN=1)
SHORTER  := $(if $(findstring clang,$(shell $(CC) --version)),,\
            --param=max-combine-insns=2 --param=vect-epilogues-nomask=0)
ifeq ($(CUDA),1)
CUDA_HOME := $(patsubst %/bin/nvcc,%,$(realpath $(NVCC)))
C_FLAGS  += -DPOISE_CUDA -I$(CUDA_HOME)/include
C_LIBS   += -L$(CUDA_HOME)/lib64 -lcudart_static -lstdc++ -ldl -lrt -lpthread
# The device API of NCCL 2.28 and later, for messages between GPUs that write into each other's memory: used where the
# library at run time is of the same version.  NCCL= names a folder with include/.
STORES   := $(firstword $(wildcard $(addsuffix /include/nccl_device.h,$(NCCL) $(CUDA_HOME) /usr/local /usr)))
C_FLAGS  += $(if $(STORES),-DPOISE_STORES)
endif

# For `poise version`: a "+" behind it where files differ from it.  Empty without git or its repository.
ifeq ($(origin COMMIT),undefined)
COMMIT   := $(shell git describe --always --dirty=+ --abbrev=12 --exclude='*' 2>/dev/null || cat $B/commit 2>/dev/null)
endif

# ---------------------------------------------------------------- sources: all of src but the programs' mains
GPU_ONLY := src/gpu/device_cuda.c src/gpu/nccl.c
SOURCES := $(filter-out src/main.c src/command/version.c src/mesh/gmsh/% $(GPU_ONLY),\
            $(wildcard src/*/*.c src/solve/study/*.c))
SOURCES += $(if $(filter 1,$(CUDA)),$(GPU_ONLY))
KERNELS := $(wildcard src/*/*.cu src/solve/study/*.cu)
OBJECTS := $(SOURCES:src/%.c=$B/%.o) $(KERNELS:src/%.cu=$B/%.cpu.o)
OBJECTS += $(if $(filter 1,$(CUDA)),$(KERNELS:src/%.cu=$B/%.cuda.o) $(if $(STORES),$B/gpu/nccl/stores.cuda.o))
PEERS   := $(if $(filter 1,$(CUDA)),$(if $(wildcard $(CUDA_HOME)/include/cusparse.h),$B/libpoise-peers.so))
MPICC   ?= $(shell command -v mpicc)
MESHER  := $(if $(GMSH)$(OWN_GMSH),$B/poise-gmsh)
RANKS   := $(if $(MPICC),$B/libpoise-mpi.so)
# Readers of files under the sanitizers, with a call at every edge that tests/fuzz/driver.c listens to; LIBFUZZER=1:
# clang's libFuzzer instead of that driver.
LIBFUZZER ?= 0
FUZZ_FLAVOUR := $(if $(filter 1,$(LIBFUZZER)),libfuzzer,fuzz)
FUZZ_CC := $(if $(filter 1,$(LIBFUZZER)),clang,$(CC))
FUZZ_EDGES := $(if $(filter 1,$(LIBFUZZER)),-fsanitize=fuzzer-no-link -w,-fsanitize-coverage=trace-pc)
FUZZ_DRIVER := $(if $(filter 1,$(LIBFUZZER)),,tests/fuzz/driver.c)
F       := $B/$(FUZZ_FLAVOUR)
FUZZERS := $(filter-out $(if $(MESHER),,%/read_msh),$(patsubst tests/fuzz/%.c,$F/%,$(wildcard tests/fuzz/read_*.c)))
FUZZ_PLAIN := -std=c11 -O1 -g1 -Wall -Wextra -Wshadow -Wno-unknown-pragmas -ffp-contract=off -fopenmp \
            -D_GNU_SOURCE -Isrc -Itests/fuzz $(shell pkg-config --cflags hdf5 libconfig 2>/dev/null)
FUZZ_CFLAGS := $(FUZZ_PLAIN) -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
# Of the rooms above these: what a case may say, for its reader.
FUZZ_SOURCES := $(filter-out $(GPU_ONLY),$(wildcard \
            $(patsubst %,src/%/*.c,base case gpu mesh io system solve solve/study) \
            $(patsubst %,src/%/*_setting.c,assembly interface flow run)) \
            src/assembly/boundary_kinds.c src/run/case_settings.c src/run/case_mesh.c)
FUZZ_KERNELS := $(wildcard $(patsubst %,src/%/*.cu,gpu mesh system solve solve/study))
FUZZ_OBJECTS := $(FUZZ_SOURCES:src/%.c=$F/%.o) $(FUZZ_KERNELS:src/%.cu=$F/%.cpu.o)
TESTS   := $(patsubst tests/%.c,$B/tests/%,$(wildcard tests/test_*.c))
# The hundred programs of tests are linked by a linker that takes a quarter of the usual one's time, where there is one;
# not with CUDA, as gold does not find what nvcc's objects need of -lstdc++.
FAST_LINK := $(if $(filter 1,$(SANITIZE) $(LIBFUZZER) $(CUDA)),,$(addprefix -fuse-ld=,$(firstword $(foreach l,lld gold,\
            $(if $(shell command -v ld.$l),$l)))))

# One short line for every file; V=1 shows the whole commands.
V        ?= 0
SAY       = $(if $(filter 1,$V),,@printf '  %-5s %s\n' $(1) $@;)

.PHONY: all deps cavity bubble pictures site test fuzz verify nightly soak mutants build-tests layers install \
    uninstall clean help FORCE
all: $B/poise $(MESHER) $(PEERS) $(RANKS)

$B/poise: $B/main.o $B/command/version.o $B/libpoise.a
	$(call SAY,LINK)$(CC) $(C_FLAGS) -o $@ $^ $(C_LIBS)
GHOSTS_OBJECTS := $(patsubst src/%.c,$B/ghosts/%.o,$(shell grep -l GHOSTS_NAN src/*/*.c))
$B/poise-ghosts: $B/main.o $B/command/version.o $(GHOSTS_OBJECTS) $B/libpoise.a
	$(call SAY,LINK)$(CC) $(C_FLAGS) -o $@ $^ $(C_LIBS)
$B/ghosts/%.o: src/%.c $B/flags
	@mkdir -p $(@D)
	$(call SAY,CC)$(CC) $(C_FLAGS:-O3=-O2) -DGHOSTS_NAN=1 -MMD -MP -c -o $@ $<
$B/libpoise.a: $(OBJECTS)
	$(call SAY,AR)rm -f $@ && ar rcs $@ $^
# -rdynamic: Gmsh and the libraries under it find the functions of confine.c before the C library's.
$B/poise-gmsh: $(wildcard src/mesh/gmsh/*.c) $B/libpoise.a
	@mkdir -p $(@D)
	$(call SAY,LINK)$(CC) $(C_FLAGS) $(GMSH_FLAGS) -rdynamic -o $@ $^ $(GMSH_LINK) $(C_LIBS) -ldl
# NVIDIA's libraries for `poise bench`, which opens this at run time: nothing else depends on them.
$B/libpoise-peers.so: src/bench/peers/peers.cu src/bench/peers/peers.h $B/flags
	$(call SAY,NVCC)$(NVCC) $(NVFLAGS) -shared -Xcompiler -fPIC -o $@ $< -L$(CUDA_HOME)/lib64 \
	    -Xlinker -rpath=$(CUDA_HOME)/lib64 -lcusparse -lcublas

# MPI, for a program that was started as several ranks, which opens this at run time: nothing else depends on it.
$B/libpoise-mpi.so: src/gpu/mpi/mpi.c src/gpu/mpi/mpi_transport.h $B/flags
	$(call SAY,MPICC)$(MPICC) -std=c11 -O2 -g -Wall -Wextra -Isrc -shared -fPIC -o $@ $<

# Not in the library: programs of tests need not be linked anew after every commit.
$B/command/version.o: $B/commit
$B/command/version.o: C_FLAGS += -DPOISE_COMMIT='"$(COMMIT)"' -DPOISE_ARCH='"$(strip $(ARCH))"' \
    -DPOISE_GENCODE='"$(strip $(GENCODE))"'
# -O3 is for kernels; the host's code gains nothing by it but a fifth more of the compiler's time.
$B/%.o: src/%.c $B/flags
	@mkdir -p $(@D)
	$(call SAY,CC)$(CC) $(C_FLAGS:-O3=-O2) -MMD -MP -c -o $@ $<
# In its longest blocks gcc's combiner takes ten seconds otherwise, that of gcc 13 minutes; vectors of 512 bits make
# them twice as long and the kernels no faster.  What is left of a loop, at most three faces, needs no vectors.
$B/assembly/reconstruction.cpu.o: private C_FLAGS := $(subst width=512,width=256,$(C_FLAGS)) $(SHORTER)
$B/%.cpu.o: src/%.cu $B/flags
	@mkdir -p $(@D)
	$(call SAY,CC)$(CC) $(C_FLAGS) -MMD -MP -x c -c -o $@ $<
$B/%.cuda.o: src/%.cu $B/flags
	@mkdir -p $(@D)
	$(call SAY,NVCC)$(NVCC) $(NVFLAGS) -MMD -MP -x cu -c -o $@ $<
$B/gpu/nccl/stores.cuda.o: NVFLAGS += -I$(dir $(STORES))
# Most of their time is the library's, so that the compiler's, with optimization, was longer than what it saved, but for
# those that compute themselves.
COMPUTING_TESTS := $(addprefix test_,condition flat_waves ilu nearest solver)
TEST_FLAGS = $(if $(filter $(COMPUTING_TESTS),$(@F)),$(C_FLAGS:-O3=-O1),$(filter-out $(FORTIFY),$(C_FLAGS:-O3=-O0)))
$B/tests/%: tests/%.c $B/libpoise.a
	@mkdir -p $(@D)
	$(call SAY,LINK)$(CC) $(TEST_FLAGS) $(FAST_LINK) -MMD -MP -o $@ $< $B/libpoise.a -lcmocka $(C_LIBS)

$F/%.o: src/%.c $B/flags
	@mkdir -p $(@D)
	$(call SAY,CC)$(FUZZ_CC) $(FUZZ_CFLAGS) $(FUZZ_EDGES) -MMD -MP -c -o $@ $<
# Readers launch no kernels but are linked with them: neither sanitizers nor optimization, which took most of the
# compiler's time.
$F/%.cpu.o: src/%.cu $B/flags
	@mkdir -p $(@D)
	$(call SAY,CC)$(FUZZ_CC) $(FUZZ_PLAIN:-O1=-O0) $(filter -w,$(FUZZ_EDGES)) -MMD -MP -x c -c -o $@ $<
$F/libpoise.a: $(FUZZ_OBJECTS)
	$(call SAY,AR)rm -f $@ && ar rcs $@ $^
$F/read_msh: FUZZ_MORE := $(patsubst %,$F/mesh/gmsh/%.o,boundary cells groups load) $(GMSH_LINK) \
    -Wl,--wrap=gmshOpen,--wrap=gmshInitialize
$F/read_msh: $(patsubst %,$F/mesh/gmsh/%.o,boundary cells groups load)
$F/read_%: tests/fuzz/read_%.c $(FUZZ_DRIVER) tests/fuzz/fuzz.c tests/fuzz/fuzz.h $F/libpoise.a
	$(call SAY,LINK)$(FUZZ_CC) $(FUZZ_CFLAGS) $(if $(FUZZ_DRIVER),,-fsanitize=fuzzer) -o $@ \
	    $(FAST_LINK) $(filter %.c,$^) $(filter %.o,$(FUZZ_MORE)) $F/libpoise.a \
	    -Wl,--wrap=exit,--wrap=die_at,--wrap=allocate,--wrap=resize $(filter-out %.o,$(FUZZ_MORE)) $(C_LIBS)

# Loaded before the program by tests/regression/memory.sh.
$B/tests/%.so: tests/preload/%.c
	@mkdir -p $(@D)
	$(call SAY,LINK)$(CC) -std=c11 -O1 -g -Wall -Wextra -D_GNU_SOURCE -shared -fPIC -o $@ $< -ldl

# Rebuild when the flags change.  With the first build, look for what is missing and say once what is built.
ifeq ($(CUDA),1)
BUILT    := and for GPUs ($(strip $(GENCODE))); GENCODE=.. names others$(,) CUDA=0 none
else ifneq ($(filter undefined default file,$(origin CUDA))$(filter 1,$(SANITIZE) $(REVERSED)),file)
BUILT    := only
else
BUILT    := only, as there is no $(if $(NVCC),GPU here; CUDA=1 also for GPUs,nvcc; for GPUs install CUDA)
endif
$B/flags: FORCE
	@mkdir -p $(@D); echo '$(CC) $(C_FLAGS) $(NVFLAGS) $(FUZZ_CFLAGS)' | cmp -s - $@ || { \
	    $(if $(filter 0,$(DEPS)),,CC='$(CC)' FLAGS='$(C_FLAGS) $(GMSH_FLAGS)' packaging/deps check || exit 1;) \
	    echo 'building for the CPU $(BUILT)'; \
	    $(if $(MESHER),,echo 'without poise-gmsh (.geo .msh .unv .med .cgns), as there is no Gmsh here';) \
	    echo '$(CC) $(C_FLAGS) $(NVFLAGS) $(FUZZ_CFLAGS)' >$@; }
$B/commit: FORCE
	@mkdir -p $(@D); echo '$(COMMIT)' | cmp -s - $@ || echo '$(COMMIT)' >$@
FORCE:
-include $(FUZZ_OBJECTS:.o=.d) $(OBJECTS:.o=.d) $(GHOSTS_OBJECTS:.o=.d) $B/main.d $B/command/version.d $(TESTS:=.d)

# ---------------------------------------------------------------- jobs
# What was missing before `deps` may be there after it (pkg-config's answers above), so these jobs start make again.
AGAIN = @+$(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))
test: deps
	$(AGAIN) all build-tests
	@PYTHON='$(PYTHON)' tests/run $B
build-tests: $(TESTS) $(FUZZERS) $(if $(RANKS),$B/poise-ghosts) \
    $(if $(filter 1,$(SANITIZE)),,$B/tests/fail_allocation.so)

# MINUTES=n for all readers together; new inputs every time (SEED=k: those of k).  LIBFUZZER=1: by clang's libFuzzer.
MINUTES  ?= 6
fuzz: deps
ifeq ($(LIBFUZZER),1)
	@command -v clang >/dev/null || { \
	    echo 'LIBFUZZER=1 needs clang with its run-time library (Debian, Ubuntu: apt install clang libomp-dev)'; exit 1; }
endif
	$(AGAIN) all $(FUZZERS)
	@LIBFUZZER=$(LIBFUZZER) tests/fuzz/run $B $(MINUTES) $(SEED)

CAVITY := cases/cavity
cavity: deps
	$(AGAIN) all
	@$B/poise run $(CAVITY)/cavity.cfg --output $(CAVITY)/cavity.out
	@$(PYTHON) postproc/profiles.py $(CAVITY)/cavity.out --reference $(CAVITY)/reference/ghia1982_*_Re1000.csv \
	    $(CAVITY)/reference/botella1998_*_Re1000.csv
	@echo 'Botella 1998 is spectral, good to the last digit; Ghia 1982 is what the literature compares with.'
	@$(PYTHON) postproc/field.py $(CAVITY)/cavity.out velocity --streamlines
	@$(PYTHON) postproc/residuals.py $(CAVITY)/cavity.out

BUBBLE := cases/bubble
bubble: deps
	$(AGAIN) all
	@$B/poise run $(BUBBLE)/bubble.cfg --output $(BUBBLE)/bubble.out
	@$(PYTHON) postproc/bubble.py $(BUBBLE)/bubble.out --film
	@echo 'For ParaView: $(BUBBLE)/bubble.out/bubble.xdmf'

# Those of README and docs.
pictures: deps
	$(AGAIN) all
	@POISE='$(realpath .)/$B/poise' $(PYTHON) docs/images/pictures.py

# The documents as they lie here, so that their links hold, below $B/site-source.  mkdocs: the one that Python has, or,
# from PyPI, below $B/mkdocs.
MKDOCS   := PYTHONPATH='$B/mkdocs' $(PYTHON) -m mkdocs
site:
	@$(MKDOCS) --version >/dev/null 2>&1 || $(PYTHON) -m pip install -q --target=$B/mkdocs 'mkdocs>=1.6,<2'
	@rm -rf $B/site-source && mkdir -p $B/site-source/pages
	@cp docs/mkdocs.yml docs/site.py $B/site-source
	@cp --parents $(wildcard *.md docs/*.md docs/*/*.md cases/*.md cases/*/*.md cases/*/*.cfg cases/*/*.geo) LICENSE \
	    CITATION.cff docs/site.css docs/site.js $(wildcard docs/*/*.png docs/*/*.svg docs/*/*/*.png) \
	    packaging/README.md $B/site-source/pages
	@$(MKDOCS) build --strict -f $B/site-source/mkdocs.yml
	@echo '$B/site/index.html'

# PART="mms meshes": these parts alone; without it all.  SIZE=nightly: less of each.
PART     ?=
SIZE     ?= full
# Programs that take a selection of their combinations without TEST_SIZE=full.
FULL_TESTS := $(patsubst tests/%.c,%,$(shell grep -l 'full_size()' tests/test_*.c))
verify: deps
	$(AGAIN) all $B/tests/test_mms $B/tests/test_orders $B/tests/test_heat_orders $(FULL_TESTS:%=$B/tests/%) \
	    $(if $(RANKS),$B/poise-ghosts $B/tests/fail_allocation.so)
	$(if $(or $(filter bits,$(PART)),$(if $(PART),,all)),$(AGAIN) REVERSED=1 B=$B-reversed $B-reversed/poise)
	@PYTHON='$(PYTHON)' SIZE='$(SIZE)' FULL_TESTS='$(FULL_TESTS)' tests/verify/run $B $B-reversed $(PART)
nightly:
	@+$(MAKE) --no-print-directory verify SIZE=nightly

# Hundreds of kills, of ranks too, a hundred pairs of runs in one directory, every allocation that fails: about an hour.
KILLS    ?= 300
PAIRS    ?= 100
soak: deps
	$(AGAIN) all build-tests
	@export POISE='$(realpath .)/$B/poise' PYTHON='$(PYTHON)'; KILLS=$(KILLS) bash tests/regression/kill.sh; a=$$?; \
	    PAIRS=$(PAIRS) bash tests/regression/directory.sh; b=$$?; \
	    KILLS=$(KILLS) bash tests/regression/ranks_end.sh; c=$$?; \
	    EVERY=1 bash tests/regression/memory.sh && test $$a$$b$$c = 000

# MUTANTS=n random faults, of which the tests shall find nine in ten; SEED=k: others.
MUTANTS  ?= 100
mutants: deps
	$(AGAIN) all build-tests
	@$(PYTHON) tests/mutants $B --mutants $(MUTANTS) --seed $(or $(SEED),1) --jobs $(shell nproc)

deps:
ifneq ($(DEPS),0)
	@MPI='$(MPI)' CC='$(CC)' FLAGS='$(C_FLAGS) $(GMSH_FLAGS)' PYTHON='$(PYTHON)' packaging/deps install
endif

# ---------------------------------------------------------------- installation
# What make has built goes below $(DESTDIR)$(PREFIX); nothing is compiled here.
PREFIX   ?= /usr/local
TO       := $(DESTDIR)$(PREFIX)
SHARE    := $(TO)/share
COPY     := install -m 644
CASES    := $(sort $(dir $(wildcard cases/*/README.md)))
install:
	@test -x $B/poise || { echo 'there is no $B/poise to install; first: make'; exit 1; }
	install -d $(TO)/bin $(TO)/lib/poise $(SHARE)/man/man1 $(SHARE)/bash-completion/completions \
	    $(SHARE)/zsh/site-functions $(SHARE)/poise/postproc/poise $(SHARE)/doc/poise/docs/images \
	    $(SHARE)/doc/poise/packaging
	install $(wildcard $B/poise $B/poise-gmsh) $(TO)/bin
	$(if $(wildcard $B/libpoise-peers.so),$(COPY) $B/libpoise-peers.so $(TO)/lib/poise)
	$(if $(wildcard $B/libpoise-mpi.so),$(COPY) $B/libpoise-mpi.so $(TO)/lib/poise)
	packaging/man $B/poise >$(SHARE)/man/man1/poise.1
	$(COPY) packaging/completion/poise $(SHARE)/bash-completion/completions/poise
	$(COPY) packaging/completion/_poise $(SHARE)/zsh/site-functions/_poise
	for c in $(CASES); do install -d $(SHARE)/poise/$$c && \
	    $(COPY) $$(ls $$c*.md $$c*.cfg $$c*.geo 2>/dev/null) $(SHARE)/poise/$$c && \
	    if test -d $${c}reference; then install -d $(SHARE)/poise/$${c}reference && \
	        $(COPY) $${c}reference/* $(SHARE)/poise/$${c}reference; fi || exit 1; done
	$(COPY) cases/README.md $(SHARE)/poise/cases
	$(COPY) $(wildcard postproc/*.py) postproc/pyproject.toml $(SHARE)/poise/postproc
	$(COPY) $(wildcard postproc/poise/*.py) $(SHARE)/poise/postproc/poise
	$(COPY) $(wildcard *.md) LICENSE CITATION.cff $(SHARE)/doc/poise
	$(foreach d,$(sort $(dir $(wildcard docs/*.md docs/*/*.md))),install -d $(SHARE)/doc/poise/$d && \
	    $(COPY) $(wildcard $d*.md) $(SHARE)/doc/poise/$d &&) true
	$(COPY) packaging/README.md $(SHARE)/doc/poise/packaging
	$(COPY) $(wildcard docs/images/*.png docs/images/*.svg) $(SHARE)/doc/poise/docs/images
	install -d $(SHARE)/doc/poise/docs/images/gallery
	$(COPY) docs/images/gallery/*.png $(SHARE)/doc/poise/docs/images/gallery
	for d in cases postproc; do ln -sfn ../../poise/$$d $(SHARE)/doc/poise/$$d; done
uninstall:
	rm -f $(TO)/bin/poise $(TO)/bin/poise-gmsh $(SHARE)/man/man1/poise.1 \
	    $(SHARE)/bash-completion/completions/poise $(SHARE)/zsh/site-functions/_poise
	rm -rf $(TO)/lib/poise $(SHARE)/poise $(SHARE)/doc/poise

layers:
	@tests/layers.sh; a=$$?; tests/commits.sh && exit $$a

# For clangd and other tools: how each file is compiled (kernels as the C compiler sees them), and where each name, each
# kernel too, is defined.
compile_commands.json: FORCE
	@{ sep='['; for f in $(SOURCES) $(KERNELS) src/main.c src/command/version.c \
	    $(wildcard src/mesh/gmsh/*.c tests/*.c tests/fuzz/*.c); do \
	    case $$f in *.cu) as='-x c';; tests/fuzz/*) as=-Itests/fuzz;; *) as=;; esac; \
	    printf '%s\n{"directory": "%s", "file": "%s", "command": "%s"}' \
	        "$$sep" '$(CURDIR)' $$f "$(CC) $(C_FLAGS) $$as -c $$f"; sep=,; \
	done; printf '\n]\n'; } >$@
tags: FORCE
	@ctags -R --map-C=+.cu --regex-C='/^[A-Z_]*KERNEL\(([a-z0-9_]+), *struct [a-z0-9_]+\)$$/\1/f/' -o $@ src tests

clean:
	rm -rf build build-sanitize build-reversed build-sanitize-reversed

help:
	@echo 'make              the programs: build/poise and build/poise-gmsh'
	@echo 'make cavity       from nothing to the lid-driven cavity at Re 1000: table, fields, picture'
	@echo 'make bubble       from nothing to the rising bubble of Hysing et al.: table beside the benchmark, curves,'
	@echo '                  pictures, film'
	@echo 'make pictures     the pictures of README and docs, anew (a few minutes)'
	@echo 'make site         the documents as a static site: $B/site/index.html (mkdocs, from PyPI where it is not there)'
	@echo 'make test         from nothing to every test; the last line counts them'
	@echo 'make verify       the cases at the resolution and accuracy that Poise promises, and more (hours)'
	@echo '                  PART="mms bits": these parts alone, of cases, transient, stability, mms, orders, programs,'
	@echo '                  deflation, two-stage, block-isai, schwarz, bits, meshes, standard, sizes, two-fluids,'
	@echo '                  invariance, physics, ranks, packages'
	@echo 'make nightly      a quarter of an hour of it; the same as make verify SIZE=nightly'
	@echo 'make fuzz         damaged inputs to every reader of files, for MINUTES=n (6) in all'
	@echo '                  LIBFUZZER=1: by clang'"'"'s libFuzzer (apt install clang libomp-dev), in place of'
	@echo '                  tests/fuzz/driver.c'
	@echo 'make soak         hundreds of kills, a hundred pairs of runs in one directory, every allocation that fails'
	@echo '                  (an hour)'
	@echo 'make mutants      tests of the tests: MUTANTS=n (100) random faults in the source, and which no test finds'
	@echo '                  (an hour; SEED=k: other ones)'
	@echo 'make deps         installs the system packages that are missing (apt), or names them as this system does'
	@echo '                  MPI=1: what several ranks need, too (mpirun; docs/explanation/scaling.md)'
	@echo 'make install      what make has built, with manual, completion, cases, documents: below PREFIX (/usr/local),'
	@echo '                  or DESTDIR/PREFIX for packages; make uninstall takes it away.  packaging/README.md'
	@echo 'make layers       checks includes between folders, style, documents, and subjects of new commits'
	@echo 'make compile_commands.json    for clangd;  make tags: for editors that read the tags of ctags'
	@echo 'make clean        removes all builds'
	@echo
	@echo 'SANITIZE=1        build-sanitize: AddressSanitizer and UBSan'
	@echo 'REVERSED=1        build-reversed: lanes of the kernels run backwards (same bits, or a barrier is missing), and'
	@echo '                  components of vectors have NaN between them (PITCH_PAD)'
	@echo 'GHOSTS=nan        copies of other ranks'"'"' rows are NaN once they are stale (SANITIZE=1: too)'
	@echo 'CUDA=0            without the CUDA backend, although there are a GPU and nvcc; CUDA=1: with it, without a GPU'
	@echo 'ARCH=             the processor to build for (-march=native ..); in packages ARCH=-march=x86-64-v3'
	@echo 'GMSH=             a folder with include and lib of another Gmsh than the system'"'"'s (packaging/README.md)'
	@echo 'GENCODE=          the GPUs to build for, as flags of nvcc (those of this machine; GPUS= where it shall not'
	@echo '                  matter: sm_90, and code for 7.5 and for 9.0 and later)'
	@echo 'CC= CFLAGS= CPPFLAGS= LDFLAGS= LIBS=     of the C compiler; CFLAGS is -O3 -g1 unless told'
	@echo 'V=1               shows the whole commands of the compilers'
	@echo 'DEPS=0            do not look for missing packages'
	@echo
	@echo 'POISE_DEVICE=cuda make test    the same tests on the GPU (POISE_THREADS=N: CPU threads)'
