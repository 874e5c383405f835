#!/bin/sh
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# clients.sh CLIENT SERVER DIR
#
# Starts a server of the examples on a free port of this machine, uses it by the client, and ends it by
# SIGTERM, which it must answer by ending in good order. DIR is made and removed. Says what is wrong and
# fails; status 77 if there is no such client here.

client=$1
server=$2
dir=$3

command -v "$client" > /dev/null || { echo "no $client here: not tested: $(basename "$server")"; exit 77; }

rm -rf "$dir"
mkdir -p "$dir" || exit 1
pid=
trap '[ -z "$pid" ] || kill -KILL "$pid" 2> /dev/null; rm -rf "$dir"' EXIT

refuse() {
    echo "$client and $(basename "$server"): $1"
    echo '--- what the client and the server said:'
    tail -n 30 "$dir/client" "$dir/server" 2> /dev/null
    exit 1
}

# Through a pipe, so that nobody has to guess when it listens.
start() {
    mkfifo "$dir/said" || exit 1
    "$server" "$@" > "$dir/said" 2> "$dir/server" &
    pid=$!
    exec 3< "$dir/said"
    read -r line <&3 || refuse 'the server did not start'
    port=${line##*:}
    case $port in
        '' | *[!0-9]*) refuse "the server said: $line" ;;
    esac
}

stop() {
    kill -TERM "$pid" || refuse 'the server is gone'
    cat <&3 > "$dir/last"
    wait "$pid" || refuse "the server ended with status $?"
    pid=
    grep -q '^the server has ended: shutdown$' "$dir/last" || refuse 'the server did not end in good order'
    [ ! -s "$dir/server" ] || refuse 'the server has reported trouble'
}

# equal WANTED GOT WHAT
equal() {
    [ "$1" = "$2" ] || refuse "$3: got '$2' and not '$1'"
}

by_curl() {
    start --port 0
    url=http://127.0.0.1:$port
    ask() { curl --silent --show-error --max-time 60 "$@" 2>> "$dir/client" || refuse "curl $* failed"; }

    equal 'hello from smarm' "$(ask "$url/")" 'GET'
    equal 404 "$(ask -o "$dir/body" -w '%{http_code}' "$url/nothing")" 'GET of nothing'
    equal '1 0 0 ' "$(ask -o "$dir/body" -o "$dir/body" -o "$dir/body" -w '%{num_connects} ' \
        "$url/" "$url/nothing" "$url/")" 'connections for GET three times'
    ask --head "$url/bytes/1000" > "$dir/head"
    grep -qi '^content-length: 1000' "$dir/head" || refuse 'HEAD does not tell the length'
    equal 'text and more' "$(ask --data 'text and more' "$url/echo")" 'POST'
    equal 'in pieces' "$(printf 'in pieces' |
        ask -H 'Transfer-Encoding: chunked' -H 'Expect:' --data-binary @- "$url/echo")" 'POST in chunks'
    equal 20000000 "$(ask "$url/bytes/20000000" | wc -c | tr -d ' ')" 'GET of much'
    head -c 5000000 /dev/urandom > "$dir/much"
    ask --data-binary "@$dir/much" "$url/echo" > "$dir/back"
    cmp -s "$dir/much" "$dir/back" || refuse 'POST of much came back otherwise'
    # Refused, by a connection that ends in the middle.
    head -c 20000000 /dev/zero > "$dir/much"
    ! curl --silent --max-time 60 -o "$dir/body" --data-binary "@$dir/much" "$url/echo" \
        2>> "$dir/client" || refuse 'POST of too much was taken'
    equal 'hello from smarm' "$(ask --http1.0 "$url/")" 'HTTP/1.0'
    stop
}

by_ab() {
    start --port 0
    ab -q -n 3000 -c 50 -k -s 60 "http://127.0.0.1:$port/" > "$dir/client" 2>&1 || refuse 'ab -k failed'
    grep -q '^Complete requests: *3000$' "$dir/client" || refuse 'not all requests were answered'
    grep -q '^Failed requests: *0$' "$dir/client" || refuse 'some requests failed'
    grep -q '^Keep-Alive requests: *3000$' "$dir/client" || refuse 'connections were not kept'
    ab -q -n 2000 -c 50 -s 60 "http://127.0.0.1:$port/bytes/100" > "$dir/client" 2>&1 || refuse 'ab failed'
    grep -q '^Complete requests: *2000$' "$dir/client" || refuse 'not all requests were answered'
    grep -q '^Failed requests: *0$' "$dir/client" || refuse 'some requests failed'
    ! grep -q '^Non-2xx' "$dir/client" || refuse 'some answers were errors'
    stop
}

by_wrk() {
    start --port 0
    wrk -t 1 -c 64 -d 2 --timeout 60 "http://127.0.0.1:$port/" > "$dir/client" 2>&1 || refuse 'wrk failed'
    grep -Eq '^ *[1-9][0-9]* requests in' "$dir/client" || refuse 'no request was answered'
    ! grep -q 'Socket errors\|Non-2xx' "$dir/client" || refuse 'some requests failed'
    stop
}

by_nc() {
    start --port 0
    equal 'a line' "$(echo 'a line' | nc -N 127.0.0.1 "$port")" 'a line'
    head -c 2000000 /dev/urandom > "$dir/much"
    nc -N 127.0.0.1 "$port" < "$dir/much" > "$dir/back"
    cmp -s "$dir/much" "$dir/back" || refuse 'much came back otherwise'
    stop
}

by_socat() {
    start --port 0
    equal 'a line' "$(echo 'a line' | socat -t 30 - "TCP:127.0.0.1:$port")" 'a line'
    head -c 2000000 /dev/urandom > "$dir/much"
    socat -t 30 - "TCP:127.0.0.1:$port" < "$dir/much" > "$dir/back"
    cmp -s "$dir/much" "$dir/back" || refuse 'much came back otherwise'
    # One that goes without a word in the middle of its message leaves the server as it was.
    head -c 100000 "$dir/much" | socat -u - "TCP:127.0.0.1:$port,linger=0" 2> /dev/null
    equal 'again' "$(echo 'again' | socat -t 30 - "TCP:127.0.0.1:$port")" 'a line after that'
    stop
}

by_openssl() {
    openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost \
        -keyout "$dir/key.pem" -out "$dir/cert.pem" 2> "$dir/client" || refuse 'no certificate'
    start --port 0 --certificate "$dir/cert.pem" --key "$dir/key.pem"
    for version in -tls1_2 -tls1_3; do
        mkfifo "$dir/to" || exit 1
        openssl s_client -connect "127.0.0.1:$port" -CAfile "$dir/cert.pem" -verify_return_error \
            $version -quiet < "$dir/to" > "$dir/back" 2>> "$dir/client" &
        talks=$!
        exec 4> "$dir/to"
        echo 'over TLS' >&4
        # The client ends with its input, and would not wait for the answer.
        tries=0
        until grep -q '^over TLS$' "$dir/back" || [ $tries -ge 600 ]; do
            kill -0 $talks 2> /dev/null || break
            sleep 0.05
            tries=$((tries + 1))
        done
        exec 4>&-
        wait $talks
        equal 'over TLS' "$(cat "$dir/back")" "a line $version"
        rm "$dir/to"
    done
    stop
}

"by_$client"
