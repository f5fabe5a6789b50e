// The last words to a link that no server answers.

#include "site/farewell.h"

#include "base/assert.h"

void site_farewell(apex_web *web, apex_web_room room, apex_link link, apex_reason reason,
                   const char *text) {
    enum { BYTES_MAX = 512 };
    apex_server_message message = {.kind = APEX_SERVER_GOODBYE, .goodbye = {.reason = reason}};
    apex_wire_text(message.goodbye.text, sizeof message.goodbye.text, text);
    uint8_t bytes[BYTES_MAX];
    size_t length = apex_encode_server(&message, bytes, sizeof bytes);
    APEX_ASSERT(length > 0);
    apex_link_packet packet = {link, APEX_CHANNEL_RELIABLE, bytes, length};
    apex_web_send(web, room, &packet, 1);
    apex_web_close_link(web, room, link);
}
