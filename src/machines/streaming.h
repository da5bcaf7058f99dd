/* Streaming kernels as compilers make them, timed, and held against what llvm-mca predicts. */
#ifndef CM_MACHINES_STREAMING_H
#define CM_MACHINES_STREAMING_H

#include "machines/incore.h"

/* Compiles, times and predicts; rows go to the figures. What is not there (a compiler, llvm-mca) is noted in
 * `incore->kernels_note`, and is no error. `folder` is for what is compiled. */
cm_status cm_streaming_measure(cm_incore *incore, const cm_timing_options *options, const char *folder,
                               cm_error *error);

/* Whether the llvm-mca that printed this for --version knows the processor, a vendor-family-model-stepping with the
 * model in hexadecimal: it takes it for `host`, which is one of the names that data/llvm-processors.csv has for it. */
enum { CM_MCA_NAME = 64 };
cm_status cm_mca_knows(const char *printed, const char *identity, char host[CM_MCA_NAME], bool *knows, cm_error *error);

/* "Total Cycles:" and "Iterations:" of what llvm-mca printed: cycles an iteration; NaN where it says no such thing. */
double cm_mca_cycles(const char *printed);

/* (measured - predicted) / measured: above 0 where the prediction is the faster one, as the paper has it. */
double cm_prediction_error(const cm_compiled_kernel *kernel);

#endif
