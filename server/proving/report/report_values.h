/// How reports write a value.
#pragma once

#include <stdio.h>

/// A comma, and the value unless it is NaN.
void proving_print_csv(FILE *out, double value);
/// null if it is no number.
void proving_print_json(FILE *out, double value);
