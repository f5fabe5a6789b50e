// links: base
// Floods a server on this machine: flood KIND PORT PER_S SECONDS [SOURCES]
//
// One socket speaks for 50,000 addresses of 127/8 or as many as are said, all of which are this
// machine's. It prints what it sent, what came back, and how many bytes that was of each byte sent.
//   garbage     bytes by chance, 1 to 200
//   connects    ENet's CONNECT, never gone on with
//   proofs      CONNECT, and the acknowledgement of each VERIFY_CONNECT that comes
//   pings       32 of ENet's pings in each datagram, over 64 links that were made before
//   hellos      the first datagram of a sealed connection
#define _GNU_SOURCE // sendmmsg
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    BATCH = 64,
    DATAGRAM_BYTES = 256,
    LINKS = 64,
    PINGS = 32,
    CONNECT_BYTES = 52,
    VERIFY_BYTES = 48,
    HELLO_BYTES = 64,
    SOURCES_DEFAULT = 50000,
};

typedef enum kind { GARBAGE, CONNECTS, PROOFS, PINGS_OF_LINKS, HELLOS, KINDS } kind;

static const char *const kind_names[KINDS] = {"garbage", "connects", "proofs", "pings", "hellos"};

typedef struct control {
    _Alignas(struct cmsghdr) uint8_t bytes[CMSG_SPACE(sizeof(struct in_pktinfo))];
} control;

// A datagram and whose it is: from where when it is sent, to where when it came.
typedef struct letter {
    uint32_t source; // in the machine's order
    size_t length;
    uint8_t bytes[DATAGRAM_BYTES];
} letter;

typedef struct batch {
    struct mmsghdr messages[BATCH];
    struct iovec pieces[BATCH];
    struct sockaddr_in peers[BATCH];
    control controls[BATCH];
    letter letters[BATCH];
} batch;

typedef struct link {
    uint32_t source;
    uint16_t head; // of a datagram: peer id, session, and that it has a time
} link_of_ours;

static struct sockaddr_in server;
static int opened;
static uint32_t sources;
static uint64_t chance_state = 88172645463325252u;
static link_of_ours links[LINKS];
static uint32_t link_count, link_next;
static uint64_t sent, sent_bytes, came, came_bytes;
static batch outgoing, incoming;

static uint64_t chance(void) {
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 7;
    chance_state ^= chance_state << 17;
    return chance_state;
}

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// Spread over all of 127/8, and none of them 127.0.0.1.
static uint32_t source_of(uint32_t number) {
    return 0x7F000000u | (0x010002u + number * 331u % 0xFD0000u);
}

static void put_u16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void put_u32(uint8_t *at, uint32_t value) {
    put_u16(at, value >> 16);
    put_u16(at + 2, value & 0xFFFF);
}

static void write_connect(letter *out) {
    out->length = CONNECT_BYTES;
    memset(out->bytes, 0, out->length);
    put_u16(out->bytes, 0x8FFF);
    uint8_t *command = out->bytes + 4;
    command[0] = 0x82;
    command[1] = 0xFF;
    put_u16(command + 2, 1);
    put_u16(command + 4, (uint32_t)(chance() % 0xFFF));
    put_u16(command + 6, 0xFFFF);
    put_u32(command + 8, 1400);
    put_u32(command + 12, 65536);
    put_u32(command + 16, 2);
    put_u32(command + 28, 5000);
    put_u32(command + 32, 2);
    put_u32(command + 36, 2);
    put_u32(command + 40, (uint32_t)chance());
    put_u32(command + 44, (uint32_t)chance());
}

static void write_by_chance(letter *out, size_t length) {
    out->length = length;
    for (size_t i = 0; i < length; i++) {
        out->bytes[i] = (uint8_t)(chance() >> 24);
    }
}

static void write_pings(letter *out) {
    const link_of_ours *from = &links[link_next++ % link_count];
    out->source = from->source;
    out->length = 4 + 4 * PINGS;
    put_u16(out->bytes, from->head);
    put_u16(out->bytes + 2, 0);
    for (int i = 0; i < PINGS; i++) {
        uint8_t *command = out->bytes + 4 + 4 * i;
        command[0] = 0x85;
        command[1] = 0xFF;
        put_u16(command + 2, 1);
    }
}

static void write_one(kind what, letter *out) {
    out->source = source_of((uint32_t)(chance() % sources));
    switch (what) {
    case GARBAGE:
        write_by_chance(out, 1 + chance() % 200);
        break;
    case CONNECTS:
    case PROOFS:
        write_connect(out);
        break;
    case PINGS_OF_LINKS:
        write_pings(out);
        break;
    case HELLOS:
        write_by_chance(out, HELLO_BYTES);
        out->bytes[0] = 0xC1;
        out->bytes[1] = 1;
        break;
    case KINDS:
        abort();
    }
}

