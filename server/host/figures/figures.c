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
