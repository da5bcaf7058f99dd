# Untested: written for Spack 0.21, and never run. Put it into var/spack/repos/builtin/packages/catmint/package.py, and fill in where
# the sources are.
from spack.package import *


class Catmint(CMakePackage):
    """Finds out what hardware events count, and defines metrics with them."""

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("papi", default=True, description="Count hardware events, through PAPI")
    variant("bundle", default=True, description="Pack results into archives, with libarchive and nettle")
    variant("zydis", default=True, description="The software PMU of x86-64, with Zydis", when="target=x86_64:")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.8:", type="build")
    depends_on("hwloc@2:")
    depends_on("jansson@2.10:")
    depends_on("libcsv")
    depends_on("libyaml")
    depends_on("netlib-lapack+lapacke")
    depends_on("openblas@0.3: threads=none")
    depends_on("papi@7: +sde", when="+papi")
    depends_on("zydis@4:", when="+zydis")
    depends_on("libarchive", when="+bundle")
    depends_on("nettle", when="+bundle")

    def cmake_args(self):
        options = [self.define("BUILD_TESTING", False), self.define("CATMINT_PAPI", self.switch("papi")),
                   self.define("CATMINT_ARCHIVE", self.switch("bundle"))]
        if self.spec.satisfies("target=x86_64:"):
            options.append(self.define("CATMINT_ZYDIS", self.switch("zydis")))
        return options

    def switch(self, variant):
        return "ON" if self.spec.satisfies(f"+{variant}") else "OFF"
