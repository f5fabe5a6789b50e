// Links are events that the scene makes up; what sessions send is searched link by link.
#include "support/net/session_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "net/sessions/session_table.h"

session_scene *scene_open(apex_sessions_def def, size_t frame_bytes) {
    static const uint8_t key[16] = "a key for tests";
    session_scene *scene = calloc(1, sizeof *scene);
    APEX_ASSERT(scene != NULL);
    scene->now_us = 1000000;
    APEX_ASSERT(apex_sessions_create(&def, key, &scene->sessions) == APEX_OK);
    APEX_ASSERT(apex_arena_create(&scene->frame, frame_bytes) == APEX_OK);
    return scene;
}

void scene_close(session_scene *scene) {
    apex_sessions_destroy(scene->sessions);
    apex_arena_destroy(&scene->frame);
    free(scene);
}

apex_link scene_link(const session_scene *scene, uint16_t number) {
    APEX_ASSERT(number < SCENE_LINKS_MAX);
    return (apex_link){(uint16_t)(number + 1), scene->generations[number]};
}

uint64_t scene_secret(const session_scene *scene, uint16_t number) {
    const apex_sessions *sessions = scene->sessions;
    uint16_t index1 = sessions->by_link[number + 1];
    return index1 != 0 ? sessions->table[index1 - 1].secret : 0;
}

static apex_link_event *add_event(session_scene *scene, apex_link_event_kind kind,
                                  uint16_t number) {
    APEX_ASSERT(scene->event_count < SCENE_EVENTS_MAX);
    apex_link_event *event = &scene->events[scene->event_count++];
    *event = (apex_link_event){.kind = kind, .link = scene_link(scene, number)};
    return event;
}

void scene_connect(session_scene *scene, uint16_t number, const char *address) {
    scene->generations[number]++;
    apex_link_event *event = add_event(scene, APEX_LINK_OPENED, number);
    event->trust = scene->trust;
    snprintf(event->address, sizeof event->address, "%s", address);
}

void scene_disconnect(session_scene *scene, uint16_t number) {
    add_event(scene, APEX_LINK_CLOSED, number);
}

void scene_say_bytes(session_scene *scene, uint16_t number, uint8_t channel, const void *bytes,
                     size_t length) {
    APEX_ASSERT(scene->byte_count + length <= sizeof scene->bytes);
    uint8_t *copy = scene->bytes + scene->byte_count;
    if (length > 0) {
        memcpy(copy, bytes, length);
    }
    scene->byte_count += length;
    apex_link_event *event = add_event(scene, APEX_LINK_BYTES, number);
    event->channel = channel;
    event->bytes = copy;
    event->length = length;
}

void scene_say(session_scene *scene, uint16_t number, const apex_client_message *message) {
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    apex_client_message proven = *message;
    proven.secret = scene_secret(scene, number);
    size_t length = apex_encode_client(&proven, bytes, sizeof bytes);
    APEX_ASSERT(length > 0);
    scene_say_bytes(scene, number, (uint8_t)apex_client_message_channel(message->kind), bytes,
                    length);
}

void scene_round(session_scene *scene, uint64_t later_us) {
    scene->now_us += later_us;
    apex_arena_reset(&scene->frame);
    apex_sessions_begin(scene->sessions, scene->now_us, &scene->frame);
    scene->mail_count =
        apex_sessions_take(scene->sessions, scene->events, scene->event_count, &scene->mail);
    scene->event_count = 0;
    scene->byte_count = 0;
}

uint32_t scene_heard(session_scene *scene, uint16_t number, int kind, apex_server_message *newest) {
    const apex_link_packet *packets = NULL;
    size_t count = apex_sessions_outbox(scene->sessions, &packets);
    apex_scratch scratch = {scene->scratch, sizeof scene->scratch};
    uint32_t heard = 0;
    for (size_t i = 0; i < count; i++) {
        apex_server_message message;
        if (packets[i].link.index1 != number + 1) {
            continue;
        }
        APEX_ASSERT(packets[i].link.generation == scene->generations[number]);
        APEX_ASSERT(
            apex_decode_server(packets[i].bytes, packets[i].length, scratch, &message, NULL));
        APEX_ASSERT(packets[i].channel == apex_server_message_channel(message.kind));
        if (kind == 0 || message.kind == (apex_server_message_kind)kind) {
            heard++;
            if (newest != NULL) {
                *newest = message;
            }
        }
    }
    return heard;
}

