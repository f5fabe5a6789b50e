// Tests of the conditions that --fail-if understands, and of its complaints about others.
#include <math.h>
#include <string.h>

#include "client-lite/load/report/condition.h"
#include "support/base/check_main.h"

static const client_figure FIGURES[] = {{"lost", 0.0},
                                        {"in", 2000.0},
                                        {"tick_p99_ms", 11.5},
                                        {"tick_p99_ms_max", 30.0},
                                        {"cpu", (double)NAN}};
enum { FIGURE_COUNT = sizeof FIGURES / sizeof FIGURES[0] };

static client_condition_answer ask(const char *text, const char **unknown) {
    client_condition_problem problem = {0};
    bool fine = client_condition_check(text, FIGURES, FIGURE_COUNT, &problem);
    ck_assert_msg(fine, "%s: column %zu: %s", text, problem.column, problem.why);
    return client_condition_answer_of(text, FIGURES, FIGURE_COUNT, unknown);
}

typedef struct question {
    const char *text;
    client_condition_answer answer;
} question;

TEST(questions_have_answers) {
    static const question ASKED[] = {
        {"lost > 0", CLIENT_CONDITION_FALSE},
        {"lost>=0", CLIENT_CONDITION_TRUE},
        {"in == 2000", CLIENT_CONDITION_TRUE},
        {"in != 2000", CLIENT_CONDITION_FALSE},
        {"tick_p99_ms > 12", CLIENT_CONDITION_FALSE},
        {"tick_p99_ms_max > 12", CLIENT_CONDITION_TRUE},
        {"12 > tick_p99_ms", CLIENT_CONDITION_TRUE},
        {"tick_p99_ms <= 11.5", CLIENT_CONDITION_TRUE},
        {"tick_p99_ms < 11.5", CLIENT_CONDITION_FALSE},
        {"lost > -1", CLIENT_CONDITION_TRUE},
        {"1e3 < in", CLIENT_CONDITION_TRUE},
        {".5", CLIENT_CONDITION_TRUE},
        {"lost", CLIENT_CONDITION_FALSE},
        {"!lost", CLIENT_CONDITION_TRUE},
        {"!!in", CLIENT_CONDITION_TRUE},
        {"\t lost  ", CLIENT_CONDITION_FALSE},
    };
    const char *unknown;
    for (size_t i = 0; i < sizeof ASKED / sizeof ASKED[0]; i++) {
        ck_assert_msg(ask(ASKED[i].text, &unknown) == ASKED[i].answer, "%s", ASKED[i].text);
        ck_assert_ptr_null(unknown);
    }
}

// && before ||, ! before comparisons: with the other order each of these turns round.
TEST(signs_bind_as_in_c) {
    const char *unknown;
    ck_assert_int_eq(ask("1 || 0 && 0", &unknown), CLIENT_CONDITION_TRUE);
    ck_assert_int_eq(ask("(1 || 0) && 0", &unknown), CLIENT_CONDITION_FALSE);
    ck_assert_int_eq(ask("0 && 0 || 1", &unknown), CLIENT_CONDITION_TRUE);
    ck_assert_int_eq(ask("0 && (0 || 1)", &unknown), CLIENT_CONDITION_FALSE);
    ck_assert_int_eq(ask("!in < 1", &unknown), CLIENT_CONDITION_TRUE); // (!2000) < 1
    ck_assert_int_eq(ask("!(in < 1)", &unknown), CLIENT_CONDITION_TRUE);
    ck_assert_int_eq(ask("!(in > 1)", &unknown), CLIENT_CONDITION_FALSE);
    ck_assert_int_eq(ask("!lost == 2", &unknown), CLIENT_CONDITION_FALSE); // 1 == 2
    ck_assert_int_eq(ask("lost > 0 || tick_p99_ms > 11", &unknown), CLIENT_CONDITION_TRUE);
    ck_assert_int_eq(ask("lost > 0 || tick_p99_ms > 12", &unknown), CLIENT_CONDITION_FALSE);
}

