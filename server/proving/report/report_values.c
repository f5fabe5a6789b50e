// Values in reports: one that was not reached is empty in CSV and null in JSON.
#include "proving/report/report_values.h"

#include <math.h>

void proving_print_csv(FILE *out, double value) {
    if (isnan(value)) {
        fputc(',', out);
    } else {
        fprintf(out, ",%.7g", value);
    }
}

void proving_print_json(FILE *out, double value) {
    if (isfinite(value)) {
        fprintf(out, "%.10g", value);
    } else {
        fputs("null", out);
    }
}
