// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Starting a server. That is synchronous: when it returns the server's init has run, so that it is
// there to be called, or the error says why it is not.
//
//     auto c = smarm::start_server<counter>().value();
//     auto d = smarm::start_server<cache>({.label = "cache"}, 64, 10s).value();

#ifndef SMARM_START_SERVER_HPP
#define SMARM_START_SERVER_HPP

#include <smarm/detail/server_start.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_ref.hpp>
#include <smarm/spawn_options.hpp>

#include <boost/system/result.hpp>

#include <string_view>
#include <utility>

namespace smarm {

// Starts an actor that makes an S of copies of the arguments, which it moves, and calls its init. Its
// parent is the caller. Suspends until init is done. A stop point: a caller that is stopped meanwhile
// lets go of the server, which then ends. Errors: start_failed (the constructor or init threw, or init
// said so; why is in the report of its end), start_ignored, those of try_spawn, would_block_scheduler;
// not_in_actor on a plain thread, where runtime_handle::start_server works. After an error the server's
// actor has ended. Throws std::bad_alloc and what copying the arguments throws.
template <class S, class... Arguments>
[[nodiscard]] boost::system::result<server_ref<S>> start_server(const spawn_options& options,
                                                                Arguments&&... arguments) {
  return detail::start<S>(&options, std::string_view(), std::forward<Arguments>(arguments)...);
}
template <class S, class... Arguments>
  requires(!detail::begins_with_options<Arguments...>)
[[nodiscard]] boost::system::result<server_ref<S>> start_server(Arguments&&... arguments) {
  return detail::start<S>(nullptr, std::string_view(), std::forward<Arguments>(arguments)...);
}

// ---- through the handle

template <class S, class... Arguments>
boost::system::result<server_ref<S>>
runtime_handle::start_server(const spawn_options& options, Arguments&&... arguments) const {
  return detail::start_in<S>(state_.lock(), &options, std::string_view(),
                             std::forward<Arguments>(arguments)...);
}
template <class S, class... Arguments>
  requires(!detail::begins_with_options<Arguments...>)
boost::system::result<server_ref<S>> runtime_handle::start_server(Arguments&&... arguments) const {
  return detail::start_in<S>(state_.lock(), nullptr, std::string_view(),
                             std::forward<Arguments>(arguments)...);
}

} // namespace smarm

#endif
