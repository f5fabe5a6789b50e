// The book of an event: who has taken part, and what each came to in each session of the round.
#include "race/event/book.h"

#include "base/assert.h"

#include <string.h>

static race_outcome *row_of(const race_book *book, uint32_t index) {
    APEX_ASSERT(index < book->count);
    return &book->outcomes[(size_t)index * book->session_count];
}

static bool is_known(const race_book *book, uint32_t competitor1) {
    return competitor1 >= 1 && competitor1 <= book->count;
}

static bool has_outcome(const race_book *book, uint32_t index) {
    const race_outcome *row = row_of(book, index);
    for (uint32_t i = 0; i < book->session_count; i++) {
        if (row[i].place != 0) {
            return true;
        }
    }
    return false;
}

// @return book->count for nobody.
static uint32_t find_absent(const race_book *book, const char *name) {
    for (uint32_t i = 0; i < book->count; i++) {
        const race_competitor *known = &book->competitors[i];
        if (!known->present && strncmp(known->name, name, APEX_NAME_BYTES) == 0) {
            return i;
        }
    }
    return book->count;
}

// The first whose line nobody needs any more.
static uint32_t find_room(race_book *book) {
    if (book->count < book->capacity) {
        return book->count++;
    }
    for (uint32_t i = 0; i < book->count; i++) {
        const race_competitor *known = &book->competitors[i];
        if (!known->present && known->points == 0 && !has_outcome(book, i)) {
            return i;
        }
    }
    return book->capacity;
}

uint32_t race_book_enter(race_book *book, const char *name, uint32_t arrival) {
    uint32_t index = find_absent(book, name);
    if (index < book->count) {
        book->competitors[index].present = true;
        return index + 1;
    }
    index = find_room(book);
    if (index == book->capacity) {
        return 0;
    }
    race_competitor *competitor = &book->competitors[index];
    *competitor = (race_competitor){.present = true, .arrival = arrival};
    memcpy(competitor->name, name, strnlen(name, APEX_NAME_BYTES - 1));
    memset(row_of(book, index), 0, book->session_count * sizeof *book->outcomes);
    return index + 1;
}

void race_book_leave(race_book *book, uint32_t competitor1) {
    if (is_known(book, competitor1)) {
        book->competitors[competitor1 - 1].present = false;
    }
}

const race_outcome *race_book_outcome(const race_book *book, uint32_t competitor1,
                                      uint32_t session) {
    bool known = is_known(book, competitor1) && session < book->session_count;
    return known ? &row_of(book, competitor1 - 1)[session] : NULL;
}

void race_book_note(race_book *book, uint32_t competitor1, uint32_t session,
                    const race_outcome *outcome) {
    APEX_ASSERT(session < book->session_count && outcome->place > 0);
    if (is_known(book, competitor1)) {
        row_of(book, competitor1 - 1)[session] = *outcome;
    }
}

void race_book_clear_session(race_book *book, uint32_t session) {
    APEX_ASSERT(session < book->session_count);
    for (uint32_t i = 0; i < book->count; i++) {
        row_of(book, i)[session] = (race_outcome){0};
    }
}

uint32_t race_book_points(const race_book *book, uint32_t competitor1) {
    if (!is_known(book, competitor1)) {
        return 0;
    }
    uint32_t points = book->competitors[competitor1 - 1].points;
    const race_outcome *row = row_of(book, competitor1 - 1);
    for (uint32_t i = 0; i < book->session_count; i++) {
        points += row[i].points;
    }
    return points;
}

void race_book_begin_round(race_book *book) {
    for (uint32_t i = 0; i < book->count; i++) {
        book->competitors[i].points = race_book_points(book, i + 1);
        memset(row_of(book, i), 0, book->session_count * sizeof *book->outcomes);
    }
}
