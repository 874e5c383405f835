%% Copyright (c) 2026 The smarm authors
%%
%% Distributed under the Boost Software License, Version 1.0.
%% (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
%%
%% Servers in Erlang/OTP: the workloads of ../server_bench.cpp, with their names and parameters.
%%
%%   erl -noshell -pa DIR -s server_bench main -extra THREADS [WORKLOAD ...]
-module(server_bench).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    harness:start(),
    calls("call", 200000, fun(S, I) -> gen_server:call(S, {next, I}, infinity) end),
    calls("call_with_deadline", 200000, fun(S, I) -> gen_server:call(S, {next, I}, 1000) end),
    calls("call_deferred", 200000, fun(S, I) -> gen_server:call(S, {next_later, I}, infinity) end),
    casts(1000000, 1000),
    %% What has been idle for a while, and what has just been started.
    memory_servers(1000000, "hibernate=1;", hibernate),
    halt(0).

%% ---- the server

init(idle) -> {ok, 0};
init(hibernate) -> {ok, 0, hibernate}.

handle_call({next, I}, _, Total) -> {reply, I + 1, Total};
handle_call({next_later, I}, From, Total) -> gen_server:reply(From, I + 1), {noreply, Total};
handle_call(total, _, Total) -> {reply, Total, Total}.

handle_cast({add, By}, Total) -> {noreply, Total + By}.

%% ---- the workloads

calls(Workload, N, Call) ->
    harness:measure(Workload, "n=" ++ integer_to_list(N), N,
                    fun() -> with_server(fun(S) -> call_all(S, 0, N, Call) end) end).

call_all(_, N, N, _) -> ok;
call_all(S, I, N, Call) ->
    Answer = Call(S, I),
    Answer = I + 1,
    call_all(S, I + 1, N, Call).

casts(N, Batch) ->
    harness:measure("cast", io_lib:format("n=~b;batch=~b", [N, Batch]), N,
                    fun() ->
                            with_server(fun(S) ->
                                cast_all(S, N, Batch),
                                N = gen_server:call(S, total, infinity)
                            end)
                    end).

cast_all(_, 0, _) -> ok;
cast_all(S, N, Batch) ->
    gen_server:cast(S, {add, 1}),
    N rem Batch =:= 1 andalso gen_server:call(S, total, infinity),
    cast_all(S, N - 1, Batch).

with_server(Body) ->
    {ok, S} = gen_server:start(?MODULE, idle, []),
    Body(S),
    gen_server:stop(S).

memory_servers(N, Settings, How) ->
    harness:wanted("memory_servers") andalso begin
        Before = resident(),
        Begin = erlang:monotonic_time(nanosecond),
        All = [element(2, {ok, _} = gen_server:start(?MODULE, How, [])) || _ <- lists:seq(1, N)],
        Us = (erlang:monotonic_time(nanosecond) - Begin) / 1.0e3,
        timer:sleep(200),
        After = resident(),
        N = length(All),
        harness:line("memory_servers", Settings ++ "n=" ++ integer_to_list(N), Us, Us, N,
                     io_lib:format("bytes_per_actor=~b;rss_mib=~b",
                                   [(After - Before) div N, After div 1048576]))
    end.

resident() ->
    {ok, Text} = file:read_file("/proc/self/statm"),
    list_to_integer(binary_to_list(lists:nth(2, binary:split(Text, <<" ">>, [global])))) * 4096.
