// Plain page files: the page's files as they were before they were compressed, for clients that
// cannot unpack them. They are unpacked when they are first asked for and kept, so that asking
// again costs nothing.
#define ZLIB_CONST
#include "web/page_files/unpack.h"

#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>

#include "web/page_files/page_assets.h"

enum {
    GZIP_TRAILER_BYTES = 4,
    PLAIN_BYTES_MAX = 16 * 1024 * 1024, // of a file that the build has made
    WINDOW_AND_GZIP = 16 + MAX_WBITS,
};

// The length of its content that a gzip file tells at its end, in 32 bits.
static size_t plain_length(const web_asset *asset) {
    if (asset->length < GZIP_TRAILER_BYTES) {
        return 0;
    }
    const uint8_t *at = asset->bytes + asset->length - GZIP_TRAILER_BYTES;
    return (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

static bool unpack(const web_asset *asset, uint8_t *out, size_t length) {
    z_stream stream = {
        .next_in = asset->bytes,
        .avail_in = (uInt)asset->length,
        .next_out = out,
        .avail_out = (uInt)length,
    };
    if (inflateInit2(&stream, WINDOW_AND_GZIP) != Z_OK) {
        return false;
    }
    bool is_whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.total_out == length;
    inflateEnd(&stream);
    return is_whole;
}

const uint8_t *web_unpacked(web_plain *plain, size_t asset, size_t *length) {
    if (asset >= WEB_PLAIN_MAX) {
        return NULL;
    }
    *length = plain_length(&web_assets[asset]);
    if (plain->files[asset] != NULL) {
        return plain->files[asset];
    }
    if (*length == 0 || *length > PLAIN_BYTES_MAX) {
        return NULL;
    }
    uint8_t *bytes = malloc(*length);
    if (bytes == NULL || !unpack(&web_assets[asset], bytes, *length)) {
        free(bytes);
        return NULL;
    }
    plain->files[asset] = bytes;
    return bytes;
}

void web_plain_free(web_plain *plain) {
    for (size_t i = 0; i < WEB_PLAIN_MAX; i++) {
        free(plain->files[i]);
    }
}
