# For GNU's compiler or clang: make CC=riscv64-linux-gnu-gcc, make CC="clang --target=$(CM_CLANG_TARGET)".
PREFIX = riscv64-unknown-elf-
# Newer compilers want the extensions of control registers and of fence.i by name, older ones do not know them.
CM_BASE := $(subst _zifencei,,$(subst _zicsr,,$(CM_ISA)))
CM_MARCH := $(shell $(CC) -march=$(CM_BASE)_zicsr_zifencei -mabi=$(CM_ABI) -x c -S -o /dev/null /dev/null 2>/dev/null && echo $(CM_BASE)_zicsr_zifencei || echo $(CM_BASE))
TARGET_FLAGS = -march=$(CM_MARCH) -mabi=$(CM_ABI) -mcmodel=medany -mno-relax
QEMU = qemu-system-$(CM_QEMU) -M virt -cpu $(CM_QEMU_CPU) -bios none
