// Names and paths in it may be a stranger's: apex_print_line escapes what a terminal would act on.
#include "client-lite/cli/complain.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/print.h"

void cli_complain(const char *fmt, ...) {
    char text[2048];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    apex_print_line(stderr, "apex-client: %s", text);
}
