// The book of an event: names, outcomes and points over sessions and rounds.
#include "race/event/book.h"

#include "support/base/check_main.h"

#include <stdlib.h>
#include <string.h>

enum { SESSIONS = 2, LINES = 3 };

static race_competitor competitors[LINES];
static race_outcome outcomes[LINES * SESSIONS];
static race_book book;

static void begin(void) {
    memset(competitors, 0, sizeof competitors);
    memset(outcomes, 0, sizeof outcomes);
    book = (race_book){.session_count = SESSIONS,
                       .capacity = LINES,
                       .competitors = competitors,
                       .outcomes = outcomes};
}

static void note(uint32_t competitor1, uint32_t session, uint32_t place, uint32_t points) {
    race_outcome outcome = {.place = place, .points = points};
    race_book_note(&book, competitor1, session, &outcome);
}

TEST(a_name_has_its_line_again) {
    begin();
    uint32_t ada = race_book_enter(&book, "ada", 1);
    uint32_t bob = race_book_enter(&book, "bob", 2);
    ck_assert_uint_eq(ada, 1);
    ck_assert_uint_eq(bob, 2);
    note(bob, 0, 1, 25);
    race_book_leave(&book, bob);
    ck_assert_uint_eq(race_book_enter(&book, "bob", 7), bob);
    ck_assert_uint_eq(competitors[bob - 1].arrival, 2);
    ck_assert_uint_eq(race_book_outcome(&book, bob, 0)->place, 1);
    ck_assert_uint_eq(race_book_enter(&book, "bob", 8),
                      3); // another of that name, while he is there
    ck_assert_uint_eq(race_book_outcome(&book, 3, 0)->place, 0);
}

TEST(lines_that_nobody_needs_make_room) {
    begin();
    for (uint32_t i = 1; i <= LINES; i++) {
        const char name[2] = {(char)('a' + i), 0};
        ck_assert_uint_eq(race_book_enter(&book, name, i), i);
    }
    ck_assert_uint_eq(race_book_enter(&book, "eve", 9), 0); // all are there
    note(1, 1, 3, 0);
    race_book_leave(&book, 1);
    ck_assert_uint_eq(race_book_enter(&book, "eve", 9), 0); // he has an outcome
    race_book_leave(&book, 3);
    ck_assert_uint_eq(race_book_enter(&book, "eve", 9), 3);
    ck_assert_str_eq(competitors[2].name, "eve");
    ck_assert_ptr_null(race_book_outcome(&book, 0, 0));
    ck_assert_ptr_null(race_book_outcome(&book, 1, SESSIONS));
}

TEST(points_are_summed_and_amended_once) {
    begin();
    uint32_t ada = race_book_enter(&book, "ada", 1);
    note(ada, 0, 1, 25);
    note(ada, 1, 2, 18);
    note(ada, 1, 3, 15); // the results were amended
    ck_assert_uint_eq(race_book_points(&book, ada), 40);
    race_book_begin_round(&book);
    ck_assert_uint_eq(race_book_points(&book, ada), 40);
    ck_assert_uint_eq(race_book_outcome(&book, ada, 1)->place, 0);
    note(ada, 0, 1, 25);
    ck_assert_uint_eq(race_book_points(&book, ada), 65);
    race_book_begin_round(&book);
    ck_assert_uint_eq(race_book_points(&book, ada), 65);
    note(ada, 0, 1, 25);
    ck_assert_uint_eq(race_book_points(&book, ada), 90);
    race_book_clear_session(&book, 0);
    ck_assert_uint_eq(race_book_points(&book, ada), 65);
    ck_assert_uint_eq(race_book_points(&book, 0), 0);
}
