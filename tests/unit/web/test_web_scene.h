// The part that most tests of the gateway share: a rig, its turns, a link of a client, the newest
// frame.
#pragma once

#include "support/base/check_main.h"
#include "support/web/web_rig.h"

static web_rig *rig;
static uint8_t frame[1 << 16];
static size_t frame_length;

static inline void turns(int count) {
    for (int i = 0; i < count; i++) {
        web_rig_turn(rig);
    }
}

static inline apex_link open_on(web_client *client, const char *path) {
    ck_assert_int_eq(web_client_upgrade(client, rig, path, NULL), 101);
    return web_rig_last(rig, APEX_LINK_OPENED)->link;
}

static inline apex_link open_link(web_client *client) {
    web_client_open(client, rig, "127.0.0.1");
    return open_on(client, "/race/1");
}
