// Messages of what a server measures: a car's telemetry, and its own statistics.
#include "wire.pb-c.h"

#include "proto/codec/codec_fields.h"
#include "proto/codec/codec_messages.h"

#define TELEMETRY_FIELDS(D)                    \
    D##_ANY(telemetry, tick);                  \
    D##_ANY(telemetry, car);                   \
    D##_REAL(telemetry, speed_mps);            \
    D##_REAL(telemetry, rpm);                  \
    D##_INT(telemetry, int32_t, gear, -1, 10); \
    D##_REAL(telemetry, throttle);             \
    D##_REAL(telemetry, brake);                \
    D##_REAL(telemetry, steer_rad);            \
    D##_REAL(telemetry, acceleration_x_mps2);  \
    D##_REAL(telemetry, acceleration_y_mps2);  \
    D##_REAL(telemetry, lap_m);                \
    D##_REAL(telemetry, offset_m);             \
    D##_REAL(telemetry, fuel_kg);

#define WHEEL_FIELDS(D)                        \
    D##_REAL(wheel, load_n);                   \
    D##_REAL(wheel, slip_ratio);               \
    D##_REAL(wheel, slip_angle_rad);           \
    D##_REAL(wheel, force_long_n);             \
    D##_REAL(wheel, force_lat_n);              \
    D##_REAL(wheel, friction);                 \
    D##_REAL(wheel, spin_radps);               \
    D##_REAL(wheel, temperature_c);            \
    D##_INT(wheel, uint32_t, surface, 0, 255); \
    D##_FLAG(wheel, sliding);

#define STATS_FIELDS(D)                   \
    D##_ANY(server_stats, tick);          \
    D##_ANY(server_stats, uptime_s);      \
    D##_ANY(server_stats, clients);       \
    D##_ANY(server_stats, players);       \
    D##_ANY(server_stats, tick_us_p50);   \
    D##_ANY(server_stats, tick_us_p99);   \
    D##_ANY(server_stats, tick_us_max);   \
    D##_ANY(server_stats, late_us_p99);   \
    D##_ANY(server_stats, ticks_dropped); \
    D##_ANY(server_stats, bytes_in);      \
    D##_ANY(server_stats, bytes_out);     \
    D##_ANY(server_stats, packets_in);    \
    D##_ANY(server_stats, packets_out);

#define STATS_LAST_FIELDS(D) D##_ANY(server_stats, cpu_us);

// They stand behind the counts.
#define CONTROLS_FIELDS(D)                \
    D##_ANY(server_stats, controls_used); \
    D##_ANY(server_stats, controls_missed);

#define COUNT_FIELDS(D)        \
    D##_TEXT(count, name, 31); \
    D##_ANY(count, count);

static void put_wheel(codec_writer *writer, const apex_wheel_telemetry *plain) {
    Apex__WheelTelemetry message = APEX__WHEEL_TELEMETRY__INIT, *pb = &message;
    WHEEL_FIELDS(PUT);
    codec_write_element(writer, 14, &message.base);
}

void codec_put_telemetry(codec_writer *writer, const apex_telemetry *plain) {
    Apex__Telemetry message = APEX__TELEMETRY__INIT, *pb = &message;
    assert(plain->wheel_count <= APEX_WIRE_WHEELS_MAX);
    TELEMETRY_FIELDS(PUT);
    codec_write(writer, &message.base);
    for (uint32_t i = 0; i < plain->wheel_count; i++) {
        put_wheel(writer, &plain->wheels[i]);
    }
}

static void put_count(codec_writer *writer, const apex_count *plain) {
    Apex__Count message = APEX__COUNT__INIT, *pb = &message;
    COUNT_FIELDS(PUT);
    codec_write_element(writer, 14, &message.base);
}

// A row of counts ends with the last one that is not zero.
static size_t row_length(const uint64_t counts[], size_t length) {
    while (length > 0 && counts[length - 1] == 0) {
        length--;
    }
    return length;
}

static void put_rest_of_stats(codec_writer *writer, const apex_server_stats *plain) {
    Apex__ServerStats message = APEX__SERVER_STATS__INIT, *pb = &message;
    CONTROLS_FIELDS(PUT);
    message.controls_depths = (uint64_t *)plain->controls_depths;
    message.n_controls_depths = row_length(plain->controls_depths, APEX_CONTROLS_DEPTHS);
    message.controls_gaps = (uint64_t *)plain->controls_gaps;
    message.n_controls_gaps = row_length(plain->controls_gaps, APEX_CONTROLS_GAPS);
    STATS_LAST_FIELDS(PUT);
    codec_write(writer, &message.base);
}

void codec_put_stats(codec_writer *writer, const apex_server_stats *plain) {
    Apex__ServerStats message = APEX__SERVER_STATS__INIT, *pb = &message;
    assert(plain->refused_count <= APEX_STATS_COUNTS_MAX);
    STATS_FIELDS(PUT);
    codec_write(writer, &message.base);
    for (uint32_t i = 0; i < plain->refused_count; i++) {
        put_count(writer, &plain->refused[i]);
    }
    put_rest_of_stats(writer, plain);
}

static bool get_wheel(codec_reader *reader, const Apex__WheelTelemetry *pb,
                      apex_wheel_telemetry *plain) {
    WHEEL_FIELDS(GET);
    return true;
}

bool codec_get_telemetry(codec_reader *reader, const Apex__Telemetry *pb, apex_telemetry *plain) {
    TELEMETRY_FIELDS(GET);
    if (pb->n_wheels > APEX_WIRE_WHEELS_MAX) {
        return codec_refuse(reader, "telemetry: there are more than 8 wheels");
    }
    plain->wheel_count = (uint32_t)pb->n_wheels;
    for (uint32_t i = 0; i < plain->wheel_count; i++) {
        if (!get_wheel(reader, pb->wheels[i], &plain->wheels[i])) {
            return false;
        }
    }
    return true;
}

static bool get_count(codec_reader *reader, const Apex__Count *pb, apex_count *plain) {
    COUNT_FIELDS(GET);
    return true;
}

static bool get_row(const uint64_t from[], size_t count, uint64_t to[], size_t room) {
    if (count > room) {
        return false;
    }
    memset(to, 0, room * sizeof to[0]);
    if (count > 0) {
        memcpy(to, from, count * sizeof to[0]);
    }
    return true;
}

bool codec_get_stats(codec_reader *reader, const Apex__ServerStats *pb, apex_server_stats *plain) {
    STATS_FIELDS(GET);
    STATS_LAST_FIELDS(GET);
    CONTROLS_FIELDS(GET);
    if (!get_row(pb->controls_depths, pb->n_controls_depths, plain->controls_depths,
                 APEX_CONTROLS_DEPTHS)) {
        return codec_refuse(reader, "server_stats: there are more than 17 controls_depths");
    }
    if (!get_row(pb->controls_gaps, pb->n_controls_gaps, plain->controls_gaps,
                 APEX_CONTROLS_GAPS)) {
        return codec_refuse(reader, "server_stats: there are more than 8 controls_gaps");
    }
    if (pb->n_refused > APEX_STATS_COUNTS_MAX) {
        return codec_refuse(reader, "server_stats: there are more than 64 counts");
    }
    apex_count *counts = codec_take(reader, pb->n_refused, sizeof counts[0]);
    if (counts == NULL) {
        return false;
    }
    for (size_t i = 0; i < pb->n_refused; i++) {
        if (!get_count(reader, pb->refused[i], &counts[i])) {
            return false;
        }
    }
    plain->refused_count = (uint32_t)pb->n_refused;
    plain->refused = counts;
    return true;
}
