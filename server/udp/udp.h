/// Datagrams of either family, IPv4 and IPv6, many in a call of the system. Both ends use it, below
/// ENet, which knows IPv4 alone and one datagram at a time.
///
/// A server's socket takes both families where the machine has both. One thread for each object.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/error.h"

enum {
    APEX_UDP_IP_BYTES = 16,
    APEX_UDP_HOST_TEXT_BYTES = 48, ///< of an address without its port, with its end
    APEX_UDP_DATAGRAM_BYTES_MAX = 1500,
    APEX_UDP_BATCH_MAX = 64,
};

// Addresses.

/// Both families as IPv6 has them: 1.2.3.4 is ::ffff:1.2.3.4. Compares and hashes by its bytes.
typedef struct apex_udp_address {
    uint8_t ip[APEX_UDP_IP_BYTES];
    uint16_t port;      ///< in the machine's order
    uint32_t interface; ///< of a link-local one; 0 for others
} apex_udp_address;

/// "1.2.3.4", "2001:db8::1" or "[2001:db8::1]"; the port becomes 0. @return false for anything
/// else, names included.
bool apex_udp_parse_host(const char *text, apex_udp_address *out);
/// As people write it: IPv4 as such, IPv6 without brackets.
void apex_udp_host_text(const apex_udp_address *address, char out[APEX_UDP_HOST_TEXT_BYTES]);
bool apex_udp_is_v4(const apex_udp_address *address);
bool apex_udp_is_same(const apex_udp_address *a, const apex_udp_address *b);
/// Loopback, private (RFC 1918, RFC 4193), link-local.
bool apex_udp_is_near(const apex_udp_address *address);

/// A part of an address, with zeros behind it: what limits go by.
typedef struct apex_udp_network {
    uint8_t ip[APEX_UDP_IP_BYTES];
} apex_udp_network;

/// What one household has: an address of IPv4, a /64 of IPv6.
apex_udp_network apex_udp_subscriber_of(const apex_udp_address *address);
/// The /24 of IPv4, the /48 of IPv6.
apex_udp_network apex_udp_neighbourhood_of(const apex_udp_address *address);

// Sockets.

typedef struct apex_udp_def {
    const char *host;      ///< NULL or "": all addresses of this machine, of both families
    uint16_t port;         ///< 0: any free one
    bool shares_port;      ///< others that were opened so may have the same port: see DECISIONS 30
    uint32_t buffer_bytes; ///< wished for in each direction; the system may give less
} apex_udp_def;

/// @param port is set to the one that it got. @return the socket; or APEX_ERR_INVALID (host),
/// BUSY_PORT, PERMISSION, IO.
int apex_udp_open(const apex_udp_def *def, uint16_t *port);
/// Lets later sockets share its port.
apex_err apex_udp_share_port(int socket);
/// @return the datagrams that the system has dropped at this socket, for want of room or by a
/// filter on it. Wraps at 32 bits; stays 0 where the system does not tell.
uint32_t apex_udp_dropped(int socket);

/// A socket that sends to one server and hears it alone. The name is looked up, which may take
/// time.
/// @param server is set to the address that it was found at. @return the socket, or
/// APEX_ERR_NOT_FOUND, IO.
int apex_udp_connect(const char *host, uint16_t port, apex_udp_address *server);

// Reading and writing.

typedef struct apex_udp_datagram {
    apex_udp_address address;
    uint8_t *bytes; ///< the reader's own, until the next read
    size_t length;
    bool is_cut; ///< it was longer than APEX_UDP_DATAGRAM_BYTES_MAX
} apex_udp_datagram;

typedef struct apex_udp_reader apex_udp_reader;

/// Reads from this socket, which it borrows.
apex_err apex_udp_reader_create(int socket, apex_udp_reader **out);
void apex_udp_reader_destroy(apex_udp_reader *reader); ///< NULL is fine
/// Up to APEX_UDP_BATCH_MAX of what has come, without waiting. @return how many; 0 when there is
/// nothing, which a datagram of no bytes is not.
size_t apex_udp_read(apex_udp_reader *reader, const apex_udp_datagram **datagrams);

typedef struct apex_udp_writer apex_udp_writer;

/// What a writer has done since it was made.
typedef struct apex_udp_written {
    uint64_t datagrams, bytes, errors;
} apex_udp_written;

/// Writes to this socket, which it borrows.
apex_err apex_udp_writer_create(int socket, apex_udp_writer **out);
void apex_udp_writer_destroy(apex_udp_writer *writer);
/// Room for one datagram of at most APEX_UDP_DATAGRAM_BYTES_MAX; sends those before it where there
/// is none. The caller fills it, and then adds it or not.
uint8_t *apex_udp_room(apex_udp_writer *writer);
/// Queues what was put into the room. It goes to `address` with the next flush, or before.
void apex_udp_add(apex_udp_writer *writer, const apex_udp_address *address, size_t length);
/// One that cannot be sent is lost, as others are on the way, and counted.
void apex_udp_flush(apex_udp_writer *writer);
apex_udp_written apex_udp_written_by(const apex_udp_writer *writer);

// Below ENet.

/// What ENet calls on this thread in place of the system's sendmsg and recvmsg. An address of
/// ENet's is only a name here, which the owner gave.
typedef struct apex_udp_path {
    void *owner;
    /// The next datagram that ENet is to see, at most `capacity` bytes long. @return its length; 0:
    /// there is none for now.
    size_t (*receive)(void *owner, uint8_t *out, size_t capacity, uint32_t *host, uint16_t *port);
    /// One datagram in pieces. @return its length.
    size_t (*send)(void *owner, uint32_t host, uint16_t port, const struct iovec *pieces,
                   size_t count);
} apex_udp_path;

/// From now on, on this thread; borrowed. NULL: the system's functions, as in ENet itself.
void apex_udp_lay_path(const apex_udp_path *path);
