// PROTOCOL.md against the code: its version, its byte examples, its tables of messages, reasons and
// definitions, and the rule that no message type contains itself.

#include "support/base/check_main.h"

#include "proto/proto.h"

#include <ctype.h>
#include <protobuf-c/protobuf-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of the generated code, whose headers belong to the codec and to defs.
extern const ProtobufCMessageDescriptor apex__client_message__descriptor;
extern const ProtobufCMessageDescriptor apex__server_message__descriptor;
extern const ProtobufCMessageDescriptor apex__own_car__descriptor;
extern const ProtobufCMessageDescriptor apex__car_def__descriptor;
extern const ProtobufCMessageDescriptor apex__track_def__descriptor;

static char *page;

static void read_page(void) {
    const char *root = getenv("APEX_SOURCE_DIR");
    ck_assert_msg(root != NULL, "APEX_SOURCE_DIR is not set");
    char path[1024];
    snprintf(path, sizeof path, "%s/proto/PROTOCOL.md", root);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s cannot be read", path);
    page = calloc(1, 1 << 20);
    ck_assert_ptr_nonnull(page);
    size_t length = fread(page, 1, (1 << 20) - 1, file);
    fclose(file);
    ck_assert_uint_gt(length, 1000);
}

static void free_page(void) {
    free(page);
}

// The hexadecimal pairs at the beginning of each line of the fenced block with this name; two
// blanks begin the explanation.
static size_t example(const char *name, uint8_t *out) {
    char fence[32];
    snprintf(fence, sizeof fence, "```%s\n", name);
    const char *at = strstr(page, fence);
    ck_assert_msg(at != NULL, "there is no example %s", name);
    at += strlen(fence);
    size_t length = 0;
    while (strncmp(at, "```", 3) != 0) {
        while (isxdigit((unsigned char)at[0]) && isxdigit((unsigned char)at[1])) {
            out[length++] = (uint8_t)strtoul(at, NULL, 16);
            at += at[2] == ' ' ? 3 : 2;
        }
        at = strchr(at, '\n') + 1;
    }
    return length;
}

FIXTURE(read_page, free_page)

TEST(the_hello_is_as_shown) {
    apex_client_message message;
    memset(&message, 0, sizeof message);
    message.kind = APEX_CLIENT_HELLO;
    message.hello.protocol_version = APEX_PROTOCOL_VERSION;
    strcpy(message.hello.client, "example 1.0");
    uint8_t bytes[64], shown[64];
    size_t length = apex_encode_client(&message, bytes, sizeof bytes);
    ck_assert_uint_eq(example("hello", shown), length);
    ck_assert_mem_eq(bytes, shown, length);
}

TEST(the_controls_are_as_shown) {
    apex_client_message message;
    memset(&message, 0, sizeof message);
    message.kind = APEX_CLIENT_CONTROLS;
    message.controls.first_tick = 600;
    message.controls.sample_count = 2;
    message.controls.samples[0] =
        (apex_control_sample){.steer = 8192, .throttle = 255, .gear = 126};
    message.controls.samples[1] =
        (apex_control_sample){.steer = -300, .brake = 128, .gear = 126, .reset = 1};
    uint8_t bytes[64], shown[64];
    size_t length = apex_encode_client(&message, bytes, sizeof bytes);
    ck_assert_uint_eq(example("controls", shown), length);
    ck_assert_mem_eq(bytes, shown, length);
}

TEST(the_leave_is_as_shown) {
    apex_client_message message;
    memset(&message, 0, sizeof message);
    message.kind = APEX_CLIENT_LEAVE;
    message.secret = 0x0123456789ABCDEFu;
    uint8_t bytes[64], shown[64];
    size_t length = apex_encode_client(&message, bytes, sizeof bytes);
    ck_assert_uint_eq(example("leave", shown), length);
    ck_assert_mem_eq(bytes, shown, length);
}

