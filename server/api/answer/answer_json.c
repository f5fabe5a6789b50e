// Values that answers have beside JSON's own: metres, shares, checked names.
#include "api/answer/answer_json.h"

#include <math.h>
#include <string.h>

#include "api/answer/answer_text.h"
#include "base/assert.h"
#include "proto/proto.h"

apex_json_writer answer_json_begin(apex_arena *arena) {
    return apex_json_begin(answer_text_begin(arena), APEX_JSON_COMPACT);
}

void answer_json_metres(apex_json_writer *json, const char *key, double metres) {
    double mm = isfinite(metres) && fabs(metres) < 1e12 ? metres * 1e3 : 0.0;
    apex_json_seconds(json, key, llround(mm) * 1000);
}

// Millionths are written as microseconds are.
void answer_json_share(apex_json_writer *json, const char *key, uint32_t ppm) {
    apex_json_seconds(json, key, ppm);
}

void answer_json_text(apex_json_writer *json, const char *key, const char *value) {
    enum { PIECE_BYTES = 512 };
    char checked[PIECE_BYTES];
    if (!apex_wire_text_ok(value, strlen(value))) {
        apex_wire_text(checked, sizeof checked, value);
        value = checked;
    }
    apex_json_text(json, key, value);
}

const char *answer_json_end(apex_arena *arena, apex_json_writer *json, size_t *length) {
    APEX_ASSERT(json->depth == 0);
    apex_text_put(&json->text, "\n", 1);
    return answer_text_end(arena, &json->text, length);
}
