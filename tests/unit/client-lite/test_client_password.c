// Tests of a client at a server that asks for a password.
#include "support/base/check_main.h"

#include "test_client_script.h"

// Checks whether it goes on to the join after a Welcome of such a server.
static void assert_asks(bool spectate, const char *password, bool watching_open, bool goes_on) {
    apex_client_def def = script_def();
    def.spectate = spectate;
    def.password = password;
    script self = script_begin(&def);
    apex_server_message welcome = script_welcome();
    welcome.welcome.password_needed = true;
    welcome.welcome.watching_open = watching_open;
    script_welcomed(&self, &welcome);
    ck_assert_int_eq(self.session->state, goes_on ? APEX_CLIENT_JOINING : APEX_CLIENT_CLOSED);
    ck_assert(self.session->knowledge.welcomed); // so a prompt can name the race
    if (!goes_on) {
        ck_assert_int_eq(self.session->close_reason, APEX_REASON_PASSWORD);
        ck_assert_str_eq(self.session->close_text, "race.example:26000 asks for a password");
    }
    script_end(&self);
}

TEST(a_password_that_is_missing_is_not_tried) {
    assert_asks(false, "", false, false);
    assert_asks(false, NULL, true, false);
    assert_asks(true, "", false, false);
    assert_asks(true, "", true, true);
    assert_asks(true, "guess", false, true);
    assert_asks(false, "guess", true, true);
}

TEST(who_has_a_token_needs_no_password) {
    apex_client_def def = script_def();
    def.password = "";
    const uint8_t token[APEX_TOKEN_BYTES] = {1};
    def.resume_token = token;
    script self = script_begin(&def);
    apex_server_message welcome = script_welcome();
    welcome.welcome.password_needed = true;
    script_welcomed(&self, &welcome);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_JOINING);
    script_end(&self);
}
