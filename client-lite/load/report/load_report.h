/// The load generator's reports: a line of progress while it runs, its figures at the end.
#pragma once

#include "client-lite/load/report/load_def.h"
#include "client-lite/load/report/load_tally.h"

void cli_load_progress(const char *phase, const cli_load_counts *counts, uint32_t spectators_in,
                       const cli_load_lately *lately, const cli_load_tally *tally);
/// Ends the line of progress on a terminal.
void cli_load_progress_end(void);
void cli_load_report(const cli_load_def *def, const cli_load_tally *tally,
                     const cli_load_counts *counts);
