# For the scripts of tests/regression: source "$(dirname "$0")/../checks.sh"
# Each prints "ok NAME" or "not ok NAME: why"; failed is 1 after the latter.
export LC_ALL=C                                  # otherwise awk may read 0.5 as 0 in locales with a decimal comma
failed=0

# check NAME COMMAND...: the command ends with status 0.
check() {
    local name=$1 why
    shift
    if why=$("$@" 2>&1); then echo "ok $name"
    else
        echo "not ok $name: $(tail -n 3 <<<"$why" | tr '\n' ' ')"
        failed=1
    fi
}

# result NAME WHY: ok where WHY is empty.
result() {
    if [[ -z $2 ]]; then echo "ok $1"; else echo "not ok $1: $2" | tr '\n' ' '; echo; failed=1; fi
}

# told NAME STATUS TEXT FOUND SAID: a command that ended with status FOUND and printed SAID should have this status and
# contain TEXT.
told() {
    if [[ $2 == "$4" && $5 == *"$3"* ]]; then echo "ok $1"
    else echo "not ok $1: status $4, expected $2 with \"$3\": $(tail -n 3 <<<"$5" | tr '\n' ' ')"; failed=1; fi
}

# default_signals COMMAND...: replaces this shell by the command, with default handlers of the signals that nohup and a
# shell's background jobs ignore.
default_signals() {
    exec "${PYTHON:-/usr/bin/python3}" -c 'import os, signal, sys
for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGXCPU:
    signal.signal(number, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$@"
}

# says NAME STATUS TEXT COMMAND...: the command ends with this status and prints the text.
says() {
    local name=$1 status=$2 text=$3 said
    shift 3
    said=$("$@" 2>&1)
    told "$name" "$status" "$text" $? "$said"
}
