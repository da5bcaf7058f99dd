# Installs BUILD into PREFIX, which holds nothing else then.
file(REMOVE_RECURSE "${PREFIX}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${PREFIX}" COMMAND_ERROR_IS_FATAL ANY)

foreach(file IN ITEMS bin/catmint share/man/man1/catmint.1 share/man/man1/catmint-discover.1 share/zsh/site-functions/_catmint
        share/bash-completion/completions/catmint share/fish/vendor_completions.d/catmint.fish
        share/man/man5/catmint-formats.5 share/man/man3/libcatmint.3 share/catmint/schemas/catmint.metrics-1.schema.json
        share/doc/catmint/examples/count_metric.c)
    file(SIZE "${PREFIX}/${file}" size)
    if(size EQUAL 0)
        message(FATAL_ERROR "${PREFIX}/${file} is empty")
    endif()
endforeach()

# Models are whole: each of their files is installed.
set(data "${CMAKE_CURRENT_LIST_DIR}/../../data")
file(GLOB_RECURSE files RELATIVE "${data}" "${data}/pmu/*")
foreach(file IN LISTS files)
    if(NOT EXISTS "${PREFIX}/share/catmint/data/${file}")
        message(SEND_ERROR "data/${file} is not installed")
    endif()
endforeach()

# A model that inherits from another, by the facts that come with catmint.
execute_process(COMMAND "${PREFIX}/bin/catmint" sweep --pmu software:neoverse-n2 --facts kept --out "${PREFIX}/sweep"
    COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE "${PREFIX}/sweep")

# The loader looks for code in no directory that depends on where one stands: each element of a RUNPATH is absolute, or begins at $ORIGIN.
file(GLOB programs "${BUILD}/bin/*" "${BUILD}/lib/*.so" "${BUILD}/lib/catmint/*.so")
file(GLOB_RECURSE installed "${PREFIX}/bin/*" "${PREFIX}/*.so")
set(read 0)
foreach(program IN LISTS programs installed)
    execute_process(COMMAND readelf --dynamic --wide "${program}" OUTPUT_VARIABLE dynamic ERROR_QUIET RESULT_VARIABLE refused)
    if(refused)
        continue()
    endif()
    math(EXPR read "${read} + 1")
    if(dynamic MATCHES "R(UN)?PATH\\)[^\n[]*\\[([^]]*)\\]")
        set(runpath "${CMAKE_MATCH_2}")
        string(REPLACE ":" "\n:" elements "\n:${runpath}\n")
        if(elements MATCHES "\n:([^/$][^\n]*)?\n")
            message(SEND_ERROR "${program}: RUNPATH [${runpath}]: '${CMAKE_MATCH_1}' is the current directory")
        endif()
    endif()
endforeach()
if(read LESS 10)
    message(SEND_ERROR "${read} programs and libraries were read, expected at least 10")
endif()
