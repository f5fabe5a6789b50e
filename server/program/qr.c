// An address as a QR code in characters.

#include "program/qr.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// @return whether this terminal's characters are UTF-8; the program itself sets no locale.
static bool speaks_utf8(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0') { // the first that is set counts
            return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL;
        }
    }
    return false;
}

bool qr_fits(FILE *out) {
    const char *terminal = getenv("TERM");
    bool is_dumb = terminal == NULL || strcmp(terminal, "dumb") == 0;
    return !is_dumb && isatty(fileno(out)) == 1 && speaks_utf8();
}

#ifdef APEX_QRENCODE

#include <qrencode.h>

enum { QUIET_MODULES = 2 }; // the standard wants four; the page around the light square helps

// Around the code it is light.
static bool is_dark(const QRcode *code, int row, int column) {
    bool is_inside = row >= 0 && row < code->width && column >= 0 && column < code->width;
    return is_inside && (code->data[row * code->width + column] & 1) != 0;
}

static void draw_line(const QRcode *code, int row, FILE *out) {
    static const char *const blocks[] = {" ", "\xe2\x96\x84", "\xe2\x96\x80", "\xe2\x96\x88"};
    fputs("\x1b[30;107m", out); // black on white
    for (int column = -QUIET_MODULES; column < code->width + QUIET_MODULES; column++) {
        int upper = is_dark(code, row, column), lower = is_dark(code, row + 1, column);
        fputs(blocks[2 * upper + lower], out);
    }
    fputs("\x1b[0m\n", out);
}

bool qr_draw(const char *text, FILE *out) {
    QRcode *code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L);
    if (code == NULL) {
        return false;
    }
    for (int row = -QUIET_MODULES; row < code->width + QUIET_MODULES; row += 2) {
        draw_line(code, row, out);
    }
    QRcode_free(code);
    return true;
}

#else

bool qr_draw(const char *text, FILE *out) {
    (void)text;
    (void)out;
    return false;
}

#endif
