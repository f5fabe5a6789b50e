// Places of clients, by session and by player.

#include "host/clients/clients.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

apex_err host_clients_create(host_clients *clients, uint32_t capacity, uint32_t player_capacity) {
    clients->capacity = capacity;
    clients->player_capacity = player_capacity;
    clients->end = 0;
    clients->at = calloc(capacity, sizeof *clients->at);
    clients->of_player = calloc(player_capacity, sizeof *clients->of_player);
    clients->memories = calloc(capacity, sizeof *clients->memories);
    return clients->at != NULL && clients->of_player != NULL && clients->memories != NULL
               ? APEX_OK
               : APEX_ERR_NO_MEMORY;
}

void host_clients_destroy(host_clients *clients) {
    for (uint32_t i = 0; clients->memories != NULL && i < clients->capacity; i++) {
        apex_viewer_memory_destroy(clients->memories[i]);
    }
    free(clients->memories);
    free(clients->at);
    free(clients->of_player);
    memset(clients, 0, sizeof *clients);
}

host_client *host_client_open(host_clients *clients, apex_session_id session) {
    APEX_ASSERT(session.index1 > 0 && session.index1 <= clients->capacity);
    host_client *client = &clients->at[session.index1 - 1];
    memset(client, 0, sizeof *client);
    client->session = session;
    clients->end = session.index1 > clients->end ? session.index1 : clients->end;
    host_controls_reset(&client->controls);
    return client;
}

host_client *host_client_of(const host_clients *clients, apex_session_id session) {
    if (session.index1 == 0 || session.index1 > clients->capacity) {
        return NULL;
    }
    host_client *client = &clients->at[session.index1 - 1];
    bool same = client->session.index1 == session.index1 &&
                client->session.generation == session.generation;
    return same ? client : NULL;
}

host_client *host_client_of_player(const host_clients *clients, apex_player_id player) {
    if (player.index1 == 0 || player.index1 > clients->player_capacity) {
        return NULL;
    }
    uint32_t place1 = clients->of_player[player.index1 - 1];
    if (place1 == 0) {
        return NULL;
    }
    host_client *client = &clients->at[place1 - 1];
    return client->player.generation == player.generation ? client : NULL;
}

void host_client_seat(host_clients *clients, host_client *client, apex_player_id player) {
    APEX_ASSERT(player.index1 > 0 && player.index1 <= clients->player_capacity);
    APEX_ASSERT(client->player.index1 == 0);
    client->player = player;
    clients->of_player[player.index1 - 1] = (uint32_t)(client - clients->at) + 1;
}

void host_client_unseat(host_clients *clients, host_client *client) {
    APEX_ASSERT(host_client_of_player(clients, client->player) == client);
    clients->of_player[client->player.index1 - 1] = 0;
    client->player = (apex_player_id){0, 0};
    client->viewer.own_car = 0;
    client->viewer.wants_own_car = false;
    client->viewer.controls_tick = 0;
    client->viewer.controls_depth = 0;
    client->hand_back_us = 0;
    host_controls_reset(&client->controls);
}

apex_viewer_memory *host_client_memory(host_clients *clients, const host_client *client) {
    return clients->memories[client - clients->at];
}

const apex_viewer_memory *host_client_has(const host_clients *clients, const host_client *client) {
    return clients->memories[client - clients->at];
}

bool host_client_remember(host_clients *clients, host_client *client) {
    apex_viewer_memory **memory = &clients->memories[client - clients->at];
    if (client->wants_deltas) {
        return true;
    }
    if (*memory == NULL) {
        *memory = apex_viewer_memory_create();
    } else {
        apex_viewer_memory_clear(*memory);
    }
    client->wants_deltas = *memory != NULL;
    return client->wants_deltas;
}

void host_client_reopen(host_clients *clients, host_client *client) {
    apex_player_id player = client->player;
    host_client_open(clients, client->session);
    client->player = player;
}

void host_client_close(host_clients *clients, host_client *client) {
    if (host_client_of_player(clients, client->player) == client) {
        clients->of_player[client->player.index1 - 1] = 0;
    }
    memset(client, 0, sizeof *client);
    while (clients->end > 0 && clients->at[clients->end - 1].session.index1 == 0) {
        clients->end--;
    }
}