bool scene_is_closing(const session_scene *scene, uint16_t number) {
    const apex_link *links = NULL;
    size_t count = apex_sessions_closing(scene->sessions, &links);
    for (size_t i = 0; i < count; i++) {
        if (links[i].index1 == number + 1 && links[i].generation == scene->generations[number]) {
            return true;
        }
    }
    return false;
}

uint32_t scene_mails(const session_scene *scene, apex_mail_kind kind, apex_mail *newest) {
    uint32_t count = 0;
    for (size_t i = 0; i < scene->mail_count; i++) {
        if (scene->mail[i].kind == kind) {
            count++;
            if (newest != NULL) {
                *newest = scene->mail[i];
            }
        }
    }
    return count;
}

apex_session_state scene_state(const session_scene *scene, apex_session_id id) {
    const net_session *session = net_session_find_any(scene->sessions, id);
    return session != NULL ? (apex_session_state)session->state : APEX_SESSION_FREE;
}

uint64_t scene_counter(const session_scene *scene, apex_session_counter counter) {
    return apex_sessions_counters(scene->sessions)[counter];
}

apex_client_message scene_message(apex_client_message_kind kind) {
    apex_client_message message = {.kind = kind};
    if (kind == APEX_CLIENT_HELLO) {
        message.hello.protocol_version = APEX_PROTOCOL_VERSION;
        snprintf(message.hello.client, sizeof message.hello.client, "test");
    } else if (kind == APEX_CLIENT_JOIN) {
        snprintf(message.join.name, sizeof message.join.name, "Ada");
    } else if (kind == APEX_CLIENT_DEF_REQUEST) {
        message.def_hash = 42;
    } else if (kind == APEX_CLIENT_TIME_REQUEST) {
        message.client_us = 7;
    } else if (kind == APEX_CLIENT_SUBSCRIBE) {
        message.subscribe.snapshot_hz = 20;
    } else if (kind == APEX_CLIENT_CONTROLS) {
        message.controls.first_tick = 100;
        message.controls.sample_count = 1;
        message.controls.samples[0].throttle = 255;
    } else if (kind == APEX_CLIENT_SNAPSHOT_ACK) {
        message.snapshot_ack.newest = 1;
    } else if (kind == APEX_CLIENT_PLAYBACK) {
        message.playback.play = APEX_PLAY_PAUSE;
    } else if (kind == APEX_CLIENT_PIT_PLAN) {
        message.pit_plan.tyres = true;
    }
    return message;
}

static void say_and_round(session_scene *scene, uint16_t number, apex_client_message_kind kind) {
    apex_client_message message = scene_message(kind);
    if (kind == APEX_CLIENT_JOIN || kind == APEX_CLIENT_SPECTATE) {
        char *password =
            kind == APEX_CLIENT_JOIN ? message.join.password : message.spectate.password;
        memcpy(password, "secret", 7); // harmless where none is asked for
    }
    scene_say(scene, number, &message);
    scene_round(scene, 1000);
}

apex_session_id scene_enter(session_scene *scene, uint16_t number, apex_session_state state) {
    scene_connect(scene, number, "10.0.0.1");
    scene_round(scene, 1000);
    apex_mail mail = {0};
    if (state == APEX_SESSION_GREETING) {
        return mail.session;
    }
    say_and_round(scene, number, APEX_CLIENT_HELLO);
    APEX_ASSERT(scene_mails(scene, APEX_MAIL_WELCOMED, &mail) == 1);
    apex_session_id id = mail.session;
    apex_sessions_welcome(scene->sessions, id, &(apex_welcome){.tick_hz = 60, .snapshot_hz = 20});
    if (state == APEX_SESSION_JOINING || state == APEX_SESSION_PLAYER) {
        say_and_round(scene, number, APEX_CLIENT_JOIN);
    } else if (state == APEX_SESSION_SPECTATOR) {
        say_and_round(scene, number, APEX_CLIENT_SPECTATE);
    } else if (state == APEX_SESSION_CLOSING) {
        apex_sessions_close(scene->sessions, id, APEX_REASON_KICKED, "for a test");
        scene_round(scene, 1000);
    }
    if (state == APEX_SESSION_PLAYER || state == APEX_SESSION_SPECTATOR) {
        apex_joined joined = {.player = state == APEX_SESSION_PLAYER ? number + 1u : 0};
        apex_sessions_accept(scene->sessions, id, &joined);
    }
    APEX_ASSERT(scene_state(scene, id) == state);
    return id;
}
