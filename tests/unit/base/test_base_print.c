// What strangers wrote, as a terminal is shown it.
#include "support/base/check_main.h"

#include <stdlib.h>
#include <string.h>

#include "base/print.h"

static void expect_line(const char *text, const char *wanted) {
    char *got = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&got, &length);
    ck_assert_ptr_nonnull(out);
    apex_print_line(out, "%s", text);
    fclose(out);
    ck_assert_str_eq(got, wanted);
    free(got);
}

TEST(what_acts_on_a_terminal_is_shown_as_its_bytes) {
    expect_line("a \x1b[2J\n\x7f", "a \\x1b[2J\\x0a\\x7f\n");
    expect_line("\xc2\x9b", "\\xc2\\x9b\n");
    expect_line("\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8f",
                "\\xe2\\x80\\xae\\xe2\\x81\\xa6\\xe2\\x80\\x8f\n");
    expect_line("\xd8\x9c\xe2\x80\x8b\xf3\xa0\x80\x81",
                "\\xd8\\x9c\\xe2\\x80\\x8b\\xf3\\xa0\\x80\\x81\n");
    expect_line("\xff\xe2\x82", "\\xff\\xe2\\x82\n");
    expect_line("N\xc3\xbcrburgring \xe4\xb8\xad \xf0\x9f\x8f\x81",
                "N\xc3\xbcrburgring \xe4\xb8\xad \xf0\x9f\x8f\x81\n");
}

// Longer than the piece that is printed at a time, by each number of bytes.
TEST(long_texts_lose_nothing) {
    for (size_t length = 200; length < 600; length++) {
        char text[601], wanted[2402];
        memset(text, 0x1b, length);
        text[length] = '\0';
        for (size_t i = 0; i < length; i++) {
            memcpy(wanted + 4 * i, "\\x1b", 4);
        }
        memcpy(wanted + 4 * length, "\n", 2);
        expect_line(text, wanted);
    }
}
