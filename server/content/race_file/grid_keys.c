/// Whom a session takes from which earlier ones: the keys of a grid.
#include "content/race_file/grid_keys.h"
#include "content/race_file/session_draft.h"

#include <string.h>

#include "content/document/nodes.h"
#include "content/document/value.h"
#include "content/fields/field_macros.h"
#include "content/fields/fields.h"
#include "race/weekend_def_ranges.h"

_Static_assert(sizeof(apex_order_by) == sizeof(int), "choices are stored as int");

static const char *const orders[] = {"result", "best-lap", "points", "entry",
                                     "lot",    "arrival",  NULL};

// A feed with what needs more than its own words to be understood.
typedef struct feed_draft {
    apex_session_feed feed;
    char from[APEX_NAME_BYTES], places[24], reverse[24], class_name[APEX_NAME_BYTES];
} feed_draft;

static const content_field feed_fields[] = {
    {FIELD(feed_draft, "from", CONTENT_TEXT, from, "name or number of an earlier session"),
     .bytes = APEX_NAME_BYTES},
    {FIELD(feed_draft, "by", CONTENT_CHOICE, feed.by,
           "result, best-lap, points, entry, lot or arrival"),
     .choices = orders},
    TEXT(feed_draft, places, "N, FROM-TO or FROM-"),
    TEXT(feed_draft, reverse, "the first so many back to front, or all"),
    {FIELD(feed_draft, "class", CONTENT_TEXT, class_name, "of this class alone"),
     .bytes = APEX_NAME_BYTES},
};
static const content_table feed_table = CONTENT_TABLE(feed_fields);

// Digits at *at, which it moves behind them. @return false if there are none, or too many
static bool take_whole(const char **at, uint32_t *out) {
    size_t digits = strspn(*at, "0123456789");
    uint32_t value = 0;
    for (size_t i = 0; i < digits && i < 6; i++) {
        value = value * 10 + (uint32_t)((*at)[i] - '0');
    }
    *at += digits;
    *out = value;
    return digits >= 1 && digits <= 6;
}

static bool is_whole(const char *text, uint32_t *out) {
    return take_whole(&text, out) && *text == '\0';
}

static bool parse_places(const char *text, apex_session_feed *feed) {
    if (!take_whole(&text, &feed->from)) {
        return false;
    }
    if (*text == '\0') {
        feed->to = feed->from;
        return feed->from > 0;
    }
    bool has_dash = *text == '-';
    text += has_dash;
    if (has_dash && *text == '\0') {
        feed->to = 0;
        return feed->from > 0;
    }
    return has_dash && is_whole(text, &feed->to) && feed->from > 0 && feed->to >= feed->from;
}

static bool read_places(content_reader *reader, const yaml_node_t *node, feed_draft *draft) {
    return parse_places(draft->places, &draft->feed) ||
           content_fail(reader, node->start_mark, APEX_ERR_PARSE,
                        "expected places as 3, 1-10 or 11-, found '%s'", draft->places);
}

static bool read_reverse(content_reader *reader, const yaml_node_t *node, feed_draft *draft) {
    if (strcmp(draft->reverse, "all") == 0) {
        draft->feed.reversed = APEX_REVERSE_ALL;
        return true;
    }
    return is_whole(draft->reverse, &draft->feed.reversed) ||
           content_fail(reader, node->start_mark, APEX_ERR_PARSE,
                        "expected a number of places, or all, found '%s'", draft->reverse);
}

static bool read_class(content_reader *reader, const yaml_node_t *node, feed_draft *draft,
                       const content_session *session) {
    const apex_entry_list_def *entries = &session->file->race.weekend.entries;
    for (uint32_t i = 0; i < entries->class_count; i++) {
        if (strcmp(entries->classes[i].name, draft->class_name) == 0) {
            draft->feed.class1 = i + 1;
            return true;
        }
    }
    return content_fail(reader, node->start_mark, APEX_ERR_PARSE,
                        "'%s' is none of this file's classes", draft->class_name);
}

