// Sessions without links: a test says what clients say, in virtual time, and reads what they are
// told.

#ifndef APEX_TESTS_SESSION_SCENE_H
#define APEX_TESTS_SESSION_SCENE_H

#include "net/net.h"

enum { SCENE_LINKS_MAX = 64, SCENE_EVENTS_MAX = 2048, SCENE_BYTES_MAX = 256 * 1024 };

typedef struct session_scene {
    apex_sessions *sessions;
    apex_arena frame;
    uint64_t now_us;
    apex_link_trust trust; // of links that connect; plain at first
    apex_mail *mail;       // of the last round
    size_t mail_count;
    uint16_t generations[SCENE_LINKS_MAX];
    apex_link_event events[SCENE_EVENTS_MAX]; // for the next round
    size_t event_count;
    uint8_t bytes[SCENE_BYTES_MAX];
    size_t byte_count;
    _Alignas(16) uint8_t scratch[APEX_DECODE_SCRATCH_BYTES];
} session_scene;

// On the heap, since it is big. Time begins at one second.
session_scene *scene_open(apex_sessions_def def, size_t frame_bytes);
void scene_close(session_scene *scene);

// Links are numbered from 0. They are for the next round.
apex_link scene_link(const session_scene *scene, uint16_t number);
void scene_connect(session_scene *scene, uint16_t number, const char *address);
void scene_disconnect(session_scene *scene, uint16_t number);
// With the secret of its session.
void scene_say(session_scene *scene, uint16_t number, const apex_client_message *message);
// The secret that the newest Welcome told; 0: none.
uint64_t scene_secret(const session_scene *scene, uint16_t number);
void scene_say_bytes(session_scene *scene, uint16_t number, uint8_t channel, const void *bytes,
                     size_t length);

void scene_round(session_scene *scene, uint64_t later_us);

// The number of messages of this kind (0: any) that the outbox has for a link since the round
// began, and the newest of them.
uint32_t scene_heard(session_scene *scene, uint16_t number, int kind, apex_server_message *newest);
bool scene_is_closing(const session_scene *scene, uint16_t number);
uint32_t scene_mails(const session_scene *scene, apex_mail_kind kind, apex_mail *newest);
apex_session_state scene_state(const session_scene *scene, apex_session_id id);
uint64_t scene_counter(const session_scene *scene, apex_session_counter counter);

// A message of each kind, valid, on no particular occasion.
apex_client_message scene_message(apex_client_message_kind kind);
// Connects a link from 10.0.0.1 and brings it to a state, as a client would; not FREE.
apex_session_id scene_enter(session_scene *scene, uint16_t number, apex_session_state state);

#endif
