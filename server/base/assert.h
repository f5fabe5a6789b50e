// Assertions for programmer errors. Bytes from outside are never asserted: they are checked.

#pragma once

#include <stdio.h>
#include <stdlib.h>

// On in every build, release included: a race that goes on with broken state is worth less than a
// restart. Prints "file:line: condition" to standard error and aborts.
#define APEX_ASSERT(condition) \
    ((condition) ? (void)0 : apex_assert_failed(__FILE__, __LINE__, #condition))

// For checks that cost more than what they guard (walks over a whole world). On only where
// APEX_VALIDATION is defined; the condition is always compiled, so that it cannot rot.
#ifdef APEX_VALIDATION
#define APEX_VALIDATE(condition) APEX_ASSERT(condition)
#else
#define APEX_VALIDATE(condition) ((void)sizeof((condition) ? 1 : 0))
#endif

// In the header, so that a check costs its user a compare and a cold call and no object file.
_Noreturn static inline void apex_assert_failed(const char *file, int line, const char *condition) {
    fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}
