// The protocol of sd_notify(3) in its few lines, so that no library is needed for it.
#include "program/notify.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/log.h"

enum { STATUS_BYTES = 160 };

struct server_notify {
    int file;
    struct sockaddr_un to;
    socklen_t to_bytes;
    uint64_t watchdog_us; ///< the manager's patience; 0: it has no watchdog
    bool is_stopping, failed;
    char status[STATUS_BYTES];
};

// A path, or, with an @ in front, a name in the abstract namespace, whose first byte is 0.
static bool find_socket(server_notify *notify, const char *name) {
    size_t length = strlen(name);
    if ((name[0] != '/' && name[0] != '@') || length < 2 || length >= sizeof notify->to.sun_path) {
        return false;
    }
    notify->to.sun_family = AF_UNIX;
    memcpy(notify->to.sun_path, name, length);
    bool is_abstract = name[0] == '@';
    if (is_abstract) {
        notify->to.sun_path[0] = '\0';
    }
    // An abstract name has no end but its length; a path has its 0.
    size_t bytes = offsetof(struct sockaddr_un, sun_path) + length + (is_abstract ? 0 : 1);
    notify->to_bytes = (socklen_t)bytes;
    return true;
}

// A watchdog may be meant for another process of the service.
static uint64_t watchdog_us(void) {
    const char *text = getenv("WATCHDOG_USEC"), *whose = getenv("WATCHDOG_PID");
    bool is_ours = whose == NULL || strtoull(whose, NULL, 10) == (unsigned long long)getpid();
    return text != NULL && is_ours ? strtoull(text, NULL, 10) : 0;
}

server_notify *server_notify_open(void) {
    const char *name = getenv("NOTIFY_SOCKET");
    if (name == NULL || name[0] == '\0') {
        return NULL;
    }
    server_notify *notify = calloc(1, sizeof *notify);
    if (notify == NULL) {
        return NULL;
    }
    notify->watchdog_us = watchdog_us();
    notify->file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (!find_socket(notify, name) || notify->file < 0) {
        apex_log(APEX_LOG_WARN, "main",
                 "NOTIFY_SOCKET %s: the service manager hears nothing: expected /PATH or @NAME",
                 name);
        server_notify_close(notify);
        notify = NULL;
    }
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
    return notify;
}

void server_notify_close(server_notify *notify) {
    if (notify == NULL) {
        return;
    }
    if (notify->file >= 0) {
        close(notify->file);
    }
    free(notify);
}

// A manager that does not listen must not stop a race: nothing waits, and the first failure is
// told.
static void tell(server_notify *notify, const char *text) {
    ssize_t sent = sendto(notify->file, text, strlen(text), MSG_NOSIGNAL,
                          (const struct sockaddr *)&notify->to, notify->to_bytes);
    if (sent < 0 && !notify->failed) {
        notify->failed = true;
        apex_log(APEX_LOG_WARN, "main", "the service manager hears nothing: %s", strerror(errno));
    }
}

void server_notify_ready(server_notify *notify, const char *status) {
    if (notify == NULL) {
        return;
    }
    char text[STATUS_BYTES + 32];
    snprintf(notify->status, sizeof notify->status, "%s", status);
    snprintf(text, sizeof text, "READY=1\nSTATUS=%s\n", notify->status);
    tell(notify, text);
}

void server_notify_stopping(server_notify *notify) {
    if (notify != NULL && !notify->is_stopping) {
        notify->is_stopping = true;
        tell(notify, "STOPPING=1\nSTATUS=ending the races and writing their files\n");
    }
}

void server_notify_status(server_notify *notify, const char *status) {
    if (notify == NULL || notify->is_stopping || strcmp(notify->status, status) == 0) {
        return;
    }
    char text[STATUS_BYTES + 32];
    snprintf(notify->status, sizeof notify->status, "%s", status);
    snprintf(text, sizeof text, "STATUS=%s\n", notify->status);
    tell(notify, text);
}

uint64_t server_notify_watchdog_us(const server_notify *notify) {
    return notify != NULL ? notify->watchdog_us : 0;
}

void server_notify_alive(server_notify *notify) {
    if (notify != NULL) {
        tell(notify, "WATCHDOG=1\n");
    }
}
