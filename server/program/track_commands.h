/// `apex-server track NAME|FILE` and `apex-server track import FILE.csv`: what a track is, its
/// picture, and tracks made of tables of points. Arguments without the command's own name.
#pragma once

int track_command(int count, char **arguments);
