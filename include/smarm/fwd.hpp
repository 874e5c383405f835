// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Names without definitions, for headers that only mention them.

#ifndef SMARM_FWD_HPP
#define SMARM_FWD_HPP

#include <cstddef>

namespace smarm {

enum class errc : int;
enum class exit_kind : unsigned char;
enum class missed_tick : unsigned char;
enum class overflow : unsigned char;
class descriptor_arm;
struct actor_info;
struct actor_tree;
struct runtime_snapshot;
struct scheduler_info;

class exit_reason;
class monitor_ref;
class pid;
class selector;
class timer_id;
struct bounded;
struct down;
struct exit_signal;
struct overflow_counts;
template <class T>
class receiver;
template <class T>
class sender;
template <class M>
class name;
template <class A>
class typed_pid;
template <class A>
class actor_handle;

class init_result;
template <class S>
class gen_server;
template <class M, class State>
class gen_statem;
template <class S>
class server_ref;
template <class S>
class server_name;
template <class S>
class server_name_in_runtime;
class any_server;
struct server_options;
template <class R>
class reply_to;
struct child_spec;
class child_start;
struct supervisor_options;
class supervisor_ref;
struct dynamic_supervisor_options;
class dynamic_supervisor_ref;
template <class R>
class pending_reply;

class mutex;
class timed_mutex;
class condition_variable;
class condition_variable_any;
template <class T, class Mutex>
class synchronized;
template <std::ptrdiff_t Max>
class counting_semaphore;
class latch;
template <class Completion>
class barrier;
class task_group;

} // namespace smarm

#endif
