/// Single values. Numbers are read strictly: what the whole text says, or not at all.
#include "content/document/value.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "content/document/nodes.h"

static const char *scalar_text(const yaml_node_t *node) {
    return (const char *)node->data.scalar.value;
}

static bool is_plain(const yaml_node_t *node) {
    return node->type == YAML_SCALAR_NODE && node->data.scalar.length > 0 &&
           node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static bool expected(content_reader *reader, const yaml_node_t *node, const char *what) {
    char room[CONTENT_QUOTE_BYTES];
    const char *quoted = "";
    if (node->type == YAML_SCALAR_NODE && node->data.scalar.length > 0 &&
        node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) {
        quoted = " in quotes";
    }
    return content_fail(reader, node->start_mark, APEX_ERR_PARSE, "expected %s, found %s%s", what,
                        content_describe(node, room), quoted);
}

static size_t skip_digits(const char *text) {
    return strspn(text, "0123456789");
}

/// [-+] digits [. digits] [e [-+] digits], with a digit on one side of the point at least. strtod
/// alone would also take `inf`, `nan`, hexadecimal and leading blanks.
static bool looks_like_number(const char *text) {
    text += *text == '-' || *text == '+';
    size_t digits = skip_digits(text);
    text += digits;
    if (*text == '.') {
        size_t more = skip_digits(text + 1);
        digits += more;
        text += 1 + more;
    }
    if (digits == 0) {
        return false;
    }
    if (*text == 'e' || *text == 'E') {
        text += 1 + (text[1] == '-' || text[1] == '+');
        size_t exponent = skip_digits(text);
        if (exponent == 0) {
            return false;
        }
        text += exponent;
    }
    return *text == '\0';
}

/// strtod in the C locale: a file means the same wherever the server runs.
static double number_of(const char *text) {
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(c);
    double value = strtod(text, NULL);
    uselocale(before);
    freelocale(c);
    return value;
}

bool content_number(const char *text, double *out) {
    if (!looks_like_number(text)) {
        return false;
    }
    *out = number_of(text);
    return true;
}

// A range's end that comes of radians has digits without end; a few of them will do.
static void print_end(double end, char room[32]) {
    bool is_usual = fabs(end) >= 1.0 && fabs(end) < 1e6;
    content_print_real(is_usual ? round(end * 1e4) / 1e4 : end, room);
}

bool content_read_real(content_reader *reader, const yaml_node_t *node, const double range[2],
                       double *out) {
    if (!is_plain(node) || !looks_like_number(scalar_text(node))) {
        return expected(reader, node, "a number");
    }
    double value = number_of(scalar_text(node));
    if (!(value >= range[0] && value <= range[1])) {
        char low[32], high[32], room[CONTENT_QUOTE_BYTES];
        print_end(range[0], low);
        print_end(range[1], high);
        return content_fail(reader, node->start_mark, APEX_ERR_RANGE, "%s is outside %s..%s",
                            content_quote(node, room), low, high);
    }
    *out = value;
    return true;
}

bool content_read_whole(content_reader *reader, const yaml_node_t *node, const uint64_t range[2],
                        uint64_t *out) {
    if (!is_plain(node)) {
        return expected(reader, node, "a whole number");
    }
    const char *text = scalar_text(node);
    size_t sign = *text == '-' || *text == '+';
    size_t digits = skip_digits(text + sign);
    if (digits == 0 || sign + digits != node->data.scalar.length) {
        return expected(reader, node, "a whole number");
    }
    uint64_t value = 0;
    bool fits = *text != '-';
    for (const char *at = text + sign; fits && *at != '\0'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        fits = value <= (UINT64_MAX - digit) / 10;
        if (fits) {
            value = value * 10 + digit;
        }
    }
    if (!fits || value < range[0] || value > range[1]) {
        return content_fail(reader, node->start_mark, APEX_ERR_RANGE, "%.40s is outside %llu..%llu",
                            text, (unsigned long long)range[0], (unsigned long long)range[1]);
    }
    *out = value;
    return true;
}

bool content_read_flag(content_reader *reader, const yaml_node_t *node, bool *out) {
    if (is_plain(node) && strcmp(scalar_text(node), "true") == 0) {
        *out = true;
    } else if (is_plain(node) && strcmp(scalar_text(node), "false") == 0) {
        *out = false;
    } else {
        return expected(reader, node, "true or false");
    }
    return true;
}

/// Names and titles go to terminals and logs, where U+0080 to U+009F command as well.
static bool is_control(const unsigned char *at) {
    return *at < ' ' || *at == 0x7f || (*at == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0);
}

bool content_read_text(content_reader *reader, const yaml_node_t *node, char *out, size_t bytes) {
    if (node->type != YAML_SCALAR_NODE) {
        return expected(reader, node, "a text");
    }
    const unsigned char *text = node->data.scalar.value;
    size_t length = node->data.scalar.length;
    if (length >= bytes) {
        return content_fail(reader, node->start_mark, APEX_ERR_RANGE,
                            "the text has %zu bytes; there is room for %zu", length, bytes - 1);
    }
    for (size_t i = 0; i < length; i++) {
        if (is_control(text + i)) {
            return content_fail(reader, node->start_mark, APEX_ERR_PARSE,
                                "the text holds a control character");
        }
    }
    memset(out, 0, bytes);
    memcpy(out, text, length);
    return true;
}

bool content_read_name(content_reader *reader, const yaml_node_t *node, char *out, size_t bytes) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    char room[CONTENT_QUOTE_BYTES];
    if (node->type != YAML_SCALAR_NODE || node->data.scalar.length == 0) {
        return expected(reader, node, "a name");
    }
    if (strspn(scalar_text(node), letters) != node->data.scalar.length) {
        return content_fail(reader, node->start_mark, APEX_ERR_PARSE,
                            "%s is no name; names are made of a-z, 0-9 and -",
                            content_describe(node, room));
    }
    return content_read_text(reader, node, out, bytes);
}

