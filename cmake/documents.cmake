# Runs when the command is installed: makes its man pages and completion scripts. Needs: millrace_command,
# millrace_documents.
file(REMOVE_RECURSE ${millrace_documents})
execute_process(COMMAND ${millrace_command} manual --man ${millrace_documents}/man1 COMMAND_ERROR_IS_FATAL ANY)
foreach(script bash:bash-completion/completions/millrace zsh:zsh/site-functions/_millrace
        fish:fish/vendor_completions.d/millrace.fish)
  string(REGEX MATCH "^([a-z]+):(.*)$" script ${script})
  set(shell ${CMAKE_MATCH_1})
  set(file ${millrace_documents}/share/${CMAKE_MATCH_2})
  cmake_path(GET file PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND ${millrace_command} completion ${shell} OUTPUT_FILE ${file} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
