// A track's ground, laid in a worker's instance and taken over by a client's.
#include <stdlib.h>

#include "client-lite/client_internal.h"
#include "client-lite/session/handshake/session_welcome.h"
#include "client-lite/session/showing/session_shown.h"
#include "client-lite/tracks/laid.h"
#include "client-lite/tracks/track_cache.h"
#include "client-lite/wasm/page.h"

uint32_t page_lay_ground(page_instance *page, uint32_t length) {
    apex_client_tracks *tracks = apex_client_tracks_create();
    apex_def_problem problem;
    const client_laid_track *track =
        tracks != NULL ? client_track_cache_lay(tracks, 0, page->input.bytes, length, &problem)
                       : NULL;
    free(page->laid.bytes);
    page->laid = (page_memory){.capacity = 0};
    if (track != NULL) {
        page->laid.bytes = client_laid_write(&track->ground, &track->walls, &page->laid.capacity);
    }
    apex_client_tracks_destroy(tracks);
    return page->laid.bytes != NULL ? (uint32_t)page->laid.capacity : 0;
}

uint32_t page_track_def(page_instance *page) {
    size_t length;
    uint64_t hash;
    const uint8_t *bytes =
        apex_client_def_bytes(page->client, APEX_DEF_TRACK, NULL, &length, &hash);
    if (bytes == NULL) {
        return 0;
    }
    apex_json_writer *json = &page->json;
    apex_json_restart(json);
    apex_json_open(json, NULL, '{');
    apex_json_hash(json, "hash", hash);
    apex_json_open(json, "bytes", '[');
    apex_json_integer(json, NULL, (int64_t)(uintptr_t)bytes);
    apex_json_integer(json, NULL, (int64_t)length);
    apex_json_close(json);
    apex_json_close(json);
    return json->text.is_cut ? 0 : (uint32_t)json->text.length;
}

uint32_t page_awaits_ground(page_instance *page) {
    client_session *session = client_session_of(page->client);
    return session->state == APEX_CLIENT_LOADING && client_session_awaits_ground(session);
}

uint8_t *page_ground_room(page_instance *page, uint32_t bytes) {
    free(page->laid.bytes);
    page->laid = (page_memory){.bytes = malloc(bytes), .capacity = bytes};
    return page->laid.bytes;
}

void page_take_ground(page_instance *page, uint32_t length, double now_us) {
    uint8_t *bytes = length > 0 && length <= page->laid.capacity ? page->laid.bytes : NULL;
    if (bytes == NULL) {
        free(page->laid.bytes);
    }
    page->laid = (page_memory){.capacity = 0};
    client_session_take_ground(client_session_of(page->client), bytes, length);
    page_update(page, now_us); // says what is to be said now
}
