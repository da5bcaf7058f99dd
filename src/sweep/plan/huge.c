#include "sweep/plan/plan.h"

static cm_status check_size(const cm_sweep_state *state, const cm_geometry *geometry, cm_error *error)
{
    cm_software_pmu *software = cm_counting_software_pmu(state->counting);
    size_t size = cm_huge_page_size();
    if (size != 0 && size != geometry->huge_page)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "the system's huge pages have %zu KiB, those of the modelled machine %zu KiB", size / 1024,
                       geometry->huge_page / 1024);
    return software != NULL ? cm_software_pmu_huge_pages(software, NULL, 0, error) : CM_OK;
}

/* Tries pages for a chain, unless the system gave enough for a longer one before. */
static cm_status try_written(cm_sweep_state *state, size_t size, cm_error *error)
{
    cm_huge_pages pages;
    if (size <= state->huge_given)
        return CM_OK;
    cm_status status = cm_huge_pages_map(&pages, size, true, error);
    cm_huge_pages_unmap(&pages);
    if (status == CM_OK)
        state->huge_given = size;
    return status;
}

cm_status cm_sweep_try_huge(cm_sweep_state *state, const cm_geometry *geometry, const cm_placement *placement,
                            cm_error *error)
{
    if ((placement->kind & CM_CHAIN_HUGE) == 0)
        return CM_OK;
    cm_status status = check_size(state, geometry, error);
    if (status != CM_OK)
        return status;
    size_t rounded = (placement->extent + geometry->huge_page - 1) / geometry->huge_page * geometry->huge_page;
    if ((placement->kind & CM_CHAIN_ZEROS) == 0)
        return try_written(state, rounded * state->cores.count, error);
    if (rounded > state->max_buffer && !cm_huge_zeros_are_shared())
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "the system has no huge page of zeros to share, and a chain needs a buffer of %zu KiB, the "
                       "limit is %zu KiB (--max-buffer)",
                       rounded / 1024, state->max_buffer / 1024);
    cm_huge_pages pages;
    status = cm_huge_pages_map(&pages, rounded, false, error);
    cm_huge_pages_unmap(&pages);
    return status;
}
