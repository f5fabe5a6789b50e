// The rules of a player's name, so that none passes for another: Unicode's own tables, by ICU.
#include "net/player_name.h"

#include <stdlib.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

#include "base/assert.h"
#include "base/hash.h"

enum {
    // NFC makes at most three units of one, and a name in UTF-8 has no fewer bytes than units.
    TIDY_UNITS = 3 * APEX_WIRE_NAME_BYTES,
    // One character of three bytes becomes 18 (U+FDFA), and each of these a few more.
    LOOK_UNITS = 64 * APEX_WIRE_NAME_BYTES,
    PREFIX_UNITS = 4, // "Bot "
    DIGITS = 10,
};

struct apex_name_judge {
    USpoofChecker *checker;
    const UNormalizer2 *fold; // the library's
    UChar bot[PREFIX_UNITS + DIGITS];
};

typedef struct units {
    UChar at[LOOK_UNITS];
    int32_t count;
} units;

// Characters of which nothing is seen, though Unicode calls them symbols, letters or marks.
static bool is_blank(UChar32 character) {
    return character == 0x2800 ||                        // Braille without a dot
           character == 0x16FE4 ||                       // the filler of Khitan
           character == 0x1D159 ||                       // a note without a head
           character == 0x13441 || character == 0x13442; // Egyptian blanks
}

static const char *refuse_character(UChar32 character) {
    static const char invisible[] =
        "a name may not have invisible characters, nor blanks but spaces";
    if (is_blank(character) || u_hasBinaryProperty(character, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) {
        return invisible;
    }
    switch (u_charType(character)) {
    case U_SPACE_SEPARATOR:
        return character == ' ' ? NULL : invisible;
    case U_CONTROL_CHAR:
    case U_FORMAT_CHAR:
    case U_LINE_SEPARATOR:
    case U_PARAGRAPH_SEPARATOR:
        return invisible;
    case U_UNASSIGNED:
    case U_PRIVATE_USE_CHAR:
    case U_SURROGATE:
        return "a name may not have characters that Unicode " U_UNICODE_VERSION " does not know";
    default:
        return NULL;
    }
}

// What stands before the next character: nothing and spaces carry no marks.
typedef struct carrier {
    bool is_letter;
    uint32_t marks;
} carrier;

static const char *refuse_mark(carrier *before, UChar32 character) {
    int8_t type = u_charType(character);
    bool is_stacked = type == U_NON_SPACING_MARK || type == U_ENCLOSING_MARK;
    if (!is_stacked && type != U_COMBINING_SPACING_MARK) {
        *before = (carrier){.is_letter = character != ' '};
        return NULL;
    }
    if (!before->is_letter) {
        return "a name's accents need a letter before them";
    }
    enum { OVERLAY = 1 }; // a combining class
    if (type == U_ENCLOSING_MARK || u_getCombiningClass(character) == OVERLAY) {
        return "a name's letters may not be struck through or encircled";
    }
    before->marks = is_stacked ? before->marks + 1 : 0;
    return before->marks > APEX_NAME_MARKS_MAX
               ? "a name may have no more than three accents on one letter"
               : NULL;
}
_Static_assert(APEX_NAME_MARKS_MAX == 3, "the text above says so");

static int32_t without_spare_spaces(UChar *text, int32_t count) {
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        bool is_spare = text[i] == ' ' && (kept == 0 || text[kept - 1] == ' ');
        text[kept] = text[i];
        kept += !is_spare;
    }
    return kept > 0 && text[kept - 1] == ' ' ? kept - 1 : kept;
}

static const char *refuse_text(const UChar *text, int32_t count) {
    if (count == 0) {
        return "a name is needed to join";
    }
    carrier before = {0};
    const char *why = NULL;
    UChar32 characters[TIDY_UNITS];
    UErrorCode err = U_ZERO_ERROR;
    u_strToUTF32(characters, TIDY_UNITS, &count, text, count, &err);
    APEX_ASSERT(U_SUCCESS(err));
    for (int32_t i = 0; i < count && why == NULL; i++) {
        why = refuse_character(characters[i]);
        why = why == NULL ? refuse_mark(&before, characters[i]) : why;
    }
    return why;
}

// @return whether the text is a name of UTF-8 that is not too long.
static bool read_name(const char *name, UChar out[APEX_WIRE_NAME_BYTES], int32_t *count) {
    size_t bytes = strnlen(name, APEX_WIRE_NAME_BYTES);
    UErrorCode err = U_ZERO_ERROR;
    if (bytes < APEX_WIRE_NAME_BYTES) {
        u_strFromUTF8(out, APEX_WIRE_NAME_BYTES, count, name, (int32_t)bytes, &err);
    }
    return bytes < APEX_WIRE_NAME_BYTES && U_SUCCESS(err);
}

