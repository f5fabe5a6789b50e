// Errors: names, texts, and what the operating system says.
#include "base/error.h"
#include "support/base/check_main.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define VALUE_OF(name, value, text) APEX_ERR_##name,
static const int all[] = {APEX_ERR_MAP(VALUE_OF)};
#define COUNT (sizeof all / sizeof all[0])

// Numbers are in logs and result files: -1 to -N without a gap or a repeat, whatever is added.
TEST(every_error_is_negative_and_numbered_without_gaps) {
    for (size_t i = 0; i < COUNT; i++) {
        ck_assert_int_eq(all[i], -1 - (int)i);
    }
}

TEST(every_error_has_a_name_and_a_text_of_its_own) {
    for (size_t i = 0; i < COUNT; i++) {
        ck_assert_str_ne(apex_err_name(all[i]), "UNKNOWN");
        ck_assert_uint_gt(strlen(apex_err_text(all[i])), 0);
        for (size_t j = 0; j < i; j++) {
            ck_assert_str_ne(apex_err_name(all[i]), apex_err_name(all[j]));
            ck_assert_str_ne(apex_err_text(all[i]), apex_err_text(all[j]));
        }
    }
    ck_assert_str_eq(apex_err_name(APEX_ERR_BUSY_PORT), "BUSY_PORT");
    ck_assert_str_eq(apex_err_text(APEX_ERR_BUSY_PORT), "address or port already in use");
}

TEST(numbers_outside_the_table_are_answered) {
    ck_assert_str_eq(apex_err_name(APEX_OK), "OK");
    ck_assert_str_eq(apex_err_name(7), "UNKNOWN");
    ck_assert_str_eq(apex_err_text(-1000), "unknown error");
}

TEST(errno_maps_to_what_a_person_would_say) {
    static const struct {
        int number;
        apex_err err;
    } cases[] = {
        {0, APEX_OK},
        {EINVAL, APEX_ERR_INVALID},
        {ENOMEM, APEX_ERR_NO_MEMORY},
        {ENOENT, APEX_ERR_NOT_FOUND},
        {ENOTDIR, APEX_ERR_NOT_FOUND},
        {EEXIST, APEX_ERR_EXISTS},
        {EADDRINUSE, APEX_ERR_BUSY_PORT},
        {EACCES, APEX_ERR_PERMISSION},
        {EPERM, APEX_ERR_PERMISSION},
        {EROFS, APEX_ERR_PERMISSION},
        {ERANGE, APEX_ERR_RANGE},
        {EOVERFLOW, APEX_ERR_RANGE},
        {ENOSPC, APEX_ERR_FULL},
        {EMFILE, APEX_ERR_FILES},
        {ENFILE, APEX_ERR_FILES_ALL},
        {EDQUOT, APEX_ERR_FULL},
        {ETIMEDOUT, APEX_ERR_TIMEOUT},
        {ECONNRESET, APEX_ERR_CLOSED},
        {EPIPE, APEX_ERR_CLOSED},
        {ECONNREFUSED, APEX_ERR_REFUSED},
        {ENETUNREACH, APEX_ERR_UNREACHABLE},
        {EHOSTUNREACH, APEX_ERR_UNREACHABLE},
        {EADDRNOTAVAIL, APEX_ERR_UNREACHABLE},
        {ENOTSUP, APEX_ERR_UNSUPPORTED},
        {ENOSYS, APEX_ERR_UNSUPPORTED},
        {ECANCELED, APEX_ERR_CANCELLED},
        {EISDIR, APEX_ERR_IO}, // as all others
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_int_eq(apex_err_from_errno(cases[i].number), cases[i].err);
    }
}

// "No room left" sent people to look at their disks.
TEST(too_many_open_files_are_said_with_their_number_and_the_way_out) {
    struct rlimit limit;
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    rlim_t before = limit.rlim_cur;
    int next = open("/", O_RDONLY | O_CLOEXEC);
    ck_assert_int_ge(next, 0);
    limit.rlim_cur = (rlim_t)next + 1;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    apex_err err = open("/", O_RDONLY | O_CLOEXEC) < 0 ? apex_err_from_errno(errno) : APEX_OK;
    char expected[160], got[160];
    snprintf(got, sizeof got, "%s", apex_err_text(err));
    snprintf(expected, sizeof expected,
             "all %d files and sockets that this process may have are open: raise ulimit -n, or "
             "LimitNOFILE",
             next + 1);
    close(next);
    limit.rlim_cur = before;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    ck_assert_str_eq(got, expected);
}
