// Tests of what may be a name, and of which two names pass for one another.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "net/player_name.h"
#include "support/base/check_main.h"

static apex_name_judge *judge;

static void begin(void) {
    ck_assert_int_eq(apex_name_judge_create(&judge), APEX_OK);
}

static void end(void) {
    apex_name_judge_destroy(judge);
}

static const char *tidy(const char *text, char name[APEX_WIRE_NAME_BYTES]) {
    memset(name, 'x', APEX_WIRE_NAME_BYTES);
    size_t length = strlen(text);
    memcpy(name, text, length < APEX_WIRE_NAME_BYTES ? length + 1 : APEX_WIRE_NAME_BYTES);
    return apex_name_tidy(name);
}

TEST(a_name_is_shown_composed_and_without_spare_spaces) {
    static const struct {
        const char *given, *shown;
    } rows[] = {
        {"  Ada   Lovelace ", "Ada Lovelace"},
        {"Jose\u0301", "Jos\u00E9"}, // an accent of its own
        {"\u1112\u1161\u11AB", "\uD55C"},
        {"\u212A", "K"}, // the sign of the kelvin
        {"김민수", "김민수"},
        {"高橋 桜ちゃん", "高橋 桜ちゃん"},
        {"محمد", "محمد"},
        {"Jürgen Groß", "Jürgen Groß"},
        {"ที่รัก", "ที่รัก"}, // two marks on one letter
        {"मौर्य", "मौर्य"},
        {"မြို့", "မြို့"}, // four marks, one of which has a place of its own
        {"Nguyễn Ngọc", "Nguyễn Ngọc"},
        {"Ада", "Ада"},
        {"🏁🚗", "🏁🚗"},
        {"👍🏽", "👍🏽"},
        {"-=[x]=-", "-=[x]=-"},
        {"1234567890123456789012345678901", "1234567890123456789012345678901"},
        {"a\u0327\u0323\u0302", "\u1EAD\u0327"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char name[APEX_WIRE_NAME_BYTES];
        const char *why = tidy(rows[i].given, name);
        ck_assert_msg(why == NULL, "%s: %s", rows[i].given, why);
        ck_assert_str_eq(name, rows[i].shown);
    }
}

static void expect_refusals(const char *const names[], size_t count, const char *because) {
    for (size_t i = 0; i < count; i++) {
        char name[APEX_WIRE_NAME_BYTES], before[APEX_WIRE_NAME_BYTES];
        const char *why = tidy(names[i], name);
        ck_assert_msg(why != NULL, "%zu: \"%s\" passed", i, names[i]);
        ck_assert_msg(strstr(why, because) != NULL, "%zu: %s", i, why);
        memset(before, 'x', sizeof before);
        memcpy(before, names[i], strnlen(names[i], sizeof before - 1) + 1);
        ck_assert_str_eq(name, before); // as it was given
    }
}

#define EXPECT_REFUSALS(names, because) \
    expect_refusals(names, sizeof(names) / sizeof(names)[0], because)

TEST(what_is_not_seen_is_refused) {
    static const char *const names[] = {
        "A\u200Bda", "A\u200Dda", "A\u200Cda", "A\u00ADda",   "\u202Eada",   "Ada\u2066",
        "A\u061Cda", "A\u034Fda", "A\uFE0F",   "A\U000E0061", "A\U000E0100", "A\uFEFF",
        "\u3164",    "\u115F",    "\uFFA0",    "\u2800",      "\U0001D159",  "A\U00013441",
        "A\u00A0b",  "A\u3000b",  "A\u2003b",  "A\u2028b",    "A\tb",        "A\x7F",
        "A\xC2\x85", "A\u180E",   "A\u17B5",   "A\U0001D173", "A\U00016FE4", "A\n",
    };
    EXPECT_REFUSALS(names, "invisible");
}

TEST(what_has_no_meaning_is_refused) {
    static const char *const names[] = {
        "\uE000", "A\U000F0000", "A\U0010FFFD", "A\u0378", "A\uFFFF", "A\U0001FFFE", "A\uFDD0",
    };
    EXPECT_REFUSALS(names, "does not know");
}

TEST(marks_need_a_letter_and_are_few) {
    static const char *const alone[] = {"\u0301", " \u0301", "Ada \u0301", "\u0308\u0301",
                                        "\u093F"};
    EXPECT_REFUSALS(alone, "need a letter");
    static const char *const many[] = {"x\u0301\u0302\u0303\u0304", "A b\u0300\u0316\u0317\u0318"};
    EXPECT_REFUSALS(many, "three accents");
    static const char *const over[] = {"A\u0338da", "A\u0336da", "A\u20D2",
                                       "A\u20DD",   "1\u20E3",   "A\u0488"};
    EXPECT_REFUSALS(over, "struck through");
    char name[APEX_WIRE_NAME_BYTES];
    ck_assert_ptr_null(tidy("x\u0301\u0302\u0303", name));
}

TEST(a_name_must_be_there_and_fit) {
    static const char *const none[] = {"", " ", "          "};
    EXPECT_REFUSALS(none, "is needed");
    // Ten letters of Devanagari, of 30 bytes as one writes them, of 60 as NFC has them.
    static const char *const longer[] = {
        "\u0958\u0958\u0958\u0958\u0958\u0958\u0958\u0958\u0958\u0958"};
    EXPECT_REFUSALS(longer, "too long");
    char name[APEX_WIRE_NAME_BYTES];
    memset(name, 'a', sizeof name); // no end
    ck_assert_ptr_nonnull(apex_name_tidy(name));
    apex_name_look look;
    ck_assert(!apex_name_look_of(judge, "12345678901234567890123456789012", &look));
}

FIXTURE(begin, end)

TEST(broken_utf8_is_refused) {
    static const char *const names[] = {
        "\xC3",     "A\x80", "\xC0\xAF",      "\xED\xA0\x80", "\xF4\x90\x80\x80",
        "\xE2\x82", "\xFF",  "A\xF0\x9F\x8F",
    };
    EXPECT_REFUSALS(names, "UTF-8");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        apex_name_look look;
        ck_assert(!apex_name_look_of(judge, names[i], &look));
    }
}

