# The decoder of each processor that QEMU emulates: files of its directory in src/software_pmu.
set(catmint_decoder_aarch64 effect.c effect_sve.c flow.c decode.c decode_fp.c decode_integer.c decode_memory.c decode_sve.c decode_sve_memory.c fp_rows.c predicates.c)
set(catmint_decoder_ppc64le ../qemu/no_effect.c flow.c decode.c decode_fp.c decode_integer.c decode_memory.c)
set(catmint_decoder_riscv64 ../qemu/no_effect.c flow.c decode.c decode_compressed.c decode_fp.c decode_integer.c decode_vector.c decode_vector_memory.c)
set(catmint_decoder_x86_64 plugin_decode.c plugin_effect.c flow.c flow_time.c decode.c decode_accesses.c decode_facts.c fp_class.c int_class.c integer.c isa_check.c operations.c refusal.c)