TEST(the_snapshot_is_as_shown) {
    apex_wire_car car = {.id = 65537,
                         .x_mm = 12500,
                         .y_mm = -3000,
                         .z_mm = 480,
                         .yaw_q = 16384,
                         .vy_cmps = 2500,
                         .rpm = 5200,
                         .gear = 3,
                         .throttle = 255};
    apex_server_message message;
    memset(&message, 0, sizeof message);
    message.kind = APEX_SERVER_SNAPSHOT;
    message.snapshot = (apex_snapshot_message){.tick = 603,
                                               .phase = 3,
                                               .race_time_ms = 1234,
                                               .parts = 1,
                                               .controls_tick = 600,
                                               .controls_depth = 2,
                                               .car_count = 1,
                                               .cars = &car};
    uint8_t bytes[64], shown[64];
    size_t length = apex_encode_server(&message, bytes, sizeof bytes);
    ck_assert_uint_eq(example("snapshot", shown), length);
    ck_assert_mem_eq(bytes, shown, length);
}

TEST(every_reason_is_in_the_table) {
    for (int i = 0; i < APEX_REASON_COUNT; i++) {
        char row[256];
        snprintf(row, sizeof row, "\n| %d | `%s` | %s |\n", i, apex_reason_name((apex_reason)i),
                 apex_reason_text((apex_reason)i));
        ck_assert_msg(strstr(page, row) != NULL, "missing:%s", row);
    }
}

// A field of the envelope is called like its message: "time_reply", TimeReply.
static void camel(const char *field, char *out) {
    bool upper = true;
    for (; *field; field++) {
        if (*field == '_') {
            upper = true;
            continue;
        }
        *out++ = upper ? (char)toupper((unsigned char)*field) : *field;
        upper = false;
    }
    *out = 0;
}

static void check_messages(const ProtobufCMessageDescriptor *envelope, const char *from) {
    for (unsigned i = 0; i < envelope->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &envelope->fields[i];
        if (field->type != PROTOBUF_C_TYPE_MESSAGE) {
            continue;
        }
        bool is_client = strcmp(from, "client") == 0;
        int channel = is_client ? apex_client_message_channel((apex_client_message_kind)field->id)
                                : apex_server_message_channel((apex_server_message_kind)field->id);
        char name[64], row[128];
        camel(field->name, name);
        snprintf(row, sizeof row, "\n| %s | %u | `%s` | %d |", from, field->id, name, channel);
        ck_assert_msg(strstr(page, row) != NULL, "missing:%s", row);
    }
}

TEST(every_message_is_in_the_table) {
    check_messages(&apex__client_message__descriptor, "client");
    check_messages(&apex__server_message__descriptor, "server");
}

// The part of the page that tells of the own car names every field of it.
TEST(every_field_of_the_own_car_is_told_of) {
    const char *begin = strstr(page, "\n### A player's own car\n");
    ck_assert_ptr_nonnull(begin);
    const char *end = strstr(begin, "\n### Telemetry\n");
    ck_assert_ptr_nonnull(end);
    const ProtobufCMessageDescriptor *own = &apex__own_car__descriptor;
    ck_assert_uint_ge(own->n_fields, 22);
    for (unsigned i = 0; i < own->n_fields; i++) {
        char name[64];
        snprintf(name, sizeof name, "`%s`", own->fields[i].name);
        const char *told = strstr(begin, name);
        ck_assert_msg(told != NULL && told < end, "%s is not told of", name);
    }
}

TEST(the_title_has_the_version) {
    char title[64];
    snprintf(title, sizeof title, "# The Apex protocol, version %d\n", APEX_PROTOCOL_VERSION);
    ck_assert_msg(strncmp(page, title, strlen(title)) == 0, "not: %s", title);
}

