// The program is for the kernel's classic packet filter, which sees a datagram with its header of
// UDP. It lets through
// * a CONNECT of ENet, by the number that stands for no peer, if it is long enough;
// * whatever is for one of the peers that there are;
// * of the seal what clients send: HELLO and OPEN of their length, DATA no shorter than empty.
// Of random bytes half have the bit that the seal has and ENet's own have not; of the others few
// name a peer. All that passes is looked at again, in datagram_gate.c and seal/.
#include "net/enet/kernel_filter.h"

#include <errno.h>
#include <linux/filter.h>
#include <sys/socket.h>

#include "net/enet/datagram_gate.h"
#include "seal/seal.h"

enum {
    UDP_BYTES = 8,
    SHORTEST_BYTES = 3,     // a header and something behind it
    CONNECT_BYTES = 4 + 48, // a header with its time, and the command
    SEAL_BIT = 0x40,
    WHOLE = 0xFFFF,
};

// The instructions that others jump to.
enum { IS_DATA = 8, IS_OPEN = 10, HANDSHAKE = 11, DATA = 13, CONNECT = 15, PASS = 17, DROP = 18 };

// Jumps count from the instruction after their own.
#define IF(at, condition, value, then, otherwise) \
    [at] = BPF_JUMP(BPF_JMP | (condition) | BPF_K, value, (then) - (at)-1, (otherwise) - (at)-1)
#define LENGTH(at) [at] = BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0)

static apex_err attach(int socket, int how, struct sock_filter *program, size_t length) {
    struct sock_fprog whole = {.len = (unsigned short)length, .filter = program};
    return setsockopt(socket, SOL_SOCKET, how, &whole, sizeof whole) == 0
               ? APEX_OK
               : apex_err_from_errno(errno);
}

apex_err net_kernel_filter(int socket, uint32_t peers) {
    struct sock_filter program[] = {
        LENGTH(0),
        IF(1, BPF_JGE, UDP_BYTES + SHORTEST_BYTES, 2, DROP),
        [2] = BPF_STMT(BPF_LD | BPF_B | BPF_ABS, UDP_BYTES),
        IF(3, BPF_JSET, SEAL_BIT, IS_DATA, 4),
        [4] = BPF_STMT(BPF_LD | BPF_H | BPF_ABS, UDP_BYTES),
        [5] = BPF_STMT(BPF_ALU | BPF_AND | BPF_K, NET_GATE_NO_PEER),
        IF(6, BPF_JEQ, NET_GATE_NO_PEER, CONNECT, 7),
        IF(7, BPF_JGE, peers, DROP, PASS),
        IF(IS_DATA, BPF_JEQ, APEX_SEAL_DATA, DATA, 9),
        IF(9, BPF_JEQ, APEX_SEAL_HELLO, HANDSHAKE, IS_OPEN),
        IF(IS_OPEN, BPF_JEQ, APEX_SEAL_OPEN, HANDSHAKE, DROP),
        LENGTH(HANDSHAKE),
        IF(HANDSHAKE + 1, BPF_JEQ, UDP_BYTES + APEX_SEAL_HANDSHAKE_BYTES, PASS, DROP),
        LENGTH(DATA),
        IF(DATA + 1, BPF_JGE, UDP_BYTES + APEX_SEAL_MORE_BYTES, PASS, DROP),
        LENGTH(CONNECT),
        IF(CONNECT + 1, BPF_JGE, UDP_BYTES + CONNECT_BYTES, PASS, DROP),
        [PASS] = BPF_STMT(BPF_RET | BPF_K, WHOLE),
        [DROP] = BPF_STMT(BPF_RET | BPF_K, 0),
    };
    return attach(socket, SO_ATTACH_FILTER, program, sizeof program / sizeof program[0]);
}

// It sees a datagram without its header of UDP, and returns the number of a socket.
apex_err net_kernel_steer(int socket) {
    enum { OF_SEAL = 5, LINKS = 7, DOOR = 8 };
    struct sock_filter program[] = {
        [0] = BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0),
        IF(1, BPF_JSET, SEAL_BIT, OF_SEAL, 2),
        [2] = BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 0),
        [3] = BPF_STMT(BPF_ALU | BPF_AND | BPF_K, NET_GATE_NO_PEER),
        IF(4, BPF_JEQ, NET_GATE_NO_PEER, DOOR, LINKS),
        IF(OF_SEAL, BPF_JEQ, APEX_SEAL_HELLO, DOOR, 6),
        IF(6, BPF_JEQ, APEX_SEAL_OPEN, DOOR, LINKS),
        [LINKS] = BPF_STMT(BPF_RET | BPF_K, 0),
        [DOOR] = BPF_STMT(BPF_RET | BPF_K, 1),
    };
    return attach(socket, SO_ATTACH_REUSEPORT_CBPF, program, sizeof program / sizeof program[0]);
}
