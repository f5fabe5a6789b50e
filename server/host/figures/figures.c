// The words and shares of a server's figures, which are the same for all who show them.

#include "host/figures/figures.h"

const char *host_key_of(const char *name, char out[HOST_KEY_BYTES]) {
    size_t length = 0;
    for (; name[length] != '\0' && length < HOST_KEY_BYTES - 1; length++) {
        out[length] = name[length] == '-' ? '_' : name[length];
    }
    out[length] = '\0';
    return out;
}

uint32_t host_controls_depth_quantile(const apex_controls_counters *controls, double share) {
    double wanted = share * (double)controls->used_on_tick;
    double seen = 0.0;
    uint32_t depth = 0;
    for (; depth < APEX_CONTROLS_DEPTHS - 1; depth++) {
        seen += (double)controls->depths[depth];
        if (seen >= wanted) {
            break;
        }
    }
    return depth;
}