bool content_read_choice(content_reader *reader, const yaml_node_t *node,
                         const char *const choices[], int *out) {
    char known[256] = "";
    size_t used = 0;
    for (int i = 0; choices[i] != NULL; i++) {
        if (content_is(node, choices[i])) {
            *out = i;
            return true;
        }
        const char *before = i == 0 ? "" : choices[i + 1] == NULL ? " or " : ", ";
        int added = snprintf(known + used, sizeof known - used, "%s%s", before, choices[i]);
        used += added > 0 && (size_t)added < sizeof known - used ? (size_t)added : 0;
    }
    return expected(reader, node, known);
}

void content_print_real(double value, char room[32]) {
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(c);
    bool whole = value > -1e15 && value < 1e15 && value == (double)(int64_t)value;
    if (whole) {
        snprintf(room, 32, "%lld", (long long)value);
    }
    for (int digits = 6; !whole && digits <= 17; digits++) {
        snprintf(room, 32, "%.*g", digits, value);
        if (strtod(room, NULL) == value) {
            break;
        }
    }
    uselocale(before);
    freelocale(c);
}

void content_print_kmph(double value_mps, char room[32]) {
    double kmph = value_mps * CONTENT_KMPH_PER_MPS;
    for (int digits = 3; digits <= 17; digits++) {
        char text[32];
        snprintf(text, sizeof text, "%.*g", digits, value_mps * CONTENT_KMPH_PER_MPS);
        kmph = number_of(text);
        if (kmph / CONTENT_KMPH_PER_MPS == value_mps) {
            break;
        }
    }
    content_print_real(kmph, room);
}

void content_print_degrees(double value_rad, char room[32]) {
    double degrees = value_rad / CONTENT_RADIANS_PER_DEGREE;
    for (int digits = 3; digits <= 17; digits++) {
        char text[32];
        snprintf(text, sizeof text, "%.*g", digits, degrees);
        double rounded = number_of(text);
        if (rounded * CONTENT_RADIANS_PER_DEGREE == value_rad) {
            content_print_real(rounded, room);
            return;
        }
    }
    // Degrees are coarser than radians by up to a bit: a neighbour may hit where the quotient
    // missed.
    double near[2] = {nextafter(degrees, 0.0), nextafter(degrees, 2.0 * degrees)};
    for (int i = 0; i < 2; i++) {
        if (near[i] * CONTENT_RADIANS_PER_DEGREE == value_rad) {
            degrees = near[i];
        }
    }
    content_print_real(degrees, room);
}
