// The page's files as answers, compressed as they are embedded.
#include "web/http/page_answer.h"

#include <stdio.h>
#include <string.h>

#include "web/http/answer.h"
#include "web/page_files/page_assets.h"
#include "web/web_state.h"

enum { PLAIN_ETAG_BYTES = 64 };

static void answer_without_page(web_connection *connection) {
    static const char text[] =
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Apex</title>"
        "<link rel=\"icon\" href=\"data:,\"></head>\n<body>\n<h1>Apex</h1>\n"
        "<p>The server runs, but it was built without its page: there was no Node.js, or something "
        "else that the page is made with.</p>\n"
        "<p>In its sources, on Debian, these install what is missing and build it again:</p>\n"
        "<pre>bash -c '. deploy/packages.sh &amp;&amp; apex_install_page'\n"
        "cmake --preset release -D APEX_PAGE=ON\n"
        "cmake --build build/release</pre>\n"
        "<p>Elsewhere install Node.js 18 or newer, npm, clang, lld and wasi-libc; the second line "
        "says what else is missing.</p>\n"
        "<p>What there is all the same: <a href=\"/api/races\">/api/races</a> and "
        "<a href=\"/metrics\">/metrics</a>.</p>\n</body>\n</html>\n";
    web_answer answer = {
        .status = 200,
        .type = "text/html; charset=utf-8",
        .bytes = text,
        .length = sizeof text - 1,
    };
    web_answer_with(connection, &answer);
}

static const web_asset *find(const char *path) {
    for (size_t i = 0; i < web_asset_count; i++) {
        if (strcmp(web_assets[i].path, path) == 0) {
            return &web_assets[i];
        }
    }
    return NULL;
}

// An etag may come as a weak one, since a proxy on the way may have made it so.
static bool has_etag(web_text etags, const char *etag) {
    size_t length = strlen(etag);
    for (size_t i = 0; etags.at != NULL && i + length <= etags.length; i++) {
        if (memcmp(etags.at + i, etag, length) == 0) {
            return true;
        }
    }
    return web_text_is(etags, "*");
}

static void answer_packed(web_connection *connection, const web_asset *asset) {
    web_answer answer = {
        .status = 200,
        .type = asset->type,
        .etag = asset->etag,
        .bytes = asset->bytes,
        .length = asset->length,
        .is_gzip = true,
        .is_kept = true,
    };
    web_answer_with(connection, &answer);
}

// For programs, old proxies, and people who just look with curl.
static void answer_plain(web_connection *connection, const web_asset *asset, const char *etag) {
    size_t place = (size_t)(asset - web_assets), length = 0;
    const uint8_t *bytes = web_unpacked(&connection->web->plain, place, &length);
    if (bytes == NULL) {
        web_refuse(connection, 406,
                   "There is no memory to unpack the page: ask with Accept-Encoding: gzip (curl: "
                   "--compressed).");
        return;
    }
    web_answer answer = {
        .status = 200,
        .type = asset->type,
        .etag = etag,
        .bytes = bytes,
        .length = length,
        .is_kept = true,
    };
    web_answer_with(connection, &answer);
}

// Other bytes want another mark: "abc" packed is "abc-plain" unpacked.
static void write_plain_etag(const web_asset *asset, char out[PLAIN_ETAG_BYTES]) {
    snprintf(out, PLAIN_ETAG_BYTES, "%.*s-plain\"", (int)strlen(asset->etag) - 1, asset->etag);
}

bool web_answer_page(web_connection *connection, const char *path) {
    const web_asset *asset = find(path);
    if (asset == NULL) {
        bool is_index = web_asset_count == 0 && strcmp(path, "/") == 0;
        if (is_index) {
            answer_without_page(connection);
        }
        return is_index;
    }
    char plain_etag[PLAIN_ETAG_BYTES];
    write_plain_etag(asset, plain_etag);
    bool is_packed = connection->head.takes_gzip;
    const char *etag = is_packed ? asset->etag : plain_etag;
    if (has_etag(connection->head.etags, etag)) {
        web_answer unchanged = {.status = 304, .etag = etag, .is_kept = true};
        web_answer_with(connection, &unchanged);
    } else if (is_packed) {
        answer_packed(connection, asset);
    } else {
        answer_plain(connection, asset, etag);
    }
    return true;
}

bool web_answer_not_found(web_connection *connection) {
    const web_asset *asset = find("/");
    if (asset == NULL || !connection->head.takes_gzip) {
        return false;
    }
    web_answer answer = {
        .status = 404,
        .type = asset->type,
        .bytes = asset->bytes,
        .length = asset->length,
        .is_gzip = true,
    };
    web_answer_with(connection, &answer);
    return true;
}