// A figure that was not measured must not pass for a good one.
TEST(what_was_not_measured_is_unknown) {
    const char *unknown;
    ck_assert_int_eq(ask("cpu > 300", &unknown), CLIENT_CONDITION_UNKNOWN);
    ck_assert_str_eq(unknown, "cpu");
    ck_assert_int_eq(ask("!(cpu > 300)", &unknown), CLIENT_CONDITION_UNKNOWN);
    ck_assert_int_eq(ask("cpu", &unknown), CLIENT_CONDITION_UNKNOWN);
    ck_assert_int_eq(ask("!cpu", &unknown), CLIENT_CONDITION_UNKNOWN);
    ck_assert_int_eq(ask("lost > 0 || cpu > 300", &unknown), CLIENT_CONDITION_UNKNOWN);
    ck_assert_int_eq(ask("cpu > 300 && in > 0", &unknown), CLIENT_CONDITION_UNKNOWN);
    // If the unknown makes no difference there is an answer.
    ck_assert_int_eq(ask("cpu > 300 || in > 0", &unknown), CLIENT_CONDITION_TRUE);
    ck_assert_ptr_null(unknown);
    ck_assert_int_eq(ask("lost && cpu > 300", &unknown), CLIENT_CONDITION_FALSE);
    ck_assert_int_eq(ask("cpu > 300 && lost", &unknown), CLIENT_CONDITION_FALSE);
}

typedef struct mistake {
    const char *text;
    size_t column;
    const char *why;
} mistake;

TEST(mistakes_are_shown_with_their_place) {
    static const mistake MADE[] = {
        {"", 1, "found the end"},
        {"lost >", 7, "found the end"},
        {"lost > > 3", 8, "found '>'"},
        {"lsot > 0", 1, "no figure 'lsot'"},
        {"lost > 0 || tick_p99 > 1", 13, "no figure 'tick_p99'"},
        {"tick_p99_m > 1", 1, "no figure 'tick_p99_m'"},
        {"(lost > 0", 1, "no ')'"},
        {"lost > 0)", 9, "found ')'"},
        {"lost = 0", 6, "found '='"},
        {"lost > 0 | in > 0", 10, "found '|'"},
        {"lost > 0 in", 10, "found 'i'"},
        {"0 < lost < 3", 10, "found '<'"},
        {"12ms > 3", 1, "expected a number"},
        {"1e999 > 3", 1, "expected a number"},
        {"-inf > 3", 1, "expected a number"},
        {"in > 1; rm", 7, "found ';'"},
        {"lost + in > 3", 6, "found '+'"},
        // The answer is known before, and the mistake is one all the same.
        {"1 || nonsense", 6, "no figure 'nonsense'"},
        {"0 && nonsense", 6, "no figure 'nonsense'"},
    };
    for (size_t i = 0; i < sizeof MADE / sizeof MADE[0]; i++) {
        client_condition_problem problem = {0};
        bool fine = client_condition_check(MADE[i].text, FIGURES, FIGURE_COUNT, &problem);
        ck_assert_msg(!fine, "'%s' was taken", MADE[i].text);
        ck_assert_msg(problem.column == MADE[i].column && strstr(problem.why, MADE[i].why) != NULL,
                      "'%s': column %zu: %s", MADE[i].text, problem.column, problem.why);
    }
}

TEST(depth_is_bounded) {
    char text[4096] = {0};
    memset(text, '(', CLIENT_CONDITION_DEPTH_MAX - 1);
    strcat(text, "in");
    memset(text + strlen(text), ')', CLIENT_CONDITION_DEPTH_MAX - 1);
    const char *unknown;
    ck_assert_int_eq(ask(text, &unknown), CLIENT_CONDITION_TRUE);
    client_condition_problem problem;
    memset(text, '(', sizeof text - 1);
    ck_assert(!client_condition_check(text, FIGURES, FIGURE_COUNT, &problem));
    ck_assert_uint_eq(problem.column, CLIENT_CONDITION_DEPTH_MAX + 1);
    memset(text, '!', sizeof text - 1); // no recursion at all
    ck_assert(!client_condition_check(text, FIGURES, FIGURE_COUNT, &problem));
    ck_assert_uint_eq(problem.column, sizeof text);
}
