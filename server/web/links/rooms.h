// Rooms: links by number, and what comes from them between two looks.
#pragma once

#include "web/links/room.h"

web_room *web_room_of(const web_rooms *rooms, apex_web_room room);
web_room *web_room_of_path(const web_rooms *rooms, const char *path, const char **tail);
web_link *web_room_free_link(web_room *room);
void web_room_opened(web_link *link);
bool web_room_bytes(web_link *link, const uint8_t *bytes, size_t length);
void web_room_closed(web_link *link);
web_link *web_room_link(web_room *room, apex_link handle);

void web_room_destroy(web_room *room);

// Hands out what has come since the last look, and reads on.
size_t web_room_take(web_room *room, const apex_link_event **events);
