/* Everything that libcatmint offers to programs; <catmint/machines.h> is a library of its own. */
#ifndef CATMINT_CATMINT_H
#define CATMINT_CATMINT_H

#include <catmint/analysis.h>
#include <catmint/audit.h>
#include <catmint/bundle.h>
#include <catmint/count.h>
#include <catmint/core_type.h>
#include <catmint/counting.h>
#include <catmint/data_path.h>
#include <catmint/definitions.h>
#include <catmint/doctor.h>
#include <catmint/error.h>
#include <catmint/evaluate.h>
#include <catmint/export_definitions.h>
#include <catmint/formulas.h>
#include <catmint/freestanding.h>
#include <catmint/import.h>
#include <catmint/import_console.h>
#include <catmint/import_ncu.h>
#include <catmint/import_table.h>
#include <catmint/kept.h>
#include <catmint/kernels.h>
#include <catmint/matrix.h>
#include <catmint/from_facts.h>
#include <catmint/merge.h>
#include <catmint/names.h>
#include <catmint/output.h>
#include <catmint/report.h>
#include <catmint/request.h>
#include <catmint/results.h>
#include <catmint/snippet.h>
#include <catmint/software_pmu.h>
#include <catmint/style.h>
#include <catmint/sweep.h>
#include <catmint/tables.h>
#include <catmint/text.h>
#include <catmint/validation.h>
#include <catmint/verify.h>
#include <catmint/version.h>
#include <catmint/view.h>

#endif
