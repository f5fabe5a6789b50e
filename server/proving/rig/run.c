// The figures of a run, taken down in order.
#include "proving/rig/run.h"

#include "base/assert.h"

double proving_run_side(const proving_run *run) {
    return run->def->to_right ? -1.0 : 1.0;
}

void proving_run_add(const proving_run *run, const char *name, const char *unit, double value) {
    apex_manoeuvre_result *result = run->result;
    APEX_ASSERT(result->figure_count < APEX_FIGURES_MAX);
    result->figures[result->figure_count++] = (apex_figure){name, unit, value};
}
