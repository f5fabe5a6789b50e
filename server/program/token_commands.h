/// `apex-server token key|sign|show`: what a lobby needs to let drivers in: a key pair, tokens
/// signed by it, and what a token says. Arguments without the command's own name.
#pragma once

/// @return the program's exit code.
int token_command(int count, char **arguments);
