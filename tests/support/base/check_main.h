// The frame of every unit test: tests list themselves, and main() in check_main.c runs them.

#pragma once

#include <check.h>
#include <stdbool.h>
#include <stddef.h>

enum { CHECK_PATH_BYTES = 160 };

/// A test. It runs in a child process of its own, after those above it in its file, and is ended
/// after CK_DEFAULT_TIMEOUT seconds.
#define TEST(name) TEST_OVER(name, 0, 1)

/// A test that runs once for each `_i` from `first` up to and without `end`.
#define TEST_OVER(name, first, end)                            \
    START_TEST(name);                                          \
    CHECK_LIST(name##_list, check_list_test(name, first, end)) \
    static void name##_fn(int _i CK_ATTRIBUTE_UNUSED)

/// `set_up` and `tear_down` run before and after each test below, up to the next FIXTURE of the
/// file. NULL: nothing runs.
#define FIXTURE(set_up, tear_down) \
    CHECK_LIST(CHECK_OF_LINE(fixture, __LINE__), check_list_fixture(set_up, tear_down))

/// `is_there` is asked once, before all tests of the file. It returns false, having printed what is
/// missing, where they cannot run: then they count as skipped.
#define NEEDS(is_there) CHECK_LIST(CHECK_OF_LINE(need, __LINE__), check_list_need(is_there))

#define CHECK_OF_LINE(name, line)  CHECK_OF_LINE_(name, line)
#define CHECK_OF_LINE_(name, line) name##_of_line_##line

// A constructor runs before main, those of a file from its top to its end.
#define CHECK_LIST(function, call)                            \
    __attribute__((constructor)) static void function(void) { \
        call;                                                 \
    }

void check_list_test(const TTest *test, int first, int end);
void check_list_fixture(SFun set_up, SFun tear_down);
void check_list_need(bool (*is_there)(void));

/// Fails unless `fails`, called in a child process, says `said` on standard error and aborts.
void check_aborts(void (*fails)(void), const char *said);

/// A new folder "name-XXXXXX", in one of the program's own. That goes with all that is in it when
/// the program ends, also when a test has failed.
void check_make_folder(char path[CHECK_PATH_BYTES], const char *name);

/// Removes it and all that is in it, while the program goes on: a disk that fails.
void check_remove_folder(const char *path);

/// A new file there, empty.
void check_make_file(char path[CHECK_PATH_BYTES], const char *name);

/// `bytes` of zeros that all tests of the program share, each of which may be a process of its own.
/// It is called from a constructor, before they part; the program ends where there is no room.
void *check_shared(size_t bytes);

/// The number of cases to run, of `count` that run the same code: all of them, or as many as
/// APEX_SEEDS_MAX says.
int check_cases(int count);

/// False where check_cases gives fewer than all: then long runs may be shorter, too.
bool check_is_whole(void);
