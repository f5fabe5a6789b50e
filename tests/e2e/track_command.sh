#!/usr/bin/env bash
# Tracks from the command line: their figures as text, JSON and picture; and importing tables of
# points, with errors that say what to do.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# is_svg FILE: well-formed, and nothing in it is fetched from elsewhere.
is_svg() {
    python3 - "$1" <<'PY' || fail "$1 is no picture of its own"
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
assert root.tag == "{http://www.w3.org/2000/svg}svg", root.tag
low, left, wide, deep = map(float, root.get("viewBox").split())
assert wide > 100 and deep > 100, root.get("viewBox")
for one in root.iter():
    assert not any("href" in key for key in one.keys()), one.tag
    assert not one.tag.endswith(("script", "image", "style")), one.tag
PY
}

# The tracks that ship.
mapfile -t tracks < <("$APEX_SERVER" list | sed -n '/^tracks:/,/^races:/s/^  //p')
[ "${#tracks[@]}" -ge 4 ] || fail "only ${#tracks[@]} tracks ship"
for track in "${tracks[@]}"; do
    run_server 0 track "$track"
    expect_line "$track" "^[A-Z].* \($track\)" "$folder/run.out"
    expect_line "$track" '^memory  .* laid in [0-9]+ ms$' "$folder/run.out"
    run_server 0 track "$track" --json --svg "$folder/$track.svg"
    expect "$track: its name" "$(evaluate "$folder/run.out" 'r["track"]')" "$track"
    expect "$track: sectors end at the line, if there is one" \
        "$(evaluate "$folder/run.out" \
            '"length_m" not in r if not r["has_lap"] else r["sector_end_m"][-1] == r["length_m"]')" \
        True
    is_svg "$folder/$track.svg"
done
run_server 0 track ridgeway --json
expect "ridgeway" "$(evaluate "$folder/run.out" 'r["closed"], round(r["length_m"]), r["narrowest_m"],
    r["widest_m"], r["crossings"], r["sector_end_m"][:2]')" "(True, 4237, 12, 14, [], [1470, 2880])"
run_server 0 track car-park --json
expect "car-park" "$(evaluate "$folder/run.out" 'r["has_lap"], r["terrain"]["east_m"],
    r["terrain"]["north_m"], r["terrain"]["cell_m"], r["grid_boxes"], r["posts"]')" \
    "(False, 200, 150, 1, 16, 18)"
run_server 0 track car-park-lap --json
expect "car-park-lap" "$(evaluate "$folder/run.out" 'r["has_lap"], r["terrain"]["east_m"],
    round(r["length_m"]), r["left_bends"], r["pit_lane"]')" "(True, 200, 573, 4, None)"
run_server 0 track ridgeway --svg -
cmp -s "$folder/run.out" "$folder/ridgeway.svg" || fail "two pictures of ridgeway differ"
expect "files left over" "$(find "$folder" -name '*.part')" ""

run_server 0 track --help
expect_line "help" '^usage: apex-server track NAME' "$folder/run.out"
run_server 0 track import --help
expect_line "help" '^usage: apex-server track import FILE.csv --out DIR' "$folder/run.out"
run_server 2 track
complains '^apex-server track: name one track, or a file; '
run_server 2 track oval skidpad
complains '^apex-server track: name one track, or a file; '
run_server 2 track oval --colour
complains "unrecognized option '--colour'"
run_server 2 track oval --json --svg -
complains '^apex-server track: --json and --svg - both want standard output$'
run_server 1 track moon
complains "^apex-server: no track called 'moon'"
run_server 1 track oval --svg "$folder/nowhere/oval.svg"
complains "^apex-server track: $folder/nowhere/oval.svg: No such file or directory$"

# Importing
python3 - "$folder/Figure Eight.csv" <<'PY'
import math, sys
with open(sys.argv[1], "w", encoding="utf-8") as out:
    out.write("# x_m,y_m,w_tr_right_m,w_tr_left_m\n")
    for i in range(300):
        t = 2 * math.pi * (i + 0.5) / 300
        out.write(f"{400 * math.sin(t):.6f},{160 * math.sin(2 * t):.6f},5.5,6.5\n")
