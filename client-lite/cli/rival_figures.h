/// How well the rivals of several drivers were foretold, as bots and the load generator tell it.
#pragma once

#include "base/histogram.h"
#include "base/json_writer.h"
#include "client-lite/client.h"

/// All zero: of nobody yet.
typedef struct cli_rival_figures {
    uint64_t drivers; ///< with rivals that could be compared
    uint64_t compared, late;
    uint64_t touches_came, touches_phantom, touches_unforeseen;
    /// Of each driver: half of his errors were below, a twentieth and a hundredth above.
    apex_histogram along_um[3], across_um[3];
    apex_histogram horizon_us[2], correction_mmps;
    double correction_mps_max;
} cli_rival_figures;

/// Takes the errors that one driver's client tells at its end; nothing where nobody was near.
void cli_rival_figures_hear(cli_rival_figures *self, const apex_client_rival_errors *errors);
/// Sums of counts, the largest correction, and of all else the median driver's.
/// @return not-a-number for what was not measured.
apex_client_rival_errors cli_rival_figures_of(const cli_rival_figures *self);

/// A member of an object, null where nobody was near.
void cli_rival_figures_put(const cli_rival_figures *self, apex_json_writer *json, const char *key);
/// A few lines for people; none where nobody was near.
void cli_rival_figures_print(const cli_rival_figures *self);
