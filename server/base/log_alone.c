// What the log has threads for, where a program has one: in a browser. Lines go out at once, and no
// stranger causes any.

#ifdef __wasi__

#include "base/log_kinds.h"
#include "base/outlet.h"

apex_err apex_outlet_create(int file, size_t capacity, apex_outlet **out) {
    (void)file;
    (void)capacity;
    *out = NULL;
    return APEX_ERR_UNSUPPORTED;
}

bool apex_outlet_put(apex_outlet *outlet, const void *bytes, size_t length) {
    (void)outlet;
    (void)bytes;
    (void)length;
    return false;
}

size_t apex_outlet_room(apex_outlet *outlet) {
    (void)outlet;
    return 0;
}

bool apex_outlet_destroy(apex_outlet *outlet, unsigned wait_ms) {
    (void)outlet;
    (void)wait_ms;
    return true;
}

bool log_kinds_take(const char *kind, uint64_t now_us, const log_left_out *newest) {
    (void)kind;
    (void)now_us;
    (void)newest;
    return true;
}

bool log_kinds_due(uint64_t now_us, log_left_out *out) {
    (void)now_us;
    (void)out;
    return false;
}

#else

typedef int apex_log_is_alone; // a translation unit may not be empty

#endif
