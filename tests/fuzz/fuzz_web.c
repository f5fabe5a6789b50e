// links: web
// Heads of requests. This must hold: a head is refused with a status and a sentence, or what was
// read of it is within its bounds and safe to hand on; and it reads the same whatever comes after.
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "web/door/host_names.h"
#include "web/door/request_head.h"
#include "web/door/trusted_proxies.h"

static bool is_within(web_text text, const uint8_t *data, size_t length) {
    const char *begin = (const char *)data;
    return text.at == NULL ||
           (text.at >= begin && text.length <= length && text.at + text.length <= begin + length);
}

static void check_path(const char *path) {
    require(path[0] == '/' && memchr(path, '\0', APEX_WEB_PATH_BYTES) != NULL);
    for (const char *at = path; *at != '\0'; at++) {
        require((unsigned char)*at >= 0x20 && *at != 0x7f);
        bool is_dots = strncmp(at, "/..", 3) == 0 && (at[3] == '/' || at[3] == '\0');
        require(!is_dots);
    }
}

// The one that asks is the proxy, or a client that the list does not trust, or another proxy that
// asks for itself.
static void check_forwarded(const web_head *head) {
    web_proxies proxies;
    require(web_proxies_parse("127.0.0.1 10.0.0.0/8 fd00::/8", &proxies));
    web_address address = {.bytes = {[10] = 0xff, [11] = 0xff, [12] = 127, [15] = 1}};
    web_address before = address;
    bool is_good = web_proxies_read(&proxies, head, &address);
    bool is_said = memcmp(&before, &address, sizeof before) != 0;
    require(!is_good || !is_said || head->forwarded_count > 0);
    char list[256] = "";
    snprintf(list, sizeof list, "%.*s", (int)(head->host.length < 200 ? head->host.length : 200),
             head->host.at != NULL ? head->host.at : "");
    if (web_proxies_parse(list, &proxies)) {
        require(proxies.count <= WEB_PROXIES_MAX);
        (void)web_proxies_have(&proxies, &address);
    }
}

static void check_whole(const web_head *head, const uint8_t *data, size_t length) {
    check_path(head->path);
    require(memchr(head->query, '\0', sizeof head->query) != NULL);
    require(memchr(head->token, '\0', sizeof head->token) != NULL);
    require(head->body_length <= APEX_WEB_BODY_BYTES);
    require(is_within(head->host, data, length) && is_within(head->origin, data, length));
    require(is_within(head->etags, data, length) && is_within(head->key, data, length));
    require(head->forwarded_count <= WEB_FORWARDED_MAX);
    for (uint32_t i = 0; i < head->forwarded_count; i++) {
        require(is_within(head->forwarded[i], data, length));
    }
    check_forwarded(head);
    static const char origins[] = "https://a.example http://b.example:8080";
    bool is_ours = web_host_is_ours(head, "localhost", "", origins);
    require(!is_ours || head->has_host);
    bool may_post = web_origin_is_ours(head, origins);
    require(may_post || head->has_origin);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // In memory of their own length, so that a sanitizer sees what reads past them.
    uint8_t *bytes = malloc(size > 0 ? size : 1);
    require(bytes != NULL);
    memcpy(bytes, data, size);
    static web_head head;
    static web_head again;
    web_head_result result = web_read_head(bytes, size, &head);
    if (result.state == WEB_HEAD_WHOLE) {
        require(result.length <= size && result.length <= WEB_HEAD_BYTES);
        check_whole(&head, bytes, result.length);
        web_head_result alone = web_read_head(bytes, result.length, &again);
        require(alone.state == WEB_HEAD_WHOLE && alone.length == result.length);
        require(strcmp(head.path, again.path) == 0 && head.body_length == again.body_length);
        require(web_read_head(bytes, result.length - 1, &again).state == WEB_HEAD_PART);
    } else if (result.state == WEB_HEAD_BAD) {
        require(result.status >= 400 && result.status < 600 && result.why != NULL);
    } else {
        require(size < WEB_HEAD_BYTES);
    }
    free(bytes);
    return 0;
}
