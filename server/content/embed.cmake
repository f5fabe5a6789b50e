# cmake -D FILES=cars/a.yaml;tracks/b.yaml -D OUTPUT=embedded.c -P embed.cmake
# Writes the array that content/source/embedded.h declares. Run in the folder that FILES start from.

set(arrays "")
set(entries "")
set(count 0)
foreach(path IN LISTS FILES)
  get_filename_component(folder ${path} DIRECTORY)
  get_filename_component(name ${path} NAME_WE)
  string(REGEX REPLACE "s$" "" kind ${folder})
  if(path MATCHES "\\.pgm$")
    # A track's maps are looked for by the name that its file gives them.
    set(kind map)
    get_filename_component(name ${path} NAME)
  endif()
  file(READ ${path} hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR length "${digits} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n    " hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  # The 0 at the end is not counted in length; it lets a debugger show the text.
  string(APPEND arrays "static const unsigned char file_${count}[] = {\n    ${bytes}0};\n")
  string(APPEND entries "    {\"${kind}\", \"${name}\", file_${count}, ${length}},\n")
  math(EXPR count "${count} + 1")
endforeach()
if(count EQUAL 0)
  set(entries "    {0}, /* nothing ships, and an array must have one entry */\n")
endif()
file(WRITE ${OUTPUT}
  "#include \"content/source/embedded.h\"\n\n${arrays}\n"
  "const struct apex_embedded_file apex_embedded_files[] = {\n${entries}};\n"
  "const size_t apex_embedded_file_count = ${count};\n")
