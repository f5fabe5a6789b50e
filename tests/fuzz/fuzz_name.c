// links: net
// Any bytes as two names. A name that is accepted is legal on the wire, stays as it is when it is
// tidied again, and has a look, which is that of itself; looks are compared both ways alike.

#include "fuzz.h"

#include <string.h>

#include "net/player_name.h"

static apex_name_judge *judge(void) {
    static apex_name_judge *one;
    if (one == NULL) {
        require(apex_name_judge_create(&one) == APEX_OK);
    }
    return one;
}

static bool run(const uint8_t *data, size_t size, apex_name_look *look) {
    char name[APEX_WIRE_NAME_BYTES] = {0};
    memcpy(name, data, size < sizeof name ? size : sizeof name);
    char given[APEX_WIRE_NAME_BYTES];
    memcpy(given, name, sizeof given);
    apex_name_look of_given;
    bool has_look = apex_name_look_of(judge(), name, &of_given);
    const char *why = apex_name_tidy(name);
    if (why != NULL) {
        require(why[0] != 0 && memcmp(name, given, sizeof name) == 0);
        return false;
    }
    size_t length = strnlen(name, sizeof name);
    require(length > 0 && length < sizeof name && apex_wire_text_ok(name, length));
    char again[APEX_WIRE_NAME_BYTES];
    memcpy(again, name, sizeof again);
    require(apex_name_tidy(again) == NULL && memcmp(again, name, sizeof again) == 0);
    require(apex_name_look_of(judge(), name, look) && apex_name_looks_alike(look, look));
    require(has_look);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    apex_name_look looks[2];
    size_t half = size / 2;
    if (run(data, half, &looks[0]) && run(data + half, size - half, &looks[1])) {
        require(apex_name_looks_alike(&looks[0], &looks[1]) ==
                apex_name_looks_alike(&looks[1], &looks[0]));
    }
    return 0;
}
