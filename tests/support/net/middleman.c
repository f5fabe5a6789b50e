// Two sockets, one for each side.
#include "support/net/middleman.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/assert.h"

static struct sockaddr_in loopback(uint16_t port) {
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int open_at(uint16_t *port) {
    struct sockaddr_in own = loopback(0);
    socklen_t length = sizeof own;
    int opened = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    APEX_ASSERT(opened >= 0 && bind(opened, (struct sockaddr *)&own, length) == 0);
    APEX_ASSERT(getsockname(opened, (struct sockaddr *)&own, &length) == 0);
    *port = ntohs(own.sin_port);
    return opened;
}

static int open_towards(uint16_t server_port) {
    struct sockaddr_in server = loopback(server_port);
    uint16_t port = 0;
    int opened = open_at(&port);
    APEX_ASSERT(connect(opened, (struct sockaddr *)&server, sizeof server) == 0);
    return opened;
}

void middleman_open(middleman *man, uint16_t server_port) {
    memset(man, 0, sizeof *man);
    man->to_client = open_at(&man->port);
    man->to_server = open_towards(server_port);
}

void middleman_close(middleman *man) {
    close(man->to_client);
    close(man->to_server);
}

void middleman_move(middleman *man, uint16_t server_port) {
    close(man->to_server);
    man->to_server = open_towards(server_port);
}

void middleman_send(middleman *man, bool is_up, const uint8_t *bytes, size_t length) {
    struct sockaddr_in client = loopback(man->client_port);
    ssize_t sent =
        is_up ? send(man->to_server, bytes, length, 0)
              : sendto(man->to_client, bytes, length, 0, (struct sockaddr *)&client, sizeof client);
    (void)sent; // a port that nobody has
}

static bool take(middleman *man, bool is_up, middleman_datagram *out) {
    struct sockaddr_in from = {0};
    socklen_t length = sizeof from;
    ssize_t came = recvfrom(is_up ? man->to_client : man->to_server, out->bytes, sizeof out->bytes,
                            0, (struct sockaddr *)&from, &length);
    if (came < 0) {
        return false;
    }
    out->length = (size_t)came;
    out->is_up = is_up;
    if (is_up) {
        man->client_port = ntohs(from.sin_port);
    }
    return true;
}

void middleman_pump(middleman *man) {
    for (int side = 0; side < 2; side++) {
        middleman_datagram datagram;
        while (take(man, side == 0, &datagram)) {
            if (man->seen_count < MIDDLEMAN_SEEN_MAX) {
                man->seen[man->seen_count++] = datagram;
            }
            if (man->passes == NULL || man->passes(man->context, &datagram)) {
                middleman_send(man, datagram.is_up, datagram.bytes, datagram.length);
            }
        }
    }
}
