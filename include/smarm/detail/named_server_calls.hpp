// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a server can be told by its name, whatever runtime the name is looked up in.

#ifndef SMARM_DETAIL_NAMED_SERVER_CALLS_HPP
#define SMARM_DETAIL_NAMED_SERVER_CALLS_HPP

#include <smarm/detail/name_table.hpp>
#include <smarm/detail/server_start.hpp>
#include <smarm/error.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/pending_reply.hpp>
#include <smarm/server_ref.hpp>

#include <boost/system/result.hpp>

#include <optional>
#include <string_view>
#include <utility>

namespace smarm::detail {

template <class S>
[[nodiscard]] errc find_named_server(runtime_state& runtime, std::string_view text,
                                     server_ref<S>& to) noexcept {
  using published = published_server<S>;
  return find_named_inbox(runtime, text, {published::key(), nullptr, &published::copy}, &to);
}

// Name has errc find(call, server_ref<S>&) const, which is friends with this.
template <class S, class Name>
class named_server_calls {
public:
  // The server that has the name now, if there is one and it is an S.
  [[nodiscard]] std::optional<server_ref<S>> whereis() const {
    server_ref<S> found;
    return find("smarm::server_name::whereis", found) == errc{} ? std::optional(std::move(found))
                                                                : std::nullopt;
  }

  // The same, and says what is wrong: unresolved (nobody has it), no_channel (whoever has it is no S).
  [[nodiscard]] boost::system::result<server_ref<S>> resolve() const {
    server_ref<S> found;
    if (const errc error = find("smarm::server_name::resolve", found); error != errc{}) {
      return make_error_code(error);
    }
    return found;
  }

  // As those of server_ref, of the server that has the name now. Errors: also those of resolve.
  template <class Request, class... Limit>
  [[nodiscard]] auto call(Request&& request, const Limit&... limit) const ->
      typename server_ref<S>::template reply_result<Request> {
    server_ref<S> server;
    if (const errc error = find("smarm::server_name::call", server); error != errc{}) {
      return {boost::system::in_place_error, make_error_code(error)};
    }
    return server.call(std::forward<Request>(request), limit...);
  }
  template <class Request, class... Limit>
  [[nodiscard]] auto send_request(Request&& request, const Limit&... limit) const
      -> boost::system::result<
          pending_reply<typename server_ref<S>::template reply_type<Request>>> {
    server_ref<S> server;
    if (const errc error = find("smarm::server_name::send_request", server); error != errc{}) {
      return make_error_code(error);
    }
    return server.send_request(std::forward<Request>(request), limit...);
  }
  template <class Message, class... Limit>
  [[nodiscard]] boost::system::result<void> cast(Message&& message, const Limit&... limit) const {
    server_ref<S> server;
    if (const errc error = find("smarm::server_name::cast", server); error != errc{}) {
      return make_error_code(error);
    }
    return server.cast(std::forward<Message>(message), limit...);
  }
  template <class Message>
  [[nodiscard]] boost::system::result<void> try_cast(Message&& message) const {
    server_ref<S> server;
    if (const errc error = find("smarm::server_name::try_cast", server); error != errc{}) {
      return make_error_code(error);
    }
    return server.try_cast(std::forward<Message>(message));
  }
  // If it ends, the name is free when this returns.
  template <class Limit>
  [[nodiscard]] boost::system::result<void> shutdown(exit_kind how, const Limit& limit) const {
    server_ref<S> server;
    if (const errc error = find("smarm::server_name::shutdown", server); error != errc{}) {
      return make_error_code(error);
    }
    return server.shutdown(how, limit);
  }

protected:
  constexpr named_server_calls() noexcept = default;

private:
  [[nodiscard]] errc find(const char* call, server_ref<S>& to) const {
    return static_cast<const Name*>(this)->find(call, to);
  }
};

} // namespace smarm::detail

#endif
