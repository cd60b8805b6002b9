# For Spack 1.0 and later, from the folder of the sources:
#     spack repo add packaging/spack/spack_repo/poise
#     spack develop --path $PWD poise@main && spack install      (in an environment: spack env create poise ...)
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class Poise(MakefilePackage, CudaPackage):
    """Laminar incompressible flow of one or two fluids on unstructured meshes, on CPU threads or a GPU."""

    version("main", branch="main")

    license("BSD-3-Clause AND GPL-2.0-or-later")
    variant("gmsh", default=True, description="poise-gmsh, which reads .geo and .msh files")
    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hdf5 ~mpi")
    depends_on("zlib-api")
    depends_on("metis@5:")
    depends_on("libconfig")
    depends_on("muparser")
    depends_on("gmsh@4.8:", when="+gmsh")
    conflicts("platform=darwin", msg="Poise uses Linux's prctl(), pipe2() and /proc")

    @property
    def flags(self):
        names = ["hdf5", "metis", "libconfig", "muparser"] + (["gmsh"] if self.spec.satisfies("+gmsh") else [])
        headers = " ".join(f"-I{self.spec[n].prefix.include}" for n in names)
        libraries = " ".join(f"-L{lib} -Wl,-rpath,{lib}" for n in names for lib in self.spec[n].libs.directories)
        flags = ["DEPS=0", "MPICC=", "ARCH=", "B=objects", f"COMMIT={self.version}", f"CPPFLAGS={headers}",
                 f"LDFLAGS={libraries}"]  # Spack's compiler wrapper names the processor
        if self.spec.satisfies("+cuda"):
            archs = [a for a in self.spec.variants["cuda_arch"].value if a != "none"]
            flags += ["CUDA=1", "GPUS=", f"NVCC={self.spec['cuda'].prefix.bin.nvcc}"]
            flags += ["GENCODE=" + " ".join(f"-gencode arch=compute_{a},code=sm_{a}" for a in archs)] if archs else []
        else:
            flags += ["CUDA=0"]
        return flags

    def build(self, spec, prefix):
        make(*self.flags, "all" if spec.satisfies("+gmsh") else "objects/poise")

    def install(self, spec, prefix):
        make(*self.flags, f"PREFIX={prefix}", "install")
