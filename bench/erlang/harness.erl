%% Copyright (c) 2026 The smarm authors
%%
%% Distributed under the Boost Software License, Version 1.0.
%% (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
%%
%% What the benchmarks in Erlang have in common: which workloads are wanted, and the lines they print.
-module(harness).
-export([start/0, wanted/1, measure/4, measure/5, measure/6, line/6, times/2]).

%% The program's arguments: THREADS [WORKLOAD ...].
start() ->
    [Threads | Wanted] = init:get_plain_arguments(),
    put(threads, Threads),
    put(wanted, Wanted).

wanted(Workload) ->
    get(wanted) =:= [] orelse lists:member(Workload, get(wanted)).

%% One warm-up, then the median of so many.
measure(Workload, Params, Ops, Body) ->
    measure(Workload, Params, Ops, 5, Body).
measure(Workload, Params, Ops, Repetitions, Body) ->
    measure(Workload, Params, Ops, Repetitions, Body, fun(_) -> ok end).
%% The time of After, which is given what Body returns, does not count.
measure(Workload, Params, Ops, Repetitions, Body, After) ->
    case wanted(Workload) of
        false -> ok;
        true ->
            After(Body()),
            Times = lists:sort([once(Body, After) || _ <- lists:seq(1, Repetitions)]),
            Median = lists:nth(Repetitions div 2 + 1, Times),
            line(Workload, Params, Median, hd(Times), Ops, "-")
    end.

line(Workload, Params, Median, Least, Ops, Extra) ->
    io:format("BENCH,erlang,~s,~s,~s,~.1f,~.1f,~b,~.2f,~s~n",
              [Workload, get(threads), Params, float(Median), float(Least), Ops,
               Median * 1.0e3 / Ops, Extra]).

once(Body, After) ->
    Begin = erlang:monotonic_time(nanosecond),
    Made = Body(),
    Took = (erlang:monotonic_time(nanosecond) - Begin) / 1.0e3,
    After(Made),
    Took.

times(0, _) -> ok;
times(N, Body) -> Body(), times(N - 1, Body).