static bool is_alike(const char *left, const char *right) {
    apex_name_look a, b;
    ck_assert_msg(apex_name_look_of(judge, left, &a), "%s", left);
    ck_assert_msg(apex_name_look_of(judge, right, &b), "%s", right);
    ck_assert(apex_name_looks_alike(&a, &a));
    ck_assert_int_eq(apex_name_looks_alike(&a, &b), apex_name_looks_alike(&b, &a));
    return apex_name_looks_alike(&a, &b);
}

TEST(what_passes_for_another_is_the_same) {
    static const char *const pairs[][2] = {
        {"Ada", "\u0410da"},                       // a Cyrillic A
        {"Ada", "\u0391da"},                       // a Greek one
        {"Ada", "ADA"},                            //
        {"Bot 1", "B\u043Et 1"},                   // a Cyrillic o
        {"Bot 1", "Bot l"},                        //
        {"Bot 1", "BOT I"},                        //
        {"Bot 10", "Bot 1O"},                      // a letter
        {"Bot 10", "b0t lo"},                      //
        {"Ada", "\uFF21\uFF44\uFF41"},             // full width
        {"Ada", "\U0001D400\U0001D41D\U0001D41A"}, // bold
        {"Iain", "lain"},                          //
        {"Ira", "\u0456ra"},                       // a Cyrillic i, which looks like that of "ira"
        {"Iain", "iain"},                          //
        {"B\u0131rd", "Bird"},                     // a dotless i
        {"Gro\u00DF", "GROSS"},                    //
        {"modem", "rnodern"},                      //
        {"Jos\u00E9", "Jose\u0301"},               //
        {"Jos\u00E9", "JOS\u00C9"},                //
        {"A\u200Dda", "Ada"},                      // a joiner: the console may be given one
        {"A\u00ADda", "Ada"},                      //
        {"fi", "\uFB01"},                          // a ligature
        {"Bot 1", "Bot \u2460"},                   // a digit in a circle
        {"\u0410\u0434\u0430", "\u0430\u0434\u0430"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        ck_assert_msg(is_alike(pairs[i][0], pairs[i][1]), "%zu: %s, %s", i, pairs[i][0],
                      pairs[i][1]);
    }
}

TEST(what_can_be_told_apart_is_not) {
    static const char *const pairs[][2] = {
        {"Ada", "Adam"},
        {"Jose", "Jos\u00E9"},
        {"Bot 1", "Bot 2"},
        {"Bot 1", "Bot 11"},
        {"Müller", "Muller"},
        {"Bot 1", "bot-1"},
        {"Ada", "Ada (2)"},
        {"김민수", "김민지"},
        {"iain", "lain"},
        {"driver 0", "driver 1"},
        {"🏁", "🚗"},
        {"Ada", "A da"},
        {"load-00001", "load-00010"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        ck_assert_msg(!is_alike(pairs[i][0], pairs[i][1]), "%zu: %s, %s", i, pairs[i][0],
                      pairs[i][1]);
    }
}

TEST(bots_are_known_by_their_looks) {
    static const struct {
        const char *name;
        bool is_bots;
    } rows[] = {
        {"Bot 1", true},      {"bot 1", true},    {"BOT I", true},      {"Bot 4096", true},
        {"B\u043Et 7", true}, {"Bot lO", true},   {"B0t 99", true},     {"\uFF22ot 1", true},
        {"Bot \u0661", true}, {"Bot", false},     {"Bot x", false},     {"bot-01", false},
        {"Bot1", false},      {"Robot 1", false}, {"Bot 1 (2)", false}, {"Bob 1", false},
        {"Bot 1a", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        apex_name_look look;
        ck_assert(apex_name_look_of(judge, rows[i].name, &look));
        ck_assert_msg(look.is_bots == rows[i].is_bots, "%s", rows[i].name);
    }
}

// No character makes the look of a tidy name too long, which would stop its player from joining.
// Those that become many stand among squared words and in what was made for older sets.
TEST(every_tidy_name_has_a_look) {
    uint32_t tidied = 0;
    for (uint32_t character = 0x3200; character < 0x10000; character++) {
        if (character == 0x3400) {
            character = 0xF900; // what lies between stands for itself
        }
        const char text[] = {(char)(0xE0 | character >> 12), (char)(0x80 | (character >> 6 & 0x3F)),
                             (char)(0x80 | (character & 0x3F)), '\0'};
        char name[APEX_WIRE_NAME_BYTES] = "";
        while (strlen(name) + strlen(text) < sizeof name) {
            memcpy(name + strlen(name), text, strlen(text) + 1);
        }
        apex_name_look look;
        if (apex_name_tidy(name) == NULL) {
            tidied++;
            ck_assert_msg(apex_name_look_of(judge, name, &look), "U+%04X", character);
        }
    }
    ck_assert_uint_gt(tidied, 1500);
}

// A hundred times what it takes: a thousand joins in one tick would still be no dropped ticks.
TEST(a_look_takes_microseconds) {
    enum { LOOKS = 2000 };
    clock_t before = clock();
    for (int i = 0; i < LOOKS; i++) {
        char name[APEX_WIRE_NAME_BYTES];
        snprintf(name, sizeof name, "Ада \uFDFA Lovelace %d", i);
        apex_name_look look;
        ck_assert(apex_name_look_of(judge, name, &look));
    }
    double each_us = (double)(clock() - before) / CLOCKS_PER_SEC * 1e6 / LOOKS;
    ck_assert_msg(each_us < 1000.0, "%g us", each_us);
}
