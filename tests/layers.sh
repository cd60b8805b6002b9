#!/usr/bin/env bash
# Every room includes only rooms before it (docs/architecture.md), and none prints but through base/log.h.
cd "$(dirname "$0")/../src" || exit 1
declare -A below=([base]="" [case]="base" [gpu]="base" [mesh]="base case gpu" [solve]="base case gpu"
                  [system]="base case gpu mesh solve" [io]="base case gpu mesh solve system"
                  [assembly]="base case gpu mesh solve system" [interface]="base case gpu mesh solve system assembly"
                  [flow]="base case gpu mesh solve system assembly interface"
                  [run]="base case gpu mesh solve system assembly interface io flow"
                  [bench]="base case gpu mesh solve system assembly interface io flow run"
                  [command]="base case gpu mesh solve system assembly interface io flow run bench"
                  [main.c]="base case gpu mesh solve system assembly interface io flow run bench command")
bad=0
while IFS=: read -r file line text; do
    from=${file#./} from=${from%%/*} to=${text#*\"} to=${to%%/*}
    [[ $from == "$to" || " ${below[$from]-?} " == *" $to "* ]] && continue
    echo "not ok layers: src/${file#./}:$line: $from includes $to, expected only: ${below[$from]-(no such room)}"
    bad=1
done < <(grep -rn '^ *# *include *"' --include='*.[ch]' --include='*.cu' . | sed 's/:[^:"]*include/:include/')
(( bad )) || echo "ok layers"
# A header's name and its include guard are its own: of two with one guard the second is lost in silence.
if found=$({ grep -rh -m1 '^#ifndef' --include='*.h' .; find . -name '*.h' -printf '%f\n'; } | sort | uniq -d | grep .); then
    echo "not ok headers: of two headers, expected names and guards of their own: $found"
    bad=1
else echo "ok headers"; fi
# What is told is made printable in one place (base/log.h); what base/process.c and the bar of log.c print is no text of files.
if found=$(grep -rnE '(^|[^a-z_])(printf|puts|perror) *\(|fprintf\(std|fputs\([^)]*, *std' --include='*.[ch]' --include='*.cu' . |
        grep -v '^./base/\(log\|process\).c:\|^./command/help.c:'); then
    echo "not ok prints: $found; expected log_print() or log_error()"
    bad=1
else echo "ok prints"; fi
exit $bad
