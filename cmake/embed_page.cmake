# cmake -D folder=DIR -D output=FILE -P embed_page.cmake: the page with its style and scripts, as C++ string literals. A
# compiler need not take literals longer than 64 KiB, so each line is one. Square brackets and semicolons mean something
# to CMake in lists: nothing here is a list.
file(READ ${folder}/report.html page)
file(READ ${folder}/report.css style)
file(GLOB scripts ${folder}/*.js)
list(SORT scripts)
set(script "")
foreach(file IN LISTS scripts)
  file(READ ${file} text)
  string(APPEND script "${text}\n")
endforeach()
string(REPLACE "/*STYLE*/" "${style}" page "${page}")
string(REPLACE "/*SCRIPT*/" "${script}" page "${page}")
string(REPLACE "\\" "\\\\" page "${page}")
string(REPLACE "\"" "\\\"" page "${page}")
string(REPLACE "\n" "\\n\",\n\"" page "${page}")
file(WRITE ${output} "\"${page}\"\n")
