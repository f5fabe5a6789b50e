/// The load generator's figures by name, and whether a run has failed by them.
#pragma once

#include "client-lite/load/report/condition.h"
#include "client-lite/load/report/load_def.h"
#include "client-lite/load/report/load_tally.h"

enum { CLI_LOAD_FIGURES_MAX = 96 };

typedef struct cli_load_figures {
    client_figure at[CLI_LOAD_FIGURES_MAX];
    size_t count;
} cli_load_figures;

/// Every figure has a place, measured or not, so that names can be checked before there is any.
void cli_load_figures_of(const cli_load_tally *tally, const cli_load_counts *counts,
                         cli_load_figures *out);

/// Judges whether all were in the race at a time, if that was asked for, and --fail-if is false.
/// @return an exit code.
int cli_load_judge(const cli_load_def *def, const cli_load_counts *counts,
                   const cli_load_figures *figures);
