// Memory for rows, aligned as vectors are.

#include "physics/lanes/rows.h"

#include <stdlib.h>
#include <string.h>

void *physics_rows_uncleared(size_t count, size_t size) {
    enum { CACHE_LINE = 64 };
    void *rows = NULL;
    return posix_memalign(&rows, CACHE_LINE, count * size) == 0 ? rows : NULL;
}

void *physics_rows(size_t count, size_t size) {
    void *rows = physics_rows_uncleared(count, size);
    return rows != NULL ? memset(rows, 0, count * size) : NULL;
}
