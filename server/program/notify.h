/// What the service manager is told, by the protocol of sd_notify(3): datagrams of lines NAME=VALUE
/// to the socket that NOTIFY_SOCKET names. Without that variable nothing is told, at no cost.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct server_notify server_notify;

/// Looks at NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID, and takes them out of the environment:
/// no program that this one starts may speak for it. Before there is a second thread.
/// @return NULL if nobody listens, which all functions take; a socket that cannot be reached is
/// logged.
server_notify *server_notify_open(void);
void server_notify_close(server_notify *notify);

/// READY=1, with a STATUS line.
void server_notify_ready(server_notify *notify, const char *status);
/// STOPPING=1. Once; further calls do nothing.
void server_notify_stopping(server_notify *notify);
/// STATUS=, if it is another than was told last. @param status one line
void server_notify_status(server_notify *notify, const char *status);
/// The manager's patience in microseconds; 0: it has no watchdog, or nobody listens.
uint64_t server_notify_watchdog_us(const server_notify *notify);
/// WATCHDOG=1. The caller answers for it that the races go on.
void server_notify_alive(server_notify *notify);
