// A measure is counted in the step that it falls into.
#include "client-lite/view/spread.h"

static const double FIRST = 1e-4;
static const double GROWTH = 1.5;

void client_spread_add(client_spread *spread, double value) {
    uint32_t step = 0;
    double limit = FIRST;
    if (value != 0.0) {
        // Written so that not-a-number goes to the end.
        for (step = 1; step < CLIENT_SPREAD_STEPS && !(value <= limit); step++) {
            limit *= GROWTH;
        }
    }
    spread->counts[step]++;
    spread->count++;
    spread->max = value > spread->max ? value : spread->max;
}

double client_spread_quantile(const client_spread *spread, double share) {
    double wanted = share * (double)spread->count;
    double limit = 0.0;
    uint64_t seen = 0;
    for (uint32_t step = 0; step <= CLIENT_SPREAD_STEPS; step++) {
        seen += spread->counts[step];
        if (seen > 0 && (double)seen >= wanted) {
            return limit < spread->max ? limit : spread->max;
        }
        limit = step == 0 ? FIRST : limit * GROWTH;
    }
    return spread->max;
}
