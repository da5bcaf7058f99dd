"""The software GPU's driver, called as any program calls a driver, and the facts that it publishes."""

import ctypes


class Device:
    def __init__(self, build, model):
        self.catmint = ctypes.CDLL(str(build / "lib/libcatmint.so.1"))
        self.gpu = ctypes.CDLL(str(build / "lib/catmint/libcatmint_software_gpu.so"))
        self.catmint.cm_pmu_model_machine.restype = self.catmint.cm_fact_name.restype = ctypes.c_void_p
        self.catmint.cm_fact_count.restype = ctypes.c_size_t
        self.gpu.cm_software_gpu_facts.restype = ctypes.POINTER(ctypes.c_uint64)
        found = ctypes.c_void_p()
        assert self.catmint.cm_pmu_model_load(str(model).encode(), ctypes.byref(found), None) == 0
        self.gpu.cm_software_gpu_configure(ctypes.c_void_p(self.catmint.cm_pmu_model_machine(found)))
        self.names = [ctypes.string_at(self.catmint.cm_fact_name(ctypes.c_size_t(i))).decode() for i in range(self.catmint.cm_fact_count())]
        self.made = ctypes.c_void_p()

    def call(self, function, *arguments):
        result = getattr(self.gpu, function)(*arguments)
        assert result == 0, f"{function}: {result}"

    def facts(self):
        published = self.gpu.cm_software_gpu_facts(0)
        return dict(zip(self.names, published[:len(self.names)]))

    def launch(self, launch, function, memory, trips, blocks, threads):
        """{fact: count} of one launch."""
        values = ctypes.c_uint64(memory), ctypes.c_uint32(trips)
        parameters = (ctypes.c_void_p * 2)(*(ctypes.addressof(value) for value in values))
        before = self.facts()
        self.call(launch, function, blocks, 1, 1, threads, 1, 1, 0, None, parameters, None)
        return {name: count - before[name] for name, count in self.facts().items() if count != before[name]}


class Cuda(Device):
    def __init__(self, build, model):
        super().__init__(build, model)
        context = ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)

    def allocate(self, size):
        pointer = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(size))
        return pointer.value

    def free(self, pointer):
        self.call("cuMemFree_v2", ctypes.c_uint64(pointer))

    def run(self, text, entry, *where):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadDataEx", ctypes.byref(module), text.encode(), 0, None, None)
        self.call("cuModuleGetFunction", ctypes.byref(function), module, entry.encode())
        facts = self.launch("cuLaunchKernel", function, *where)
        self.call("cuCtxSynchronize")
        self.call("cuModuleUnload", module)
        return facts


class Hip(Device):
    def __init__(self, build, model):
        super().__init__(build, model)
        self.call("hipInit", 0)
        self.call("hipSetDevice", 0)

    def allocate(self, size):
        pointer = ctypes.c_void_p()
        self.call("hipMalloc", ctypes.byref(pointer), ctypes.c_size_t(size))
        return pointer.value

    def free(self, pointer):
        self.call("hipFree", ctypes.c_void_p(pointer))

    def differ(self, family, pieces, mask, *where):
        """{fact: count} of a description's pieces, without what a loop without any does."""
        facts, before = (self.run("    .text\njudged:\njudged_loop:\n    s_cbranch_scc1 judged_loop\n    .size judged, . - judged\n    .ascii \"catmint-kernel judged "
                                  f"{mask}@{family}{text} ;\"\n", "judged", *where) for text in ("".join(f" {name}:{count}" for name, count in pieces), ""))
        return {name: count - before.get(name, 0) for name, count in facts.items()}

    def run(self, text, entry, *where):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("hipModuleLoadData", ctypes.byref(module), text.encode())
        self.call("hipModuleGetFunction", ctypes.byref(function), module, entry.encode())
        facts = self.launch("hipModuleLaunchKernel", function, *where)
        self.call("hipDeviceSynchronize")
        self.call("hipModuleUnload", module)
        return facts
