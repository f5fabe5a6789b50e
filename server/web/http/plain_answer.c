// From http:// to https://.
#include "web/http/plain_answer.h"

#include <stdio.h>
#include <string.h>

#include "web/http/answer.h"

enum { HOST_LENGTH_MAX = 100, PLACE_BYTES = 1024 };

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._";

// Names, addresses and ports: nothing that could be more than the host of an address.
static bool is_host(web_text host) {
    for (size_t i = 0; i < host.length; i++) {
        bool is_sign = host.at[i] == ':' || host.at[i] == '[' || host.at[i] == ']';
        if (!is_sign && (host.at[i] == '\0' || strchr(letters, host.at[i]) == NULL)) {
            return false;
        }
    }
    return host.at != NULL && host.length > 0 && host.length <= HOST_LENGTH_MAX;
}

// @return false if there is no room for it.
static bool add_path(const char *path, char *out, size_t bytes) {
    size_t length = strlen(out);
    for (; *path != '\0' && length + 4 <= bytes; path++) {
        bool is_plain = *path == '/' || strchr(letters, *path) != NULL;
        length += (size_t)snprintf(out + length, bytes - length, is_plain ? "%c" : "%%%02X",
                                   is_plain ? *path : (unsigned char)*path);
    }
    return *path == '\0';
}

// What stands in a query as it came, "%" of what is escaped in it included; all else is escaped.
// @return false if there is no room for it, and then it is left out.
static bool add_query(const char *query, char *out, size_t bytes) {
    size_t before = strlen(out), length = before;
    length += (size_t)snprintf(out + length, bytes - length, "?");
    for (; *query != '\0' && length + 4 <= bytes; query++) {
        bool is_plain =
            strchr("=&%+~/?:@!$'()*,;", *query) != NULL || strchr(letters, *query) != NULL;
        length += (size_t)snprintf(out + length, bytes - length, is_plain ? "%c" : "%%%02X",
                                   is_plain ? *query : (unsigned char)*query);
    }
    if (*query != '\0') {
        out[before] = '\0';
    }
    return *query == '\0';
}

void web_answer_plain(web_connection *connection) {
    const web_head *head = &connection->head;
    connection->keeps_alive = false;
    bool is_reading = head->method == WEB_GET || head->method == WEB_HEAD;
    if (!is_reading || head->wants_upgrade || !is_host(head->host)) {
        web_refuse(connection, 403,
                   "TLS is spoken on this port: begin the address with https://, "
                   "or wss:// for a WebSocket.");
        return;
    }
    char place[PLACE_BYTES];
    int length =
        snprintf(place, sizeof place, "https://%.*s", (int)head->host.length, head->host.at);
    if (!add_path(head->path, place, sizeof place)) {
        memcpy(place + length, "/", 2);
    } else if (head->query[0] != '\0') {
        (void)add_query(head->query, place, sizeof place);
    }
    static const char words[] = "TLS is spoken on this port.\n";
    web_answer answer = {
        .status = 308, .bytes = words, .length = sizeof words - 1, .location = place};
    web_answer_with(connection, &answer);
}
