// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Where a server is reached: copy it, keep it, send it. Calls wait for the server's answer, casts do
// not.
//
//     smarm::server_ref<counter> c = smarm::start_server<counter>().value();
//     (void)c.cast(counter::add{42});
//     long n = c.call(counter::get{}, 1s).value();

#ifndef SMARM_SERVER_REF_HPP
#define SMARM_SERVER_REF_HPP

#include <smarm/bounded.hpp>
#include <smarm/detail/receive_point.hpp>
#include <smarm/detail/reply_cell.hpp>
#include <smarm/detail/server_core.hpp>
#include <smarm/detail/server_request.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/error.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/pending_reply.hpp>
#include <smarm/pid.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace smarm {

namespace detail {
struct server_ref_access;
}

// Keeps the server alive, unless somebody else ends it: when the last ref goes, the server handles what
// is queued and ends normally. Works from actors of any runtime, in scheduler context for what does not
// wait, and from plain threads, of which a call blocks the calling one only. One that was moved from
// behaves as if the server had ended. A request that could not be sent stays with the caller.
template <class S>
class server_ref {
public:
  template <class Request>
  using reply_type =
      typename detail::protocol_for<S, Request>::template reply<std::decay_t<Request>>;
  template <class Request>
  using reply_result = boost::system::result<reply_type<Request>>;

  server_ref() noexcept = default;
  server_ref(const server_ref& other) noexcept : core_(other.core_) {
    if (core_ != nullptr) {
      core_->add_ref();
    }
  }
  server_ref(server_ref&& other) noexcept : core_(std::exchange(other.core_, nullptr)) {}
  server_ref& operator=(server_ref other) noexcept {
    std::swap(core_, other.core_);
    return *this;
  }
  ~server_ref() {
    if (core_ != nullptr) {
      core_->drop_ref();
    }
  }

  // The server's actor.
  [[nodiscard]] pid id() const noexcept { return core_ != nullptr ? core_->id() : pid::none(); }
  [[nodiscard]] explicit operator bool() const noexcept { return core_ != nullptr; }

  // Sends a request, and waits for the answer for ever, but not past the server's death. Suspends. A
  // stop point and a checkpoint; a stop before the request was sent sends none. Errors: server_down
  // (the server has ended, or ended or dropped the call before it answered), calling_self,
  // out_of_memory, would_block_scheduler; if the inbox has a limit also queue_full (overflow::fail) and
  // dropped. Throws what moving the request or the answer throws. Constant time. In actors nothing is
  // taken from the heap in a steady state, if request and answer are of ordinary alignment and take at
  // most 160 bytes together.
  template <class Request>
  [[nodiscard]] reply_result<Request> call(Request&& request) const {
    return call_until<false>(std::forward<Request>(request), detail::no_deadline);
  }
  // The same, and waits no longer than that: errc::timed_out. The request carries its deadline: a
  // server that comes to it later skips it. An answer that comes too late is destroyed.
  template <class Request, class Rep, class Period>
  [[nodiscard]] reply_result<Request> call(Request&& request,
                                           const std::chrono::duration<Rep, Period>& limit) const {
    return call_until<true>(std::forward<Request>(request), detail::deadline_after(limit));
  }
  template <class Request, class Clock, class Duration>
  [[nodiscard]] reply_result<Request>
  call(Request&& request, const std::chrono::time_point<Clock, Duration>& deadline) const {
    return call_until<true>(std::forward<Request>(request), detail::deadline_of(deadline));
  }

  // Sends a request, and returns at once: the answer is to be received, see pending_reply. With a limit
  // a server that comes to the request later skips it, which the answer says as errc::expired. Neither
  // suspends nor is a stop point, unless the inbox is full and has a limit with overflow::block: then
  // it waits for room, no longer than that. Errors: server_down, out_of_memory; then also queue_full,
  // timed_out, would_block_scheduler.
  template <class Request>
  [[nodiscard]] boost::system::result<pending_reply<reply_type<Request>>>
  send_request(Request&& request) const {
    return send_until(std::forward<Request>(request), detail::no_deadline);
  }
  template <class Request, class Rep, class Period>
  [[nodiscard]] boost::system::result<pending_reply<reply_type<Request>>>
  send_request(Request&& request, const std::chrono::duration<Rep, Period>& limit) const {
    return send_until(std::forward<Request>(request), detail::deadline_after(limit));
  }
  template <class Request, class Clock, class Duration>
  [[nodiscard]] boost::system::result<pending_reply<reply_type<Request>>>
  send_request(Request&& request, const std::chrono::time_point<Clock, Duration>& deadline) const {
    return send_until(std::forward<Request>(request), detail::deadline_of(deadline));
  }

