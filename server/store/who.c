// A bot is nobody's guest, and has no key.
#include "store/who.h"

bool store_is_guest(const apex_store_who *who) {
    return !who->is_server && !who->has_driver;
}

void store_put_driver(apex_json_writer *json, const apex_store_who *who) {
    char text[APEX_FINGERPRINT_TEXT_BYTES];
    if (who->has_driver) {
        apex_fingerprint_text(who->driver, text);
        apex_json_text(json, "driver", text);
    } else {
        apex_json_null(json, "driver");
    }
}
