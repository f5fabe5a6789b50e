// The public face: a session and a transport that feed each other.
#include "client-lite/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "client-lite/client_internal.h"
#include "client-lite/session/handshake/session_requests.h"
#include "client-lite/session/handshake/session_resume.h"
#include "client-lite/session/session.h"
#include "client-lite/session/session_controls.h"
#include "client-lite/session/session_pits.h"
#include "client-lite/session/session_receive.h"
#include "client-lite/session/showing/session_playback.h"

apex_client_def apex_default_client_def(void) {
    return (apex_client_def){.name = "driver",
                             .controls_lead_ticks = 3,
                             .connect_timeout_us = 5000000,
                             .silence_timeout_us = 5000000,
                             .reconnect = true};
}

const char *apex_client_state_name(apex_client_state state) {
    static const char *const NAMES[] = {"idle",    "connecting", "reconnecting",
                                        "greeted", "loading",    "joining",
                                        "driving", "spectating", "closed"};
    _Static_assert(sizeof NAMES / sizeof NAMES[0] == APEX_CLIENT_CLOSED + 1, "one name a state");
    APEX_ASSERT(state >= APEX_CLIENT_IDLE && state <= APEX_CLIENT_CLOSED);
    return NAMES[state];
}

apex_err apex_client_create(const apex_client_def *def, apex_client **out) {
    apex_client *client = calloc(1, sizeof *client);
    if (client == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    apex_err err = client_session_create(def, &client->session);
    if (err != APEX_OK) {
        free(client);
        return err;
    }
    client->link.is_plain = def->plain;
    if (def->server_key != NULL) {
        memcpy(client->server_key, def->server_key, sizeof client->server_key);
        client->link.server_key = client->server_key;
    }
    *out = client;
    return APEX_OK;
}

void apex_client_destroy(apex_client *client) {
    if (client == NULL) {
        return;
    }
    if (client->transport != NULL) {
        client_transport_close_now(client->transport);
        client_transport_destroy(client->transport);
    }
    client_session_destroy(client->session);
    free(client);
}

client_session *client_session_of(apex_client *client) {
    return client->session;
}

client_transport *client_transport_of(apex_client *client) {
    return client->transport;
}

apex_err apex_client_connect(apex_client *client, const char *host, uint16_t port) {
    if (client->session->state != APEX_CLIENT_IDLE || client->transport != NULL) {
        return APEX_ERR_STATE;
    }
    apex_err err = client_transport_create(&client->link, &client->transport);
    if (err != APEX_OK) {
        return err;
    }
    err = client_transport_connect(client->transport, host, port);
    if (err != APEX_OK) {
        client_transport_destroy(client->transport);
        client->transport = NULL;
        return err;
    }
    bool is_v6 = strchr(host, ':') != NULL;
    snprintf(client->server, sizeof client->server, is_v6 ? "[%s]:%u" : "%s:%u", host,
             (unsigned)port);
    return APEX_OK;
}

const uint8_t *apex_client_server_key(const apex_client *client) {
    return client->transport != NULL ? client_transport_server_key(client->transport) : NULL;
}

int apex_client_socket(const apex_client *client) {
    return client->transport != NULL ? client_transport_socket(client->transport) : -1;
}

// The session signs for the connection that its link has, and each link has one of its own.
static void tell_seal(apex_client *client) {
    const uint8_t *binding = client_transport_binding(client->transport);
    const uint8_t *key = binding != NULL ? client_transport_server_key(client->transport) : NULL;
    client_session_set_seal(client->session, key, binding);
}

static void receive_all(apex_client *client, uint64_t now_us) {
    client_transport_service(client->transport);
    client_link_event event;
    while (client_transport_poll(client->transport, &event)) {
        switch (event.kind) {
        case CLIENT_LINK_OPENED:
            tell_seal(client);
            client_session_opened(client->session, now_us);
            break;
        case CLIENT_LINK_BYTES:
            client_session_receive(client->session, event.channel, event.bytes, event.length,
                                   now_us);
            break;
        case CLIENT_LINK_CLOSED:
            client_session_link_refused(client->session, event.reason);
            break;
        }
    }
}

static void send_all(apex_client *client) {
    const client_packet *packets;
    size_t count = client_outbox_packets(&client->session->outbox, &packets);
    for (size_t i = 0; i < count; i++) {
        client_transport_send(client->transport, packets[i].channel, packets[i].bytes,
                              packets[i].length);
    }
    client_outbox_clear(&client->session->outbox);
    if (client->session->leaving && !client->closing) {
        client->closing = true;
        client_transport_close(client->transport);
    }
    if (count > 0 || client->closing) {
        client_transport_flush(client->transport);
    }
}

// @return false if there is no link to use.
static bool begin(apex_client *client, uint64_t now_us) {
    if (client->transport == NULL || client->session->state == APEX_CLIENT_CLOSED) {
        return false;
    }
    // Time enters only here, so the connect time-out counts from the first update.
    if (!client->begun && client->session->state == APEX_CLIENT_IDLE) {
        client->begun = true;
        client_session_begin(client->session, client->server, now_us);
    }
    return true;
}

static void end(apex_client *client) {
    if (client_session_take_wish(client->session)) {
        client_transport_reconnect(client->transport);
    }
    send_all(client);
    if (client->session->state == APEX_CLIENT_CLOSED) {
        client_transport_close_now(client->transport);
    }
}

void apex_client_update(apex_client *client, uint64_t now_us) {
    client_knowledge_begin_update(&client->session->knowledge);
    if (begin(client, now_us)) {
        receive_all(client, now_us);
        client_session_update(client->session, now_us);
        end(client);
    }
}

void apex_client_hear(apex_client *client, uint64_t now_us) {
    client_knowledge_begin_update(&client->session->knowledge);
    if (begin(client, now_us)) {
        receive_all(client, now_us);
        end(client);
    }
}

void apex_client_speak(apex_client *client, uint64_t now_us) {
    if (begin(client, now_us)) {
        client_session_update(client->session, now_us);
        end(client);
    }
}

uint64_t apex_client_due_us(const apex_client *client, uint64_t now_us) {
    return client->transport != NULL ? client_session_due_us(client->session, now_us) : UINT64_MAX;
}

void apex_client_leave(apex_client *client) {
    client_session_leave(client->session, client->session->updated_us);
}

apex_client_state apex_client_state_of(const apex_client *client) {
    // Between connect and the first update the session has not begun yet.
    bool connecting = client->session->state == APEX_CLIENT_IDLE && client->transport != NULL;
    return connecting ? APEX_CLIENT_CONNECTING : client->session->state;
}

void apex_client_focus(apex_client *client, uint32_t car) {
    client_session_focus(client->session, car);
}

void apex_client_play(apex_client *client, const apex_playback_wish *wish) {
    client_session_play(client->session, wish);
}

void apex_client_pit_plan(apex_client *client, const apex_wire_pit_plan *plan) {
    client_session_plan_pits(client->session, plan);
}

void apex_client_set_controls(apex_client *client, const apex_control_sample *controls) {
    client->session->controls.now = *controls;
}
