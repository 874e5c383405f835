%% Copyright (c) 2026 The smarm authors
%%
%% Distributed under the Boost Software License, Version 1.0.
%% (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
%%
%% Supervisors in Erlang/OTP: the workloads of ../supervisor_bench.cpp, with their names and parameters,
%% and the same window on both sides.
%%
%%   erl -noshell -pa DIR -s supervisor_bench main -extra THREADS [WORKLOAD ...]
-module(supervisor_bench).
-behaviour(gen_server).
-export([main/0, start_child/1, init/1, handle_call/3, handle_cast/2]).

main() ->
    harness:start(),
    %% What is measured is the restart, and no report of it.
    ok = logger:set_primary_config(level, none),
    process_flag(trap_exit, true),
    restarts("restart", one_for_one, 1, 500),
    restarts("restart_all", one_for_all, 10, 500),
    trees(1000),
    halt(0).

%% ---- a supervisor's child, and the supervisor

init({supervisor, Flags, Specs}) -> {ok, {Flags, Specs}};
init(child) -> {ok, 0}.

handle_call(who, _, State) -> {reply, self(), State}.

handle_cast(fail, State) -> {stop, told_to, State}.

start_child(none) -> gen_server:start_link(?MODULE, child, []);
start_child(Name) -> gen_server:start_link({local, Name}, ?MODULE, child, []).

flags(Strategy) -> #{strategy => Strategy, intensity => 10000000, period => 1}.

spec(Id, Name) -> #{id => Id, start => {?MODULE, start_child, [Name]}}.

with_supervisor(Strategy, Specs, Body) ->
    {ok, S} = supervisor:start_link(?MODULE, {supervisor, flags(Strategy), Specs}),
    Body(S),
    stop_supervisor(S).

stop_supervisor(S) ->
    exit(S, shutdown),
    receive {'EXIT', S, shutdown} -> ok end.

%% ---- the workloads

%% The first child is told to fail; it counts as restarted when the last one's next incarnation answers
%% under its name.
restarts(Workload, Strategy, Children, N) ->
    Names = [list_to_atom("child_" ++ integer_to_list(I)) || I <- lists:seq(1, Children)],
    harness:measure(Workload, io_lib:format("children=~b;n=~b", [Children, N]), N,
                    fun() ->
                            with_supervisor(Strategy, [spec(A, A) || A <- Names], fun(_) ->
                                restart_all(N, hd(Names), lists:last(Names),
                                            ask(lists:last(Names), none))
                            end)
                    end).

restart_all(0, _, _, _) -> ok;
restart_all(N, First, Last, Before) ->
    ok = gen_server:cast(First, fail),
    restart_all(N - 1, First, Last, ask(Last, Before)).

ask(Name, Before) ->
    try gen_server:call(Name, who, infinity) of
        Before -> erlang:yield(), ask(Name, Before);
        Who -> Who
    catch
        exit:_ -> erlang:yield(), ask(Name, Before)
    end.

trees(Children) ->
    Specs = [spec(I, none) || I <- lists:seq(1, Children)],
    Params = "children=" ++ integer_to_list(Children),
    harness:measure("tree_start", Params, Children, 11,
                    fun() ->
                            {ok, S} = supervisor:start_link(?MODULE,
                                                            {supervisor, flags(one_for_one), Specs}),
                            S
                    end,
                    fun stop_supervisor/1),
    harness:measure("tree_start_stop", Params, Children, 11,
                    fun() -> with_supervisor(one_for_one, Specs, fun(_) -> ok end) end).