PY
run_server 0 track import "$folder/Figure Eight.csv" --out "$folder/made" --title "The Eight"
says ""
expect_line "import" '^figure-eight: 300 points, a lap of [0-9.]+ m$' "$folder/run.out"
expect_line "import" 'a bridge at [0-9]+ m leads 6\.5 m over the road at [0-9]+ m$' "$folder/run.out"
file=$folder/made/figure-eight.yaml
expect_line "import" "^  written to $file$" "$folder/run.out"
expect_line "the file" '^# Imported from Figure Eight.csv, .* Mind the licence' "$file"
expect_line "the file" "^title: 'The Eight'" "$file"
run_server 0 check "$file"
expect "the file" "$(cat "$folder/run.out")" "$file: track, fine"
run_server 0 track "$file" --json
expect "the eight" "$(evaluate "$folder/run.out" 'r["title"], r["narrowest_m"],
    [one["height_m"] > 5 for one in r["crossings"]], r["left_bends"], r["right_bends"]')" \
    "('The Eight', 12, [True], 1, 1)"
run_server 0 --content "$folder/made" check "$file"
run_server 0 track figure-eight --content "$folder/made" --svg "$folder/eight.svg"
is_svg "$folder/eight.svg"
expect "bridges drawn" "$(grep -c 'class="bridge"' "$folder/eight.svg")" 1

# A file that is there is not written over.
cp "$file" "$folder/kept.yaml"
run_server 1 track import "$folder/Figure Eight.csv" --out "$folder/made"
complains "^apex-server track import: $file: is there already; "
cmp -s "$file" "$folder/kept.yaml" || fail "the file that was there has changed"
run_server 0 track import "$folder/Figure Eight.csv" --out "$folder/made" --name other
[ -f "$folder/made/other.yaml" ] || fail "--name does not name the file"
expect "files left over" "$(find "$folder" -name '*.part')" ""

# refused LINE_OF_TABLE SED_SCRIPT MESSAGE
refused() {
    sed -E "$1" "$folder/Figure Eight.csv" >"$folder/bad.csv"
    run_server 1 track import "$folder/bad.csv" --out "$folder/made"
    complains "^apex-server: $folder/bad\\.csv:$2"
    [ ! -e "$folder/made/bad.yaml" ] || fail "a refused table has made a track"
}
refused '7s/,5\.5,/,wide,/' '7:[0-9]+: w_tr_right_m: expected a number, found .wide.$'
refused '7s/,5\.5,/,0,/' '7:[0-9]+: w_tr_right_m: 0 is outside 1\.\.50$'
refused '7s/$/,1/' '7:1: expected 4 columns, .* found more than 4$'
refused '8,300d' ' 7 points; a circuit has at least 8$'
refused '80,301d' '79:1: not closed: [0-9.]+ m from this last point to the first, on line 2$'
head -c 9000000 /dev/zero >"$folder/bad.csv"
run_server 1 track import "$folder/bad.csv" --out "$folder/made"
complains "bad\\.csv: the file has 9000000 bytes; at most"
run_server 1 track import "$folder/nowhere.csv" --out "$folder/made"
complains 'nowhere\.csv: No such file or directory$'
run_server 1 track import "$folder/Figure Eight.csv" --out "$folder/made" --name 'a/b'
complains "the name 'a/b': expected letters a-z, digits and '-'$"
run_server 1 track import "$folder/Figure Eight.csv" --out "$folder/eight.svg"
complains "eight\\.svg/figure-eight\\.yaml: Not a directory$"
run_server 2 track import "$folder/Figure Eight.csv"
complains '^apex-server track import: where to\? --out DIR$'
run_server 2 track import --out "$folder/made"
complains '^apex-server track import: name one table, FILE.csv$'
run_server 2 track import "$folder/Figure Eight.csv" --out "$folder/made" --name "$(printf 'x%.0s' {1..40})"
complains 'is longer than 31 bytes$'