  // Sends a message that is not answered. Neither suspends nor is a stop point, unless the inbox is full
  // and has a limit with overflow::block: then it waits for room, and a stop leaves the message with the
  // caller. Errors: server_down, out_of_memory; then also queue_full (overflow::fail, or the server
  // itself is the sender), would_block_scheduler. That it was sent does not say that it will be handled.
  template <class Message>
  [[nodiscard]] boost::system::result<void> cast(Message&& message) const {
    return cast_until(std::forward<Message>(message), detail::no_deadline,
                      detail::when_full::waits);
  }
  // The same, and waits for room no longer than that: errc::timed_out.
  template <class Message, class Rep, class Period>
  [[nodiscard]] boost::system::result<void>
  cast(Message&& message, const std::chrono::duration<Rep, Period>& limit) const {
    return cast_until(std::forward<Message>(message), detail::deadline_after(limit),
                      detail::when_full::waits);
  }
  // The same, and does not wait: errc::queue_full.
  template <class Message>
  [[nodiscard]] boost::system::result<void> try_cast(Message&& message) const {
    return cast_until(std::forward<Message>(message), detail::no_deadline,
                      detail::when_full::fails);
  }

  // Asks the server to end, and waits until it has, terminate and all: with exit_kind::shutdown as
  // request_shutdown does, with exit_kind::stopped as request_stop. A handler that waits is ended, too.
  // If it has not ended in time, timed_out: it hears of a stop then, as by request_stop, and so do the
  // waits of its terminate, in which stops are masked until that moment. No error if it has ended
  // already. Suspends. A stop point. Errors: also calling_self, invalid_config for another kind,
  // would_block_scheduler; nothing is asked then. Throws std::bad_alloc, and has asked nothing.
  template <class Rep, class Period>
  [[nodiscard]] boost::system::result<void>
  shutdown(exit_kind how, const std::chrono::duration<Rep, Period>& limit) const {
    return core_ != nullptr ? detail::shut_server_down(*core_, how, detail::deadline_after(limit))
                            : boost::system::result<void>();
  }
  template <class Clock, class Duration>
  [[nodiscard]] boost::system::result<void>
  shutdown(exit_kind how, const std::chrono::time_point<Clock, Duration>& deadline) const {
    return core_ != nullptr ? detail::shut_server_down(*core_, how, detail::deadline_of(deadline))
                            : boost::system::result<void>();
  }

  // How many requests the server has skipped since their deadline had passed. Does not suspend.
  [[nodiscard]] std::uint64_t expired_requests() const noexcept {
    return core_ != nullptr ? core_->expired.load(std::memory_order_relaxed) : 0;
  }

  // How often the inbox was full; all zero if it has no limit, see server_options. Does not suspend.
  [[nodiscard]] overflow_counts overflows() const noexcept {
    return core_ != nullptr ? core_->overflows() : overflow_counts();
  }

  // The same server.
  friend bool operator==(const server_ref&, const server_ref&) noexcept = default;

private:
  friend struct detail::server_ref_access;
  explicit server_ref(detail::typed_server_core<S>* core) noexcept : core_(core) {}

  [[nodiscard]] bool open() const noexcept { return core_ != nullptr && !core_->inbox.closed(); }

  template <class From, class To>
  static void give_back(From& to, To& from) {
    if constexpr (!std::is_const_v<From> && std::is_same_v<From, To> &&
                  detail::can_be_given_back<To>) {
      detail::give_back(to, from);
    }
  }

  // A node whose way to the server may end in an error, or in a stop while it waits for room: it goes,
  // and what it carried goes back.
  template <class From, class Node, class To>
  static errc push(detail::server_core& core, From& from, Node& node, To& carried,
                   std::int64_t deadline, detail::when_full how) {
    errc error{};
    try {
      error = core.push(node, deadline, how);
    } catch (...) {
      give_back(from, carried);
      Node::free(node);
      throw;
    }
    if (SMARM_UNLIKELY(error != errc{})) {
      give_back(from, carried);
      Node::free(node);
    }
    return error;
  }

