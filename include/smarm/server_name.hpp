// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A server's name, and what it takes: a constant that two parts of a program share instead of a ref.
// Each use looks up anew who has the name; so it reaches the successor, too.
//
//     inline constexpr smarm::server_name<counter> the_counter{"counter"};
//     auto c = the_counter.start();                      // name_taken if there is one
//     long n = the_counter.call(counter::get{}).value();
//
// the_counter.in(handle) gives the same calls for the runtime of a handle, on plain threads, too.

#ifndef SMARM_SERVER_NAME_HPP
#define SMARM_SERVER_NAME_HPP

#include <smarm/detail/named_server_calls.hpp>
#include <smarm/detail/server_start.hpp>
#include <smarm/error.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_options.hpp>
#include <smarm/server_ref.hpp>
#include <smarm/spawn_options.hpp>

#include <boost/system/result.hpp>

#include <string_view>
#include <utility>

namespace smarm {

// All of these, call, cast, send_request, shutdown and whereis among them, work in the caller's runtime;
// they throw boost::system::system_error with errc::not_in_actor on a plain thread, where in() and refs
// work.
template <class S>
class server_name : public detail::named_server_calls<S, server_name<S>> {
public:
  // The text is not copied: a literal, or something that lives as long.
  explicit constexpr server_name(std::string_view text) noexcept : text_(text) {}

  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }

  // As start_server, under this name, which the server has before its init runs. It lives until it is
  // ended: the name keeps it alive without any ref, also if its starter is stopped once it has the name.
  // Error: also name_taken.
  template <class... Arguments>
  [[nodiscard]] boost::system::result<server_ref<S>> start(const spawn_options& options,
                                                           Arguments&&... arguments) const {
    return detail::start<S>(&options, text_, std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  [[nodiscard]] boost::system::result<server_ref<S>> start(const server_options& options,
                                                           Arguments&&... arguments) const {
    return detail::start<S>(&options, text_, std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
    requires(!detail::begins_with_options<Arguments...>)
  [[nodiscard]] boost::system::result<server_ref<S>> start(Arguments&&... arguments) const {
    return detail::start<S>(nullptr, text_, std::forward<Arguments>(arguments)...);
  }

  // The name in that runtime: include smarm/server_name_in_runtime.hpp.
  [[nodiscard]] server_name_in_runtime<S> in(const runtime_handle& runtime) const;

  friend constexpr bool operator==(const server_name& a, const server_name& b) noexcept {
    return a.text_ == b.text_;
  }

private:
  friend detail::named_server_calls<S, server_name>;

  [[nodiscard]] errc find(const char* call, server_ref<S>& to) const {
    return detail::find_named_server(detail::runtime_of_caller(call), text_, to);
  }

  std::string_view text_;
};

} // namespace smarm

#endif
