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

#ifndef SMARM_SERVER_NAME_HPP
#define SMARM_SERVER_NAME_HPP

#include <smarm/detail/name_table.hpp>
#include <smarm/detail/server_start.hpp>
#include <smarm/error.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/server_ref.hpp>
#include <smarm/spawn_options.hpp>

#include <boost/system/result.hpp>

#include <optional>
#include <string_view>
#include <utility>

namespace smarm {

// All of these work in the caller's runtime; they throw boost::system::system_error with
// errc::not_in_actor on a plain thread, where a ref works.
template <class S>
class server_name {
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
    requires(!detail::begins_with_options<Arguments...>)
  [[nodiscard]] boost::system::result<server_ref<S>> start(Arguments&&... arguments) const {
    return detail::start<S>(nullptr, text_, std::forward<Arguments>(arguments)...);
  }

  // The server that has the name now, if there is one and it is an S.
  [[nodiscard]] std::optional<server_ref<S>> whereis() const {
    server_ref<S> found;
    return find("smarm::server_name::whereis", found) == errc{} ? std::optional(std::move(found))
                                                                : std::nullopt;
  }

  // As those of server_ref, of the server that has the name now. Errors: also unresolved (nobody has
  // it), no_channel (whoever has it is no S).
  template <class Request, class... Limit>
  [[nodiscard]] auto call(Request&& request, const Limit&... limit) const ->
      typename server_ref<S>::template reply_result<Request> {
    server_ref<S> server;
    if (const errc error = find("smarm::server_name::call", server); error != errc{}) {
      return {boost::system::in_place_error, make_error_code(error)};
    }
    return server.call(std::forward<Request>(request), limit...);
  }
  template <class Message>
  [[nodiscard]] boost::system::result<void> cast(Message&& message) const {
    server_ref<S> server;
    if (const errc error = find("smarm::server_name::cast", server); error != errc{}) {
      return make_error_code(error);
    }
    return server.cast(std::forward<Message>(message));
  }

  friend constexpr bool operator==(const server_name& a, const server_name& b) noexcept {
    return a.text_ == b.text_;
  }

private:
  [[nodiscard]] errc find(const char* call, server_ref<S>& to) const {
    using published = detail::published_server<S>;
    return detail::find_named_inbox(detail::runtime_of_caller(call), text_,
                                    {published::key(), nullptr, &published::copy}, &to);
  }

  std::string_view text_;
};

} // namespace smarm

#endif
