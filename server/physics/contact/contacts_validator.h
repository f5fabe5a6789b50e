/// The contacts' validator: whether a tick's candidates, events and persistent contacts are in
/// order.
#pragma once

#include "physics/contact/contacts.h"

/// @return what is wrong, as a sentence; NULL: nothing
const char *physics_contacts_validate(const physics_contacts *contacts,
                                      const physics_contact_tick *tick);