static void lay_out(batch *self, bool is_to_send) {
    for (int i = 0; i < BATCH; i++) {
        struct msghdr *header = &self->messages[i].msg_hdr;
        self->pieces[i] = (struct iovec){self->letters[i].bytes, DATAGRAM_BYTES};
        *header = (struct msghdr){.msg_name = is_to_send ? &server : &self->peers[i],
                                  .msg_namelen = sizeof server,
                                  .msg_iov = &self->pieces[i],
                                  .msg_iovlen = 1,
                                  .msg_control = &self->controls[i],
                                  .msg_controllen = sizeof self->controls[i]};
        if (is_to_send) {
            struct in_pktinfo info = {.ipi_spec_dst.s_addr = htonl(self->letters[i].source)};
            struct cmsghdr *said = CMSG_FIRSTHDR(header);
            said->cmsg_level = IPPROTO_IP;
            said->cmsg_type = IP_PKTINFO;
            said->cmsg_len = CMSG_LEN(sizeof info);
            memcpy(CMSG_DATA(said), &info, sizeof info);
            self->pieces[i].iov_len = self->letters[i].length;
        }
    }
}

static void send_batch(unsigned count) {
    lay_out(&outgoing, true);
    int gone = sendmmsg(opened, outgoing.messages, count, 0);
    for (int i = 0; i < gone; i++) {
        sent++;
        sent_bytes += outgoing.letters[i].length;
    }
}

static void acknowledge(const letter *verify) {
    const uint8_t *said = verify->bytes;
    letter *out = &outgoing.letters[0];
    uint16_t head = (uint16_t)(0x8000 | (said[11] & 3) << 12 | said[8] << 8 | said[9]);
    const uint8_t command[8] = {1, 0xFF, said[6], said[7], said[6], said[7], said[2], said[3]};
    out->source = verify->source;
    out->length = 12;
    put_u16(out->bytes, head);
    put_u16(out->bytes + 2, 0);
    memcpy(out->bytes + 4, command, sizeof command);
    send_batch(1);
    if (link_count < LINKS) {
        links[link_count++] = (link_of_ours){verify->source, head};
    }
}

// @return how many came.
static int receive_batch(bool is_to_acknowledge) {
    lay_out(&incoming, false);
    int count = recvmmsg(opened, incoming.messages, BATCH, MSG_DONTWAIT, NULL);
    for (int i = 0; i < count; i++) {
        letter *in = &incoming.letters[i];
        struct in_pktinfo info;
        struct cmsghdr *said = CMSG_FIRSTHDR(&incoming.messages[i].msg_hdr);
        in->length = incoming.messages[i].msg_len;
        came++;
        came_bytes += in->length;
        if (said != NULL && is_to_acknowledge && in->length >= VERIFY_BYTES &&
            (in->bytes[4] & 0x0F) == 3) {
            memcpy(&info, CMSG_DATA(said), sizeof info);
            in->source = ntohl(info.ipi_addr.s_addr);
            acknowledge(in);
        }
    }
    return count;
}

static void make_links(void) {
    for (int i = 0; i < LINKS; i++) {
        letter *out = &outgoing.letters[0];
        write_connect(out);
        out->source = source_of((uint32_t)i);
        send_batch(1);
    }
    double until_s = now_s() + 0.5;
    while (link_count < LINKS && now_s() < until_s) {
        receive_batch(true);
        usleep(1000);
    }
    if (link_count == 0) {
        fprintf(stderr, "flood: no link came about\n");
        exit(1);
    }
}

static void run(kind what, double per_s, double seconds) {
    double began_s = now_s();
    double passed_s = 0.0;
    uint64_t wanted = 0;
    while ((passed_s = now_s() - began_s) < seconds) {
        if ((double)(wanted + BATCH) > passed_s * per_s) {
            usleep(200);
        } else {
            for (int i = 0; i < BATCH; i++) {
                write_one(what, &outgoing.letters[i]);
            }
            send_batch(BATCH);
            wanted += BATCH;
        }
        for (int i = 0; i < 4 && receive_batch(what == PROOFS) == BATCH; i++) {}
    }
}

static void open_socket(void) {
    int on = 1;
    int buffer_bytes = 4 * 1024 * 1024;
    struct sockaddr_in any = {.sin_family = AF_INET};
    opened = socket(AF_INET, SOCK_DGRAM, 0);
    setsockopt(opened, IPPROTO_IP, IP_PKTINFO, &on, sizeof on);
    setsockopt(opened, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof buffer_bytes);
    if (opened < 0 || bind(opened, (struct sockaddr *)&any, sizeof any) != 0) {
        perror("flood: a socket");
        exit(1);
    }
}

int main(int argc, char **argv) {
    int what = 0;
    while (argc >= 5 && what < KINDS && strcmp(argv[1], kind_names[what]) != 0) {
        what++;
    }
    if (argc < 5 || what == KINDS) {
        fprintf(stderr, "usage: flood garbage|connects|proofs|pings|hellos PORT PER_S SECONDS "
                        "[SOURCES]\n");
        return 2;
    }
    server = (struct sockaddr_in){.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)atoi(argv[2])),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    sources = argc > 5 ? (uint32_t)atoi(argv[5]) : SOURCES_DEFAULT;
    open_socket();
    if (what == PINGS_OF_LINKS) {
        make_links();
    }
    double seconds = atof(argv[4]);
    run((kind)what, atof(argv[3]), seconds);
    printf("sent %.0f came %.0f amplification %.3f\n", (double)sent / seconds,
           (double)came / seconds, sent_bytes > 0 ? (double)came_bytes / (double)sent_bytes : 0.0);
    return 0;
}