const char *apex_name_tidy(char name[APEX_WIRE_NAME_BYTES]) {
    UChar given[APEX_WIRE_NAME_BYTES], text[TIDY_UNITS];
    int32_t count = 0;
    if (!read_name(name, given, &count)) {
        return "a name is UTF-8, of at most 31 bytes";
    }
    UErrorCode err = U_ZERO_ERROR;
    count = unorm2_normalize(unorm2_getNFCInstance(&err), given, count, text, TIDY_UNITS, &err);
    APEX_ASSERT(U_SUCCESS(err)); // tables of NFC are part of the library's code
    count = without_spare_spaces(text, count);
    const char *why = refuse_text(text, count);
    if (why != NULL) {
        return why;
    }
    char tidy[3 * TIDY_UNITS];
    int32_t bytes = 0;
    u_strToUTF8(tidy, sizeof tidy, &bytes, text, count, &err);
    APEX_ASSERT(U_SUCCESS(err));
    if (bytes >= APEX_WIRE_NAME_BYTES) { // a few letters are longer composed the way that NFC asks
        return "the name is too long: 31 bytes in Unicode's form NFC";
    }
    memset(name, 0, APEX_WIRE_NAME_BYTES);
    memcpy(name, tidy, (size_t)bytes);
    return NULL;
}
_Static_assert(APEX_WIRE_NAME_BYTES == 32, "the texts above say so");

static bool skeleton(const apex_name_judge *judge, const units *of, units *out) {
    UErrorCode err = U_ZERO_ERROR;
    out->count =
        uspoof_getSkeleton(judge->checker, 0, of->at, of->count, out->at, LOOK_UNITS, &err);
    return U_SUCCESS(err);
}

static bool fold(const apex_name_judge *judge, const units *of, units *out) {
    UErrorCode err = U_ZERO_ERROR;
    out->count = unorm2_normalize(judge->fold, of->at, of->count, out->at, LOOK_UNITS, &err);
    return U_SUCCESS(err);
}

static uint64_t key_of(const units *look) {
    return apex_hash_bytes(look->at, (size_t)look->count * sizeof look->at[0], 0);
}

// Like "Bot " and digits, by the look of each: "B0t l" is one.
static bool is_like_a_bot(const apex_name_judge *judge, const units *look) {
    const UChar *digits = judge->bot + PREFIX_UNITS;
    bool is_bot = look->count > PREFIX_UNITS && u_memcmp(look->at, judge->bot, PREFIX_UNITS) == 0;
    for (int32_t i = PREFIX_UNITS; i < look->count; i++) {
        is_bot = is_bot && u_memchr(digits, look->at[i], DIGITS) != NULL;
    }
    return is_bot;
}

// Both ways, since either alone lets a pair through: folding first makes an i of "I", which looks
// like "l", and folding last makes an l of it, which is not the i of "i" (DECISIONS 53).
static bool look_both_ways(const apex_name_judge *judge, const units *text, units *folded_first,
                           units *folded_last) {
    units folded, look;
    return fold(judge, text, &folded) && skeleton(judge, &folded, folded_first) &&
           skeleton(judge, text, &look) && fold(judge, &look, &folded) &&
           skeleton(judge, &folded, folded_last);
}

bool apex_name_look_of(const apex_name_judge *judge, const char *name, apex_name_look *out) {
    units text, folded_first, folded_last;
    if (!read_name(name, text.at, &text.count) ||
        !look_both_ways(judge, &text, &folded_first, &folded_last)) {
        return false;
    }
    *out = (apex_name_look){{key_of(&folded_first), key_of(&folded_last)},
                            is_like_a_bot(judge, &folded_last)};
    return true;
}

bool apex_name_looks_alike(const apex_name_look *a, const apex_name_look *b) {
    return a->keys[0] == b->keys[0] || a->keys[1] == b->keys[1];
}

static bool learn_bots_names(apex_name_judge *judge) {
    units text = {.count = PREFIX_UNITS + DIGITS}, folded_first, folded_last;
    u_uastrncpy(text.at, "Bot 0123456789", PREFIX_UNITS + DIGITS);
    bool is_known = look_both_ways(judge, &text, &folded_first, &folded_last) &&
                    folded_last.count == PREFIX_UNITS + DIGITS;
    if (is_known) {
        u_memcpy(judge->bot, folded_last.at, PREFIX_UNITS + DIGITS);
    }
    return is_known;
}

apex_err apex_name_judge_create(apex_name_judge **out) {
    apex_name_judge *judge = calloc(1, sizeof *judge);
    if (judge == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    UErrorCode err = U_ZERO_ERROR;
    judge->fold = unorm2_getNFKCCasefoldInstance(&err);
    (void)unorm2_getNFCInstance(&err); // read now, not while a race runs
    judge->checker = uspoof_open(&err);
    if (U_FAILURE(err) || !learn_bots_names(judge)) {
        apex_name_judge_destroy(judge);
        return err == U_MEMORY_ALLOCATION_ERROR ? APEX_ERR_NO_MEMORY : APEX_ERR_UNSUPPORTED;
    }
    *out = judge;
    return APEX_OK;
}

void apex_name_judge_destroy(apex_name_judge *judge) {
    if (judge != NULL) {
        uspoof_close(judge->checker);
        free(judge);
    }
}
