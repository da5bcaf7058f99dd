/* Streaming kernels as compilers make them, timed and compared with predictions by llvm-mca and by a table of ports. */
#ifndef CM_MACHINES_STREAMING_H
#define CM_MACHINES_STREAMING_H

#include "machines/incore.h"
#include "machines/ports/ports.h"

/* Compiles, times and predicts; adds rows to the figures. A missing program (a compiler, llvm-mca) is noted in
 * `incore->kernels_note`, and is no error. Compiled files go into the directory `directory`. */
cm_status cm_streaming_measure(cm_incore *incore, const cm_timing_options *options, const char *directory,
                               cm_error *error);

/* Whether the llvm-mca that printed this for --version knows the processor, a vendor-family-model-stepping with the
 * model in hexadecimal: its `host` is one of the processor's names in data/llvm-processors.csv. */
enum { CM_MCA_NAME = 64 };
cm_status cm_mca_knows(const char *printed, const char *identity, char host[CM_MCA_NAME], bool *knows, cm_error *error);

/* (measured - predicted) / measured, as in the paper: above 0 if the prediction is faster. */
double cm_prediction_error(const cm_compiled_kernel *kernel, double predicted);

#endif