// The author of a first client reads from the top, and stops when it drives.
TEST(the_page_begins_with_a_bot_and_ends_with_deltas) {
    const char *begin = strstr(page, "\n## Your first bot\n");
    const char *end = strstr(page, "\n## 1. ENet\n");
    const char *deltas = strstr(page, "\n## Appendix B: delta snapshots\n");
    ck_assert(begin != NULL && end != NULL && deltas != NULL && begin < end);
    ck_assert_ptr_null(strstr(deltas + 2, "\n## "));
    size_t words = 0;
    for (const char *at = begin; at < end; at++) {
        words += isspace((unsigned char)at[0]) && !isspace((unsigned char)at[1]);
    }
    ck_assert_uint_le(words, 450);
}

// The table that tells of a message of defs.proto, from its name to the next bold or heading.
static void check_table(const ProtobufCMessageDescriptor *type) {
    char name[96];
    snprintf(name, sizeof name, "\n**`%s`**", type->short_name);
    const char *begin = strstr(page, name);
    ck_assert_msg(begin != NULL, "%s has no table", type->short_name);
    const char *end = strstr(begin + 3, "\n**`");
    const char *heading = strstr(begin, "\n## ");
    end = end == NULL || heading < end ? heading : end;
    for (unsigned i = 0; i < type->n_fields; i++) {
        snprintf(name, sizeof name, "`%s`", type->fields[i].name);
        const char *row = begin;
        bool is_told = false;
        // In the first column, alone or beside others of its kind.
        while (!is_told && (row = strstr(row + 1, "\n| ")) != NULL && row < end) {
            const char *told = strstr(row, name);
            is_told = told != NULL && told < strchr(row + 3, '|');
        }
        ck_assert_msg(is_told, "%s.%s is not told of", type->short_name, type->fields[i].name);
    }
}

// No message contains itself, so this ends.
static unsigned check_tables(const ProtobufCMessageDescriptor *type) {
    unsigned checked = 1;
    check_table(type);
    for (unsigned i = 0; i < type->n_fields; i++) {
        if (type->fields[i].type == PROTOBUF_C_TYPE_MESSAGE) {
            checked += check_tables(type->fields[i].descriptor);
        }
    }
    return checked;
}

TEST(every_field_of_a_definition_is_told_of) {
    ck_assert_uint_ge(check_tables(&apex__car_def__descriptor), 15);
    ck_assert_uint_ge(check_tables(&apex__track_def__descriptor), 12);
}

// protobuf-c has no limit on the depth of messages: each level of a type that contains itself costs
// an attacker two bytes and the decoder a kilobyte of stack.
enum { DEPTH_MAX = 8 };

typedef struct visit {
    const ProtobufCMessageDescriptor *type;
    unsigned next_field;
} visit;

static unsigned depth_of(const ProtobufCMessageDescriptor *root) {
    visit path[DEPTH_MAX] = {{root, 0}};
    unsigned depth = 1, deepest = 1;
    while (depth > 0) {
        visit *top = &path[depth - 1];
        if (top->next_field == top->type->n_fields) {
            depth--;
            continue;
        }
        const ProtobufCFieldDescriptor *field = &top->type->fields[top->next_field++];
        if (field->type != PROTOBUF_C_TYPE_MESSAGE) {
            continue;
        }
        const ProtobufCMessageDescriptor *inner = field->descriptor;
        for (unsigned i = 0; i < depth; i++) {
            ck_assert_msg(path[i].type != inner, "%s contains itself through %s.%s", inner->name,
                          top->type->name, field->name);
        }
        ck_assert_uint_lt(depth, DEPTH_MAX);
        path[depth++] = (visit){inner, 0};
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

TEST(no_message_contains_itself) {
    ck_assert_uint_eq(depth_of(&apex__client_message__descriptor), 3); // envelope, Controls, sample
    ck_assert_uint_eq(depth_of(&apex__server_message__descriptor), 3);
    ck_assert_uint_eq(depth_of(&apex__car_def__descriptor), 4);   // axle, suspension, curve
    ck_assert_uint_eq(depth_of(&apex__track_def__descriptor), 3); // terrain, box
}
