// The server's names of phases, events and states are the clients'.
#include "proto/proto.h"
#include "race/race.h"
#include "support/base/check_main.h"

#include <string.h>

enum { PAST = 3 }; // numbers past the last, which have no name

static void expect_name(const char *server, const char *client, bool is_known) {
    ck_assert_ptr_nonnull(server);
    ck_assert_ptr_nonnull(client);
    ck_assert_str_eq(server, client);
    ck_assert_msg((strcmp(server, "unknown") != 0) == is_known, "%s", server);
}

TEST(each_number_has_one_name) {
    for (uint32_t i = 0; i < APEX_WIRE_PHASES + PAST; i++) {
        expect_name(apex_race_phase_name((apex_race_phase)i), apex_wire_phase_name(i),
                    i < APEX_WIRE_PHASES);
    }
    for (uint32_t i = 0; i < APEX_WIRE_EVENTS + PAST; i++) {
        expect_name(apex_race_event_name((apex_race_event_kind)i), apex_wire_event_name(i),
                    i < APEX_WIRE_EVENTS);
    }
    for (uint32_t i = 0; i < APEX_WIRE_STANDING_STATES + PAST; i++) {
        expect_name(apex_standing_state_name((apex_standing_state)i), apex_wire_standing_name(i),
                    i < APEX_WIRE_STANDING_STATES);
    }
}

TEST(no_two_numbers_share_a_name) {
    for (uint32_t i = 0; i < APEX_WIRE_EVENTS; i++) {
        for (uint32_t k = 0; k < i; k++) {
            ck_assert_str_ne(apex_wire_event_name(i), apex_wire_event_name(k));
        }
    }
}
