/// The commands that measure cars: apex-server car, apex-server manoeuvre.
#pragma once

/// Both take what follows the command's name, and return the program's exit code: 1 also when a
/// manoeuvre has a verdict and the car failed.
int car_command(int count, char **arguments);
int manoeuvre_command(int count, char **arguments);
