/// Values in reports.
#pragma once

#include <stdio.h>

#include "base/json_writer.h"

/// A comma, and the value unless it is NaN.
void proving_print_csv(FILE *out, double value);
/// To ten digits; null if it is no number.
void proving_put_json(apex_json_writer *json, const char *key, double value);
