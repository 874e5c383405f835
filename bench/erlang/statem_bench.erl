%% Copyright (c) 2026 The smarm authors
%%
%% Distributed under the Boost Software License, Version 1.0.
%% (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
%%
%% State machines in Erlang/OTP: the workloads of ../statem_bench.cpp, with their names and parameters.
%%
%%   erl -noshell -pa DIR -s statem_bench main -extra THREADS [WORKLOAD ...]
-module(statem_bench).
-behaviour(gen_statem).
-export([main/0, callback_mode/0, init/1, shut/3, open/3]).

main() ->
    harness:start(),
    events("statem_event", 1000000, [flip]),
    events("statem_internal", 500000, [tell]),
    events("statem_postpone", 250000, [knock, knock, flip, flip]),
    events("statem_state_timeout", 500000, [guard]),
    events("statem_named_timeout", 500000, [remind]),
    many_timeouts(10000, 20),
    halt(0).

%% ---- the machine

callback_mode() -> state_functions.

init([]) -> {ok, shut, 0}.

shut(cast, flip, N) -> {next_state, open, N + 1};
shut(cast, knock, _) -> {keep_state_and_data, [postpone]};
shut(Type, Event, N) -> any(Type, Event, N).

open(cast, flip, N) -> {next_state, shut, N + 1};
open(cast, knock, N) -> {keep_state, N + 1};
open(Type, Event, N) -> any(Type, Event, N).

any(cast, tell, _) -> {keep_state_and_data, [{next_event, internal, nod}]};
any(internal, nod, N) -> {keep_state, N + 1};
any(cast, guard, N) -> {keep_state, N + 1, [{state_timeout, 3600000, too_long}]};
any(cast, remind, N) -> {keep_state, N + 1, [{{timeout, reminder}, 3600000, too_long}]};
any({call, From}, count, N) -> {keep_state_and_data, [{reply, From, N}]}.

%% ---- the workloads

events(Workload, Rounds, Events) ->
    Counted = Rounds * length(Events),
    Batch = 1000 div length(Events),
    harness:measure(Workload, io_lib:format("n=~b;batch=1000", [Counted]), Counted,
                    fun() ->
                            {ok, S} = gen_statem:start(?MODULE, [], []),
                            send_all(S, Rounds, Batch, Events),
                            Counted = gen_statem:call(S, count, infinity),
                            gen_statem:stop(S)
                    end).

send_all(_, 0, _, _) -> ok;
send_all(S, N, Batch, Events) ->
    [gen_statem:cast(S, E) || E <- Events],
    N rem Batch =:= 1 andalso gen_statem:call(S, count, infinity),
    send_all(S, N - 1, Batch, Events).

many_timeouts(Machines, Rounds) ->
    harness:wanted("statem_rearm_many") andalso begin
        All = [element(2, gen_statem:start(?MODULE, [], [])) || _ <- lists:seq(1, Machines)],
        harness:measure("statem_rearm_many",
                        io_lib:format("machines=~b;rounds=~b", [Machines, Rounds]), Machines * Rounds,
                        fun() ->
                                harness:times(Rounds, fun() ->
                                    [gen_statem:cast(S, guard) || S <- All],
                                    gen_statem:call(lists:last(All), count, infinity)
                                end)
                        end),
        [gen_statem:stop(S) || S <- All]
    end.
