// Somebody on the way between one client and a server: sees each datagram, and may keep it back,
// change it, send it again, or send one of his own in either's name.

#ifndef APEX_TESTS_MIDDLEMAN_H
#define APEX_TESTS_MIDDLEMAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MIDDLEMAN_SEEN_MAX = 512, MIDDLEMAN_BYTES_MAX = 1500 };

typedef struct middleman_datagram {
    uint8_t bytes[MIDDLEMAN_BYTES_MAX];
    size_t length;
    bool is_up; // from the client to the server
} middleman_datagram;

typedef struct middleman {
    int to_client, to_server; // sockets
    uint16_t port;            // where the client finds it
    uint16_t client_port;
    uint32_t seen_count;
    middleman_datagram seen[MIDDLEMAN_SEEN_MAX]; // in the order in which they came
    // @return whether it goes on, changed or not. NULL: all do.
    bool (*passes)(void *context, middleman_datagram *datagram);
    void *context;
} middleman;

void middleman_open(middleman *man, uint16_t server_port);
void middleman_close(middleman *man);
// Hands on what has come.
void middleman_pump(middleman *man);
// In the client's name to the server, or the other way round.
void middleman_send(middleman *man, bool is_up, const uint8_t *bytes, size_t length);
// The client's router gives it another port.
void middleman_move(middleman *man, uint16_t server_port);

#endif
