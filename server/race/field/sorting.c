// Renewing an order that is to be sorted: players who have gone leave it, and new ones come behind
// the rest.
#include "race/field/sorting.h"

#include "race/field/kept.h"

uint32_t race_sort_renew(const race_field *field, uint32_t list[], uint32_t count,
                         uint32_t wanted) {
    APEX_ASSERT(count <= 2 * field->capacity && wanted <= 2 * field->capacity);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (race_kept_is_entry(field, list[i])) {
            list[kept++] = list[i];
        }
    }
    if (kept == wanted) {
        return wanted;
    }
    uint32_t *mark = field->scratch;
    memset(mark, 0, 2 * field->capacity * sizeof *mark);
    for (uint32_t i = 0; i < kept; i++) {
        mark[list[i]] = 1;
    }
    for (uint32_t entry = 0; kept < wanted; entry++) {
        APEX_ASSERT(entry < 2 * field->capacity);
        if (mark[entry] == 0 && race_kept_is_entry(field, entry)) {
            list[kept++] = entry;
        }
    }
    return wanted;
}
