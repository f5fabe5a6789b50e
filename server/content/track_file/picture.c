// Portable grey maps, read byte by byte. They are it, and not PNG (DECISIONS 20): every paint
// program writes both, 16 bits included, but one takes a hundred lines to read with every byte
// checked and the other a library, its decompressor and its long jumps. A converter is one command
// away. Pictures lie beside the track's file, named without a folder, so that a track from a
// stranger reads nothing else.
#include "content/track_file/picture.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct scan {
    const unsigned char *bytes;
    size_t length, at;
    char *why;
} scan;

__attribute__((format(printf, 2, 3))) static bool fail(const scan *in, const char *fmt, ...) {
    char reason[CONTENT_PICTURE_WHY_BYTES - 32];
    va_list args;
    va_start(args, fmt);
    vsnprintf(reason, sizeof reason, fmt, args);
    va_end(args);
    snprintf(in->why, CONTENT_PICTURE_WHY_BYTES, "byte %zu: %s", in->at, reason);
    return false;
}

static bool is_blank(unsigned char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static void skip_blanks(scan *in) {
    bool comment = false;
    for (; in->at < in->length; in->at++) {
        unsigned char byte = in->bytes[in->at];
        comment = comment ? byte != '\n' && byte != '\r' : byte == '#';
        if (!comment && byte != '\n' && byte != '\r' && !is_blank(byte)) {
            return;
        }
    }
}

static bool read_number(scan *in, const char *what, uint32_t most, uint32_t *out) {
    skip_blanks(in);
    size_t from = in->at;
    uint32_t value = 0;
    for (; in->at < in->length && in->bytes[in->at] >= '0' && in->bytes[in->at] <= '9'; in->at++) {
        value = value * 10 + (uint32_t)(in->bytes[in->at] - '0');
        if (value > most) {
            in->at = from;
            return fail(in, "the %s is more than %u", what, most);
        }
    }
    *out = value;
    return value > 0 || fail(in, "expected the %s, a number above 0", what);
}

static bool read_head(scan *in, uint32_t pixels_max, content_picture *out) {
    if (in->length < 2 || in->bytes[0] != 'P' || in->bytes[1] != '5') {
        return fail(in, "no binary grey map; its first two letters are P5");
    }
    in->at = 2;
    if (in->at < in->length && !is_blank(in->bytes[in->at]) && in->bytes[in->at] != '#') {
        return fail(in, "expected a blank after P5");
    }
    if (!read_number(in, "width", pixels_max, &out->columns) ||
        !read_number(in, "height", pixels_max, &out->rows) ||
        !read_number(in, "value of white", 65535, &out->white)) {
        return false;
    }
    if ((uint64_t)out->columns * out->rows > pixels_max) {
        return fail(in, "%u by %u pixels are more than %u", out->columns, out->rows, pixels_max);
    }
    if (in->at == in->length || !is_blank(in->bytes[in->at])) {
        return fail(in, "expected one blank before the pixels");
    }
    in->at++;
    return true;
}

static bool read_pixels(scan *in, content_picture *out) {
    size_t count = (size_t)out->columns * out->rows;
    size_t wide = out->white > 255 ? 2 : 1;
    if (in->length - in->at != count * wide) {
        return fail(in, "%zu bytes of pixels follow, not %zu", in->length - in->at, count * wide);
    }
    out->values = calloc(count, sizeof *out->values);
    if (out->values == NULL) {
        return fail(in, "out of memory");
    }
    for (size_t i = 0; i < count; i++, in->at += wide) {
        const unsigned char *pixel = &in->bytes[in->at];
        uint32_t value = wide == 2 ? (uint32_t)pixel[0] << 8 | pixel[1] : pixel[0];
        if (value > out->white) {
            return fail(in, "%u is more than white, %u", value, out->white);
        }
        out->values[i] = (uint16_t)value;
    }
    return true;
}

bool content_picture_read(const char *bytes, size_t length, uint32_t pixels_max,
                          content_picture *out, char why[CONTENT_PICTURE_WHY_BYTES]) {
    *out = (content_picture){0};
    scan in = {.bytes = (const unsigned char *)bytes, .length = length, .why = why};
    if (read_head(&in, pixels_max, out) && read_pixels(&in, out)) {
        return true;
    }
    free(out->values);
    *out = (content_picture){0};
    return false;
}
