// Plain page files, for clients that cannot unpack compressed ones.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { WEB_PLAIN_MAX = 32 }; // files of the page; further ones are sent as they are kept

typedef struct web_plain {
    uint8_t *files[WEB_PLAIN_MAX]; // by place in web_assets; NULL: nobody has asked for it yet
} web_plain;

// @return NULL for want of memory, or of anything that can be unpacked.
const uint8_t *web_unpacked(web_plain *plain, size_t asset, size_t *length);
void web_plain_free(web_plain *plain);
