// A question is asked again after 0.2 s, 0.4 s, and so on up to 2 s; after 6 s, when a cookie may
// be too old, the client begins anew.
#include "client-lite/sealing.h"

#include <string.h>

enum { WAIT_MS = 200, WAIT_MS_MAX = 2000, TRY_MS_MAX = 6000, ANOTHER_KEY_MS = 2000 };

void client_sealing_init(client_sealing *sealing, bool is_plain, const uint8_t *server_key) {
    *sealing = (client_sealing){.is_plain = is_plain, .is_pinned = server_key != NULL};
    if (server_key != NULL) {
        memcpy(sealing->pinned, server_key, sizeof sealing->pinned);
    }
    client_sealing_begin(sealing);
}

void client_sealing_begin(client_sealing *sealing) {
    apex_seal_forget(&sealing->seal);
    apex_seal_client_init(&sealing->asking, sealing->is_pinned ? sealing->pinned : NULL);
    sealing->has_begun = false;
}

void client_sealing_forget(client_sealing *sealing) {
    apex_seal_forget(&sealing->seal);
}

bool client_sealing_is_ready(const client_sealing *sealing) {
    return sealing->is_plain || sealing->asking.step == APEX_SEAL_OPENED;
}

const uint8_t *client_sealing_server_key(const client_sealing *sealing) {
    return sealing->is_pinned ? sealing->pinned : NULL;
}

const uint8_t *client_sealing_binding(const client_sealing *sealing) {
    bool has_seal = !sealing->is_plain && sealing->asking.step == APEX_SEAL_OPENED;
    return has_seal ? sealing->seal.binding : NULL;
}

size_t client_sealing_ask(client_sealing *sealing, uint32_t now_ms,
                          uint8_t out[APEX_SEAL_HANDSHAKE_BYTES]) {
    if (client_sealing_is_ready(sealing)) {
        return 0;
    }
    if (sealing->has_begun && now_ms - sealing->begun_ms >= TRY_MS_MAX) {
        bool met_another = sealing->asking.met_another;
        client_sealing_begin(sealing);
        sealing->asking.met_another = met_another;
    }
    bool is_new = !sealing->has_begun || sealing->asked != sealing->asking.step;
    if (!is_new && now_ms - sealing->asked_ms < sealing->wait_ms) {
        return 0;
    }
    if (!sealing->has_begun) {
        sealing->begun_ms = now_ms;
        sealing->has_begun = true;
    }
    sealing->wait_ms = is_new                               ? WAIT_MS
                       : 2 * sealing->wait_ms < WAIT_MS_MAX ? 2 * sealing->wait_ms
                                                            : WAIT_MS_MAX;
    sealing->asked_ms = now_ms;
    sealing->asked = sealing->asking.step;
    return apex_seal_client_ask(&sealing->asking, out);
}

bool client_sealing_takes_another_key(client_sealing *sealing) {
    bool is_over = sealing->asking.met_another && sealing->asking.step == APEX_SEAL_GREETING &&
                   sealing->asked_ms - sealing->begun_ms >= ANOTHER_KEY_MS;
    if (!is_over || sealing->has_told) {
        return false;
    }
    sealing->has_told = true;
    return true;
}

static void take_answer(client_sealing *sealing, const uint8_t *bytes, size_t length) {
    apex_seal_client_take(&sealing->asking, bytes, length, &sealing->seal);
    if (sealing->asking.step == APEX_SEAL_OPENED) {
        // Whoever was trusted first is insisted on when this client comes back.
        memcpy(sealing->pinned, sealing->asking.server_key, sizeof sealing->pinned);
        sealing->is_pinned = true;
    }
}

bool client_sealing_open(client_sealing *sealing, uint8_t **bytes, size_t *length) {
    if (sealing->is_plain) {
        return true;
    }
    if (sealing->asking.step != APEX_SEAL_OPENED) {
        take_answer(sealing, *bytes, *length);
        return false;
    }
    return apex_seal_open(&sealing->seal, *bytes, *length, bytes, length);
}

size_t client_sealing_head(const client_sealing *sealing) {
    return sealing->is_plain ? 0 : APEX_SEAL_HEAD_BYTES;
}

size_t client_sealing_close(client_sealing *sealing, uint8_t *datagram, size_t length) {
    return sealing->is_plain ? length : apex_seal_close(&sealing->seal, datagram, length);
}
