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

void proving_put_json(apex_json_writer *json, const char *key, double value) {
    apex_json_number(json, key, value, 10);
}
