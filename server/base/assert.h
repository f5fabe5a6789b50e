/// Assertions for programmers' errors. Bytes from outside are never asserted: they are checked.

#pragma once

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/// On in every build, release included: a race that goes on with broken state is worth less than a
/// restart. Prints "file:line: assertion failed: condition" to standard error and aborts.
#define APEX_ASSERT(condition) \
    ((condition) ? (void)0 : apex_assert_failed(__FILE__, __LINE__, #condition))

/// For validators: functions that walk a whole structure and return what is wrong with it, as a
/// sentence, or NULL. They cost more than a release build would pay. The CMake option
/// APEX_VALIDATES turns them on (the presets dev, asan, tsan and fuzz do) and is 0 or 1 here. Where
/// it is on, APEX_VALIDATE(validator(...)) prints "file:line: invalid: sentence" and aborts when
/// there is a sentence; where it is off, the call is compiled, so that it cannot rot, but never
/// made.
#ifndef APEX_VALIDATES
#define APEX_VALIDATES 0
#endif
#if APEX_VALIDATES
#define APEX_VALIDATE(sentence) apex_assert_valid(__FILE__, __LINE__, (sentence))
#else
#define APEX_VALIDATE(sentence) ((void)sizeof((const char *){(sentence)}))
#endif

// In the header, so that a check costs its user a compare and a cold call and no object file.
_Noreturn static inline void apex_assert_failed(const char *file, int line, const char *condition) {
    fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}

static inline void apex_assert_valid(const char *file, int line, const char *sentence) {
    if (sentence == NULL)
        return;
    fprintf(stderr, "%s:%d: invalid: %s\n", file, line, sentence);
    abort();
}
