// The page's files as the build embeds them: made by gzip, named by the path under which a browser
// asks for them. The generated page_assets.c defines the two, page_none.c where there is no page.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct web_asset {
    const char *path; // "/main.js"; index.html is "/"
    const char *type; // "text/javascript; charset=utf-8"
    const char *etag; // with its quotes
    const uint8_t *bytes;
    size_t length;
} web_asset;

extern const web_asset web_assets[];
extern const size_t web_asset_count;