// The first session of this name from this one on: a grid cannot be made of it.
static bool comes_later(content_reader *reader, const content_session *session, const char *name) {
    for (size_t i = session->index; i < content_list_count(session->list); i++) {
        const yaml_node_t *named =
            content_find(reader, content_list_item(reader, session->list, i), "name");
        if (named != NULL && content_is(named, name)) {
            return true;
        }
    }
    return false;
}

static bool read_from(content_reader *reader, const yaml_node_t *node, feed_draft *draft,
                      const content_session *session) {
    const apex_weekend_def *weekend = &session->file->race.weekend;
    uint32_t number = 0;
    bool is_number = is_whole(draft->from, &number);
    for (uint32_t i = 0; i < session->index; i++) {
        if (is_number ? number == i + 1 : strcmp(weekend->sessions[i].name, draft->from) == 0) {
            draft->feed.session = i;
            return true;
        }
    }
    bool is_later = is_number
                        ? number > session->index && number <= content_list_count(session->list)
                        : comes_later(reader, session, draft->from);
    if (is_later) {
        return content_fail(reader, node->start_mark, APEX_ERR_RANGE,
                            "expected a session before this one, but '%s' does not end before it",
                            draft->from);
    }
    return content_fail(reader, node->start_mark, APEX_ERR_PARSE,
                        "expected the name or number of an earlier session; '%s' is none",
                        draft->from);
}

static bool reads_session(apex_order_by by) {
    return by == APEX_BY_RESULT || by == APEX_BY_BEST_LAP;
}

// What is not said is taken from the session just before.
static bool read_source(content_reader *reader, const yaml_node_t *item, const yaml_node_t *from,
                        feed_draft *draft, const content_session *session) {
    if (from != NULL) {
        return read_from(reader, from, draft, session);
    }
    draft->feed.session = APEX_SESSION_NONE;
    if (!reads_session(draft->feed.by)) {
        return true;
    }
    if (session->index == 0) {
        return content_fail(reader, item->start_mark, APEX_ERR_RANGE,
                            "there is no session before this one: expected by: points, entry, lot "
                            "or arrival");
    }
    draft->feed.session = session->index - 1;
    return true;
}

static bool read_feed(content_reader *reader, const yaml_node_t *item, size_t index, void *base) {
    content_session *session = base;
    feed_draft draft = {.feed = {.from = 1}};
    if (!content_read_map(reader, item, &feed_table, &draft)) {
        return false;
    }
    enum { FROM, PLACES, REVERSE, CLASS, WORDS };
    static const char *const words[WORDS] = {"from", "places", "reverse", "class"};
    const yaml_node_t *nodes[WORDS];
    bool good = true;
    for (size_t i = 0; i < WORDS; i++) {
        nodes[i] = content_find(reader, item, words[i]);
        size_t path = content_push_key(reader, words[i]);
        if (i == FROM) {
            good &= read_source(reader, item, nodes[i], &draft, session);
        } else if (nodes[i] != NULL) {
            good &= i == PLACES    ? read_places(reader, nodes[i], &draft)
                    : i == REVERSE ? read_reverse(reader, nodes[i], &draft)
                                   : read_class(reader, nodes[i], &draft, session);
        }
        content_pop(reader, path);
        if (!good && !content_goes_on(reader)) {
            return false;
        }
    }
    session->def.feeds[index] = draft.feed;
    return good;
}

bool content_read_grid(content_reader *reader, const yaml_node_t *node, void *base) {
    content_session *session = base;
    if (node->type == YAML_MAPPING_NODE) {
        session->def.feed_count = 1;
        return read_feed(reader, node, 0, session);
    }
    if (!content_need_list(reader, node, 0, APEX_SESSION_FEEDS_MAX)) {
        return false;
    }
    session->def.feed_count = (uint32_t)content_list_count(node);
    return content_read_items(reader, node, read_feed, session);
}
