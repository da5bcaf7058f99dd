# For GNU's compiler or clang: make CC="clang --target=$(CM_CLANG_TARGET)".
PREFIX = aarch64-linux-gnu-
TARGET_FLAGS = -march=$(CM_ARCH)
QEMU = qemu-system-$(CM_QEMU) -M virt -cpu $(CM_QEMU_CPU)
