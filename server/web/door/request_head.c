// Parsing the head of a request: its first line, then header by header.
#define _GNU_SOURCE // memmem
#include "web/door/request_head.h"

#include <string.h>
#include <strings.h>

#include "base/assert.h"

// The place of reading, and the reason why it ended if it did.
typedef struct head_reader {
    const char *at, *end;
    web_head *head;
    uint16_t status;
    const char *why;
} head_reader;

static bool refuse(head_reader *reader, uint16_t status, const char *why) {
    reader->status = status;
    reader->why = why;
    return false;
}

static bool is_token(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static int hex_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static web_text trim(web_text text) {
    while (text.length > 0 && is_blank(text.at[0])) {
        text.at++;
        text.length--;
    }
    while (text.length > 0 && is_blank(text.at[text.length - 1])) {
        text.length--;
    }
    return text;
}

bool web_text_is(web_text text, const char *word) {
    return text.at != NULL && text.length == strlen(word) &&
           strncasecmp(text.at, word, text.length) == 0;
}

// Cuts the next element off a list with commas. @return false at its end.
static bool take_element(web_text *list, web_text *out) {
    if (list->at == NULL || list->length == 0) {
        return false;
    }
    const char *comma = memchr(list->at, ',', list->length);
    size_t length = comma != NULL ? (size_t)(comma - list->at) : list->length;
    *out = trim((web_text){list->at, length});
    size_t taken = comma != NULL ? length + 1 : length;
    list->at += taken;
    list->length -= taken;
    return true;
}

// "gzip;q=0.5" is its word "gzip" and its parameters.
static web_text word_of(web_text element, web_text *parameters) {
    const char *semicolon = memchr(element.at, ';', element.length);
    *parameters = (web_text){NULL, 0};
    if (semicolon == NULL) {
        return element;
    }
    size_t length = (size_t)(semicolon - element.at);
    *parameters = trim((web_text){semicolon + 1, element.length - length - 1});
    return trim((web_text){element.at, length});
}

bool web_list_has(web_text list, const char *word) {
    for (web_text element; take_element(&list, &element);) {
        web_text parameters;
        if (web_text_is(word_of(element, &parameters), word)) {
            return true;
        }
    }
    return false;
}

// "q=0", "q=0.000": such a coding is not taken.
static bool is_refusal(web_text parameters) {
    if (parameters.length < 3 || strncasecmp(parameters.at, "q=0", 3) != 0) {
        return false;
    }
    for (size_t i = 3; i < parameters.length; i++) {
        if (parameters.at[i] != '.' && parameters.at[i] != '0') {
            return false;
        }
    }
    return true;
}

static bool takes_gzip(web_text codings) {
    bool any = false;
    for (web_text element; take_element(&codings, &element);) {
        web_text parameters;
        web_text word = word_of(element, &parameters);
        if (web_text_is(word, "gzip") || web_text_is(word, "x-gzip")) {
            return !is_refusal(parameters);
        }
        any = any || (web_text_is(word, "*") && !is_refusal(parameters));
    }
    return any;
}

static bool take_line(head_reader *reader, web_text *line) {
    const char *at = reader->at;
    while (at < reader->end && *at != '\n') {
        // Besides what ends the line, and tabs inside of it, there are no control characters.
        bool is_end = *at == '\r' && at + 1 < reader->end && at[1] == '\n';
        if (((unsigned char)*at < 0x20 && *at != '\t' && !is_end) || *at == 0x7f) {
            return refuse(reader, 400, "There is a control character in the request's head.");
        }
        at++;
    }
    if (at == reader->at || at == reader->end || at[-1] != '\r') {
        return refuse(reader, 400, "Lines of a request end with CR and LF.");
    }
    *line = (web_text){reader->at, (size_t)(at - reader->at) - 1};
    reader->at = at + 1;
    return true;
}

static bool decode_path(head_reader *reader, web_text target) {
    char *out = reader->head->path;
    size_t length = 0;
    for (size_t i = 0; i < target.length; i++) {
        int c = (unsigned char)target.at[i];
        if (c == '%') {
            int high = i + 2 < target.length ? hex_value(target.at[i + 1]) : -1;
            int low = high >= 0 ? hex_value(target.at[i + 2]) : -1;
            if (low < 0) {
                return refuse(reader, 400, "A % in the path is not followed by two digits.");
            }
            c = high * 16 + low;
            i += 2;
        }
        if (c < 0x20 || c == 0x7f || c == '#') {
            return refuse(reader, 400, "There is a character in the path that has no place there.");
        }
        if (length + 1 >= APEX_WEB_PATH_BYTES) {
            return refuse(reader, 414, "The path is too long.");
        }
        out[length++] = (char)c;
    }
    out[length] = '\0';
    for (const char *dots = strstr(out, "/."); dots != NULL; dots = strstr(dots + 1, "/.")) {
        const char *rest = dots + (dots[2] == '.' ? 3 : 2);
        if (*rest == '/' || *rest == '\0') {
            return refuse(reader, 400, "The path has . or .. in it.");
        }
    }
    return true;
}

static bool read_target(head_reader *reader, web_text target) {
    if (target.length == 0 || target.at[0] != '/') {
        return refuse(reader, 400, "A request names a path that begins with a slash.");
    }
    const char *mark = memchr(target.at, '?', target.length);
    web_text path = target;
    if (mark != NULL) {
        path.length = (size_t)(mark - target.at);
        size_t length = target.length - path.length - 1;
        if (length >= APEX_WEB_QUERY_BYTES) {
            return refuse(reader, 414, "What follows the question mark is too long.");
        }
        memcpy(reader->head->query, mark + 1, length);
    }
    return decode_path(reader, path);
}

static web_method method_of(web_text name) {
    // Methods know case.
    if (name.length == 3 && memcmp(name.at, "GET", 3) == 0) {
        return WEB_GET;
    }
    if (name.length == 4 && memcmp(name.at, "HEAD", 4) == 0) {
        return WEB_HEAD;
    }
    return name.length == 4 && memcmp(name.at, "POST", 4) == 0 ? WEB_POST : WEB_OTHER;
}

static bool read_first_line(head_reader *reader) {
    web_text line;
    if (!take_line(reader, &line)) {
        return false;
    }
    size_t method = 0;
    while (method < line.length && is_token(line.at[method])) {
        method++;
    }
    const char *target = line.at + method + 1;
    if (method == 0 || method + 1 >= line.length || line.at[method] != ' ') {
        return refuse(reader, 400, "This is no request of HTTP.");
    }
    const char *space = memchr(target, ' ', line.length - method - 1);
    if (space == NULL) {
        return refuse(reader, 400, "This is no request of HTTP.");
    }
    web_text version = {space + 1, line.length - (size_t)(space + 1 - line.at)};
    if (version.length != 8 || memcmp(version.at, "HTTP/", 5) != 0) {
        return refuse(reader, 400, "This is no request of HTTP.");
    }
    if (memcmp(version.at + 5, "1.1", 3) != 0 && memcmp(version.at + 5, "1.0", 3) != 0) {
        return refuse(reader, 505, "This server speaks HTTP/1.1.");
    }
    reader->head->method = method_of((web_text){line.at, method});
    reader->head->keeps_alive = version.at[7] == '1';
    return read_target(reader, (web_text){target, (size_t)(space - target)});
}

static bool read_length(head_reader *reader, web_text value) {
    web_head *head = reader->head;
    size_t length = 0;
    bool is_number = value.length > 0 && value.length <= 18;
    for (size_t i = 0; i < value.length && is_number; i++) {
        is_number = value.at[i] >= '0' && value.at[i] <= '9';
        length = length * 10 + (size_t)(value.at[i] - '0');
    }
    if (!is_number || head->has_length) {
        return refuse(reader, 400, "Content-Length is one number.");
    }
    if (length > APEX_WEB_BODY_BYTES) {
        return refuse(reader, 413, "The request's body is too long.");
    }
    head->has_length = true;
    head->body_length = length;
    return true;
}

static bool read_token(head_reader *reader, web_text value) {
    static const char scheme[] = "Bearer ";
    const size_t skip = sizeof scheme - 1;
    if (value.length < skip || strncasecmp(value.at, scheme, skip) != 0) {
        return true; // another scheme: code that wants a token finds none
    }
    web_text token = trim((web_text){value.at + skip, value.length - skip});
    if (token.length >= APEX_WEB_TOKEN_BYTES) {
        return refuse(reader, 400, "The bearer token is too long.");
    }
    memcpy(reader->head->token, token.at, token.length);
    reader->head->token[token.length] = '\0';
    return true;
}

static bool read_once(head_reader *reader, bool *has, web_text *out, web_text value) {
    if (*has) {
        return refuse(reader, 400, "Host and Origin are given once.");
    }
    *has = true;
    *out = value;
    return true;
}

static bool read_upgrade_header(web_head *head, web_text name, web_text value) {
    if (web_text_is(name, "Upgrade")) {
        head->wants_upgrade = true;
        head->is_websocket = web_list_has(value, "websocket");
    } else if (web_text_is(name, "Sec-WebSocket-Version")) {
        head->is_version_13 = web_text_is(value, "13");
    } else if (web_text_is(name, "Sec-WebSocket-Key")) {
        head->key = value;
    } else if (web_text_is(name, "Sec-WebSocket-Protocol")) {
        head->names_subprotocol = head->names_subprotocol || web_list_has(value, "apex-1");
    } else {
        return false;
    }
    return true;
}

// Some proxies add to the line that there is, some add a line; what comes last is nearest to us.
static void keep_forwarded(web_head *head, web_text value) {
    if (head->forwarded_count == WEB_FORWARDED_MAX) {
        memmove(&head->forwarded[0], &head->forwarded[1],
                (WEB_FORWARDED_MAX - 1) * sizeof head->forwarded[0]);
        head->forwarded_count--;
    }
    head->forwarded[head->forwarded_count++] = value;
}

static bool read_header(head_reader *reader, web_text name, web_text value) {
    web_head *head = reader->head;
    if (web_text_is(name, "Host")) {
        return read_once(reader, &head->has_host, &head->host, value);
    }
    if (web_text_is(name, "Origin")) {
        return read_once(reader, &head->has_origin, &head->origin, value);
    }
    if (web_text_is(name, "Content-Length")) {
        return read_length(reader, value);
    }
    if (web_text_is(name, "Transfer-Encoding")) {
        return refuse(reader, 411, "A body is sent with its Content-Length.");
    }
    if (web_text_is(name, "Authorization")) {
        return read_token(reader, value);
    }
    if (web_text_is(name, "Connection")) {
        head->keeps_alive = !web_list_has(value, "close") &&
                            (head->keeps_alive || web_list_has(value, "keep-alive"));
    } else if (web_text_is(name, "Accept-Encoding")) {
        head->takes_gzip = head->takes_gzip || takes_gzip(value);
    } else if (web_text_is(name, "If-None-Match")) {
        head->etags = value;
    } else if (web_text_is(name, "Expect")) {
        head->expects_continue = web_text_is(value, "100-continue");
    } else if (web_text_is(name, "X-Forwarded-For")) {
        keep_forwarded(head, value);
    } else {
        read_upgrade_header(head, name, value);
    }
    return true;
}

static bool read_header_line(head_reader *reader, web_text line) {
    size_t name = 0;
    while (name < line.length && is_token(line.at[name])) {
        name++;
    }
    if (name == 0 || name == line.length || line.at[name] != ':') {
        return refuse(reader, 400, "A line of the request's head is no header.");
    }
    web_text value = trim((web_text){line.at + name + 1, line.length - name - 1});
    return read_header(reader, (web_text){line.at, name}, value);
}

static bool read_all(head_reader *reader) {
    if (!read_first_line(reader)) {
        return false;
    }
    for (int lines = 0; reader->at < reader->end; lines++) {
        web_text line;
        if (lines == WEB_HEAD_LINES_MAX) {
            return refuse(reader, 431, "The request has too many headers.");
        }
        if (!take_line(reader, &line) || !read_header_line(reader, line)) {
            return false;
        }
    }
    return true;
}

web_head_result web_read_head(const uint8_t *bytes, size_t length, web_head *out) {
    // Empty lines before a request are to be overlooked.
    size_t skipped = 0;
    while (skipped + 1 < length && bytes[skipped] == '\r' && bytes[skipped + 1] == '\n') {
        skipped += 2;
    }
    const uint8_t *begin = bytes + skipped;
    const uint8_t *end = memmem(begin, length - skipped, "\r\n\r\n", 4);
    if (end == NULL || (size_t)(end + 4 - bytes) > WEB_HEAD_BYTES) {
        if (length < WEB_HEAD_BYTES) {
            return (web_head_result){.state = WEB_HEAD_PART};
        }
        return (web_head_result){
            .state = WEB_HEAD_BAD, .status = 431, .why = "The request's head is too long."};
    }
    memset(out, 0, sizeof *out);
    head_reader reader = {.at = (const char *)begin, .end = (const char *)end + 2, .head = out};
    if (!read_all(&reader)) {
        APEX_ASSERT(reader.status >= 400);
        return (web_head_result){.state = WEB_HEAD_BAD, .status = reader.status, .why = reader.why};
    }
    return (web_head_result){.state = WEB_HEAD_WHOLE, .length = (size_t)(end + 4 - bytes)};
}