  template <class Message>
  boost::system::result<void> cast_until(Message&& message, std::int64_t deadline,
                                         detail::when_full how) const {
    using stored = std::decay_t<Message>;
    using protocol = detail::server_protocol<S>;
    protocol::template check_cast<stored>();
    if constexpr (protocol::template takes_cast<stored>) {
      using node_type = typename protocol::template cast_node<stored>;
      if (SMARM_UNLIKELY(!open())) {
        return make_error_code(errc::server_down);
      }
      detail::typed_server_core<S>& core = *core_; // the message may take this very ref along
      auto* node = detail::make_request<node_type>(std::forward<Message>(message));
      if (SMARM_UNLIKELY(node == nullptr)) {
        return make_error_code(errc::out_of_memory);
      }
      const errc error = push(core, message, *node, node->message, deadline, how);
      if (SMARM_UNLIKELY(error != errc{})) {
        return make_error_code(error);
      }
    }
    return {};
  }

  // Sent, if the result has a cell.
  template <class Request>
  [[nodiscard]] detail::reply_owner<reply_type<Request>>
  send(Request&& request, std::int64_t deadline, errc& error,
       detail::when_full how = detail::when_full::waits) const {
    using node_type =
        typename detail::server_protocol<S>::template call_node<std::decay_t<Request>>;
    if (SMARM_UNLIKELY(!open())) {
      error = errc::server_down;
      return {};
    }
    detail::typed_server_core<S>& core = *core_; // the request may take this very ref along
    auto* node = detail::make_request<node_type>(std::forward<Request>(request), deadline);
    if (SMARM_UNLIKELY(node == nullptr)) {
      error = errc::out_of_memory;
      return {};
    }
    error = push(core, request, *node, node->request, deadline, how);
    if (SMARM_UNLIKELY(error != errc{})) {
      return {};
    }
    return detail::reply_owner<reply_type<Request>>(*node);
  }

  template <bool Timed, class Request>
  reply_result<Request> call_until(Request&& request, std::int64_t deadline) const {
    using stored = std::decay_t<Request>;
    using reply = reply_type<Request>;
    using protocol = detail::server_protocol<S>;
    if constexpr (!protocol::template takes_call<stored>) {
      protocol::template check_call<stored>();
      return make_error_code(errc::not_supported);
    } else {
      const auto failed = [](errc why) {
        return reply_result<Request>(boost::system::in_place_error, make_error_code(why));
      };
      if (const detail::scheduler* here = detail::current_scheduler(); here != nullptr) {
        if (SMARM_UNLIKELY(!here->is_actor(here->current))) {
          return failed(errc::would_block_scheduler);
        }
        if (SMARM_UNLIKELY(core_ != nullptr && core_->is(*here->current))) {
          return failed(errc::calling_self);
        }
        detail::receive_point();
      }
      const detail::slot* const server = core_ != nullptr ? core_->where : nullptr;
      errc error{};
      detail::reply_owner<reply> answer = send(std::forward<Request>(request), deadline, error);
      if (SMARM_UNLIKELY(answer.cell() == nullptr)) {
        return failed(error);
      }
      detail::reply_source source{*answer.cell(), server};
      if (SMARM_UNLIKELY(detail::wait_for_source<Timed>(source, detail::wait_kind::reply,
                                                        deadline) != detail::wait_end::ready)) {
        return failed(errc::timed_out);
      }
      if (Timed && SMARM_UNLIKELY(answer.cell()->error == errc::expired)) {
        return failed(errc::timed_out); // the server saw it first
      }
      return answer.take();
    }
  }

  template <class Request>
  boost::system::result<pending_reply<reply_type<Request>>>
  send_until(Request&& request, std::int64_t deadline) const {
    const detail::slot* const server = core_ != nullptr ? core_->where : nullptr;
    errc error{};
    auto answer = send(std::forward<Request>(request), deadline, error);
    if (answer.cell() == nullptr) {
      return make_error_code(error);
    }
    return detail::pending_access::make(std::move(answer), server);
  }

  detail::typed_server_core<S>* core_ = nullptr; // one of its refs, or null
};

namespace detail {
struct server_ref_access {
  // Takes over a ref.
  template <class S>
  [[nodiscard]] static server_ref<S> make(typed_server_core<S>& core) noexcept {
    return server_ref<S>(&core);
  }
  template <class S>
  [[nodiscard]] static typed_server_core<S>* core(const server_ref<S>& ref) noexcept {
    return ref.core_;
  }
  // Sends a request without ever waiting for room; sent, if the result has a cell.
  template <class S, class Request>
  [[nodiscard]] static reply_owner<typename server_ref<S>::template reply_type<Request>>
  send(const server_ref<S>& to, Request&& request, std::int64_t deadline, errc& error) {
    server_protocol<S>::template check_call<std::decay_t<Request>>();
    return to.send(std::forward<Request>(request), deadline, error, when_full::fails);
  }
};
} // namespace detail
} // namespace smarm

#endif
