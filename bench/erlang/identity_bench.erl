%% Copyright (c) 2026 The smarm authors
%%
%% Distributed under the Boost Software License, Version 1.0.
%% (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
%%
%% Names, monitors, links and process groups in Erlang/OTP: the workloads of ../identity_bench.cpp and
%% ../group_bench.cpp, with their names and parameters, so that rows can stand in one table.
%%
%%   erl -noshell -pa DIR -s identity_bench main -extra THREADS [WORKLOAD ...]
-module(identity_bench).
-export([main/0]).
-import(harness, [measure/4, measure/5, times/2]).

main() ->
    harness:start(),
    {ok, _} = pg:start_link(),
    register_unregister(500000),
    whereis_among(1, 2000000),
    whereis_among(10000, 2000000),
    send_to("send_by_name", 1000000, fun(_) -> counter end),
    send_to("send_by_pid", 1000000, fun(Pid) -> Pid end),
    monitor_death(200000),
    process_flag(trap_exit, true),
    link_death("end=normal;batch=100", 200000, fun() -> ok end),
    link_death("end=failed;batch=100", 50000, fun() -> exit(bad) end),
    process_flag(trap_exit, false),
    dispatch_random(1000000),
    broadcast(10000, 10),
    join_leave(10000),
    group_members(10000),
    halt(0).

register_unregister(N) ->
    Self = self(),
    measure("register", "-", N,
            fun() -> times(N, fun() -> register(a_name, Self), unregister(a_name) end) end).

whereis_among(Names, N) ->
    Self = self(),
    All = list_to_tuple([list_to_atom("name_" ++ integer_to_list(I)) || I <- lists:seq(1, Names)]),
    Holders = [spawn(fun() -> register(element(I, All), self()), Self ! ready, receive stop -> ok end end)
               || I <- lists:seq(1, Names)],
    [receive ready -> ok end || _ <- Holders],
    measure("whereis", "names=" ++ integer_to_list(Names), N, fun() -> look_up(N, Names, All) end),
    Watched = [{monitor(process, H), H ! stop} || H <- Holders],
    [receive {'DOWN', M, _, _, _} -> ok end || {M, _} <- Watched].

look_up(0, _, _) -> ok;
look_up(N, Names, All) ->
    true = is_pid(whereis(element(N rem Names + 1, All))),
    look_up(N - 1, Names, All).

send_to(Workload, N, Address) ->
    Self = self(),
    measure(Workload, "-", N,
            fun() ->
                    Pid = spawn(fun() -> receive_all(N), unregister(counter), Self ! done end),
                    register(counter, Pid),
                    send_all(N, Address(Pid), 64),
                    receive done -> ok end
            end).

receive_all(0) -> ok;
receive_all(N) -> receive I when is_integer(I) -> receive_all(N - 1) end.

send_all(0, _, _) -> ok;
send_all(N, To, Every) ->
    To ! N,
    N rem Every =:= 0 andalso erlang:yield(),
    send_all(N - 1, To, Every).

monitor_death(N) ->
    measure("monitor_death", "batch=100", N,
            fun() ->
                    times(N div 100,
                          fun() ->
                                  [spawn_monitor(fun() -> ok end) || _ <- lists:seq(1, 100)],
                                  [receive {'DOWN', _, _, _, normal} -> ok end || _ <- lists:seq(1, 100)]
                          end)
            end).

link_death(Params, N, End) ->
    measure("link_death", Params, N,
            fun() ->
                    times(N div 100,
                          fun() ->
                                  [spawn_link(End) || _ <- lists:seq(1, 100)],
                                  [receive {'EXIT', _, _} -> ok end || _ <- lists:seq(1, 100)]
                          end)
            end).

sink() -> receive 0 -> ok; _ -> sink() end.

with_members(Count, Body) ->
    Members = [spawn(fun sink/0) || _ <- lists:seq(1, Count)],
    Body(Members),
    [M ! 0 || M <- Members].

dispatch_random(N) ->
    with_members(8, fun(Members) ->
        ok = pg:join(group, Members),
        measure("dispatch", "members=8;how=random;n=1000000", N, fun() -> dispatch_all(N) end),
        ok = pg:leave(group, Members)
    end).

dispatch_all(0) -> ok;
dispatch_all(N) ->
    lists:nth(rand:uniform(8), pg:get_members(group)) ! N,
    N rem 256 =:= 0 andalso erlang:yield(),
    dispatch_all(N - 1).

broadcast(Count, Rounds) ->
    with_members(Count, fun(Members) ->
        ok = pg:join(group, Members),
        measure("broadcast", "members=10000;n=10", Count * Rounds,
                fun() ->
                        times(Rounds, fun() ->
                            [M ! 1 || M <- pg:get_members(group)],
                            erlang:yield()
                        end)
                end),
        ok = pg:leave(group, Members)
    end).

join_leave(Count) ->
    with_members(Count, fun(Members) ->
        measure("join_leave", "members=10000", Count, 3,
                fun() ->
                        [ok = pg:join(group, M) || M <- Members],
                        [ok = pg:leave(group, M) || M <- Members]
                end)
    end).

group_members(Count) ->
    with_members(Count, fun(Members) ->
        ok = pg:join(group, Members),
        measure("group_members", "members=10000", Count, fun() -> Count = length(pg:get_members(group)) end),
        ok = pg:leave(group, Members)
    end).
