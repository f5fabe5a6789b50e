// The words are compared by their looks, as all names are; numbers and what ties them to a word are
// cut off before.
#include "host/simulation/common_names.h"

#include <string.h>

#include "base/assert.h"

void host_common_names_learn(host_common_names *common, const apex_name_judge *judge) {
    static const char *const words[] = {"bot", "driver", "guest", "load", "player", "racer"};
    _Static_assert(sizeof words / sizeof words[0] == HOST_COMMON_NAMES, "a look for each");
    for (size_t i = 0; i < HOST_COMMON_NAMES; i++) {
        bool is_name = apex_name_look_of(judge, words[i], &common->looks[i]);
        APEX_ASSERT(is_name);
    }
}

bool host_is_common_name(const host_common_names *common, const apex_name_judge *judge,
                         const char *name) {
    char stem[APEX_WIRE_NAME_BYTES];
    apex_wire_text(stem, sizeof stem, name);
    size_t length = strlen(stem);
    while (length > 0 && strchr("0123456789 -_#.()", stem[length - 1]) != NULL) {
        length--;
    }
    stem[length] = '\0';
    apex_name_look look;
    if (!apex_name_look_of(judge, stem, &look)) {
        return false;
    }
    for (size_t i = 0; i < HOST_COMMON_NAMES; i++) {
        if (apex_name_looks_alike(&look, &common->looks[i])) {
            return true;
        }
    }
    return false;
}
