// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Interchangeable servers, as many as are to work at once, and one queue for all: whoever is idle takes
// what has waited longest. They are supervised; more may be started while the queue is long.
//
//     smarm::worker_pool<renderer> pool({.size = 4, .max_overflow = 4}, "sans.ttf");
//     auto running = pool.start().value();   // or as a child: {.id = "pool", .start = pool.as_child()}
//     image i = pool.call(renderer::render{page}, 1s).value();
//
// call and cast hand one request to one worker. check_out lends a worker for several.

#ifndef SMARM_WORKER_POOL_HPP
#define SMARM_WORKER_POOL_HPP

#include <smarm/any_server.hpp>
#include <smarm/child_spec.hpp>
#include <smarm/child_start.hpp>
#include <smarm/detail/deadline.hpp>
#include <smarm/detail/lent_worker.hpp>
#include <smarm/detail/message_node.hpp>
#include <smarm/detail/pool_control.hpp>
#include <smarm/detail/pool_node.hpp>
#include <smarm/detail/receive_point.hpp>
#include <smarm/detail/reply_route.hpp>
#include <smarm/detail/server_request.hpp>
#include <smarm/error.hpp>
#include <smarm/pending_reply.hpp>
#include <smarm/restart_backoff.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_ref.hpp>
#include <smarm/supervisor.hpp>

#include <boost/system/result.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace smarm {

//[worker_pool_options_outline
struct worker_pool_options {
  // Workers that are always there, 1 to 65536. 0: one for each scheduler of the caller's runtime; on a
  // plain thread as many as a runtime has by default.
  std::size_t size = 0;

  // How many more there may be while requests wait. One of them that has been idle for so long ends.
  std::size_t max_overflow = 0;
  std::chrono::nanoseconds overflow_linger = std::chrono::seconds(1);

  // How many requests may wait for a worker; one more is refused with errc::queue_full.
  std::size_t max_waiting = std::numeric_limits<std::size_t>::max();

  // How each worker ends, and how long its init may take. Of its fields `start`, `restart`, `significant`
  // and `type` are not used; its id, or "worker", is the label.
  child_spec worker = {};

  // A worker that has ended, however, is started anew: those of all together so often. More, and the
  // pool gives up, which is for its supervisor to see to.
  unsigned intensity = 10;
  std::chrono::nanoseconds period = std::chrono::seconds(5);
  restart_backoff backoff = {};

  // The name of the pool's supervisor, if it is to have one, and its label.
  std::string name = {};
  std::string label = {};
};
//]

//[worker_pool_statistics_outline
struct worker_pool_statistics {
  std::size_t workers = 0; // those that run
  std::size_t idle = 0;    // of them
  std::size_t overflow = 0;
  std::size_t waiting = 0; // requests

  // Since the pool was started.
  std::uint64_t served = 0;  // requests that were given a worker
  std::uint64_t waited = 0;  // those of all that had to wait for one
  std::uint64_t gave_up = 0; // whose callers did not wait so long
  std::uint64_t refused = 0; // by max_waiting
  std::uint64_t died = 0;    // workers that ended, and not since they had lingered
  std::uint64_t revoked = 0; // workers that were ended since their borrower had ended
  std::uint64_t overflow_started = 0;
};
//]

// A worker that is its holder's until this goes. It may be moved to another actor or thread, and outlive
// the pool. But it is lent to the actor that has checked it out: when that ends, and there is still a
// lease, because it was abandoned or has given the lease away, the worker is ended, and another one
// started. If the worker ends, calls give server_down. Not thread-safe.
template <class W>
class worker_lease {
public:
  // Of no worker; calls give server_down.
  worker_lease() noexcept = default;

  [[nodiscard]] const server_ref<W>& operator*() const noexcept { return worker_; }
  [[nodiscard]] const server_ref<W>* operator->() const noexcept { return &worker_; }
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(worker_); }

  // The worker is free for others. Neither suspends nor is a stop point.
  void give_back() noexcept { worker_lease gone(std::move(*this)); }
  // The worker is no good any more, its connection is broken: it is ended, and another one started,
  // which counts as a restart. Neither suspends nor is a stop point.
  void discard() noexcept {
    worker_ = server_ref<W>();
    lent_.discard();
  }

private:
  template <class>
  friend class worker_pool;
  explicit worker_lease(detail::lent_worker lent) noexcept
      : worker_(detail::typed<W>(lent.worker())), lent_(std::move(lent)) {}

  server_ref<W> worker_;
  detail::lent_worker lent_;
};

// The way to the pool, for whoever has a copy: cheap to copy, from actors and from plain threads, before
// it runs and after it has ended. It does not keep it running. It runs once at a time: started in a
// second place it leads there.
template <class W>
class worker_pool {
public:
  template <class Request>
  using reply_type = typename server_ref<W>::template reply_type<Request>;
  template <class Request>
  using reply_result = boost::system::result<reply_type<Request>>;

  // Workers made of copies of these arguments, as by smarm::server, options first. Throws
  // boost::system::system_error, errc::invalid_config, and std::bad_alloc.
  template <class... Arguments>
  explicit worker_pool(const worker_pool_options& options, const Arguments&... arguments)
      : control_(std::make_shared<detail::pool_control>()),
        plan_(std::make_shared<const detail::tree_plan>(
            detail::pool_tree(control_, options, server<W>(arguments...)))) {}

  // ---- running it; as start_supervisor and supervision_tree, which see

  // When it returns all its workers are started.
  [[nodiscard]] boost::system::result<supervisor_ref> start() const { return plan_->start(); }
  [[nodiscard]] boost::system::result<supervisor_ref> start(const runtime_handle& runtime) const {
    return plan_->start(runtime);
  }
  [[nodiscard]] child_start as_child() const { return plan_->as_child(); }

  // ---- using it

  // As those of server_ref, by the first worker that is idle. Who has waited longest is served first. The
  // worker is busy until its handler returns, also if the caller does not wait so long. Errors: also
  // queue_full, see max_waiting; server_down also while the pool does not run.
  template <class Request>
  [[nodiscard]] reply_result<Request> call(Request&& request) const {
    return call_until<false>(std::forward<Request>(request), detail::no_deadline);
  }
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

  // As that of server_ref. Error: also queue_full, in the answer.
  template <class Request>
  [[nodiscard]] boost::system::result<pending_reply<reply_type<Request>>>
  send_request(Request&& request) const {
    errc error{};
    auto answer = send(std::forward<Request>(request), detail::no_deadline, error).answer;
    if (answer.cell() == nullptr) {
      return make_error_code(error);
    }
    return detail::pending_access::make(std::move(answer));
  }

  // As that of server_ref; waits in the queue if nobody is idle. One that finds the queue full is dropped,
  // and counted as refused. Neither suspends nor is a stop point. Errors: server_down, out_of_memory.
  template <class Message>
  [[nodiscard]] boost::system::result<void> cast(Message&& message) const {
    using stored = std::decay_t<Message>;
    detail::check_cast<W, stored>();
    if constexpr (detail::takes_cast<W, stored>) {
      using node_type = detail::cast_node<W, stored>;
      auto* const node = detail::make_request<node_type>(std::forward<Message>(message));
      const errc error =
          node != nullptr ? pass_on(*node, message, node->message) : errc::out_of_memory;
      if (error != errc{}) {
        return make_error_code(error);
      }
    }
    return {};
  }

  // A worker for several requests, for as long as the lease lives. Waits until there is one, in the same
  // queue. Suspends. A stop point. Errors: server_down, queue_full, out_of_memory,
  // would_block_scheduler.
  [[nodiscard]] boost::system::result<worker_lease<W>> check_out() const {
    return lease_until(detail::no_deadline);
  }
  // The same, and waits no longer than that: errc::timed_out.
  template <class Rep, class Period>
  [[nodiscard]] boost::system::result<worker_lease<W>>
  check_out(const std::chrono::duration<Rep, Period>& limit) const {
    return lease_until(detail::deadline_after(limit));
  }
  template <class Clock, class Duration>
  [[nodiscard]] boost::system::result<worker_lease<W>>
  check_out(const std::chrono::time_point<Clock, Duration>& deadline) const {
    return lease_until(detail::deadline_of(deadline));
  }

  // How it is doing. Suspends. A stop point. Errors: those of server_ref::call.
  [[nodiscard]] boost::system::result<worker_pool_statistics> statistics() const {
    return detail::statistics_of(*control_);
  }

private:
  // Through the manager to a worker. An error: it is gone, and what it carried is the sender's again.
  template <class Inner, class From, class Carried>
  errc pass_on(Inner& inner, From& from, Carried& carried) const {
    errc error = errc::out_of_memory;
    auto* const envelope = detail::make_request<detail::pool_envelope<Inner>>(inner);
    if (envelope != nullptr) {
      error = detail::submit(*control_, *envelope);
      if (error == errc{}) {
        return error;
      }
      detail::pool_envelope<Inner>::free(*envelope);
    }
    if constexpr (!std::is_const_v<From> && std::is_same_v<From, Carried> &&
                  detail::can_be_given_back<Carried>) {
      detail::give_back(from, carried);
    }
    Inner::free(inner);
    return error;
  }

  // The caller's half of a call, and, as long as it has that, who is to answer.
  template <class R>
  struct sent {
    detail::reply_owner<R> answer;
    const std::atomic<const detail::slot*>* with = nullptr;
  };

  template <class Request>
  [[nodiscard]] sent<reply_type<Request>> send(Request&& request, std::int64_t deadline,
                                               errc& error) const {
    using stored = std::decay_t<Request>;
    detail::check_call<W, stored>();
    using node_type = detail::pool_call_node<W, stored>;
    auto* const node = detail::make_request<node_type>(std::forward<Request>(request), deadline);
    error = node != nullptr ? pass_on(*node, request, node->request) : errc::out_of_memory;
    if (error != errc{}) {
      return {};
    }
    return {detail::reply_owner<reply_type<Request>>(*node), &node->with};
  }

  template <bool Timed, class Request>
  reply_result<Request> call_until(Request&& request, std::int64_t deadline) const {
    const auto failed = [](errc why) {
      return reply_result<Request>(boost::system::in_place_error, make_error_code(why));
    };
    if (detail::would_block_here()) {
      return failed(errc::would_block_scheduler);
    }
    detail::receive_point();
    errc error{};
    auto [answer, with] = send(std::forward<Request>(request), deadline, error);
    if (answer.cell() == nullptr) {
      return failed(error);
    }
    const detail::reply_route route{with, control_.get()};
    detail::routed_reply_source source{*answer.cell(), route};
    if (detail::wait_for_source<Timed>(source, detail::wait_kind::pool_reply, deadline) !=
            detail::wait_end::ready ||
        (Timed && answer.cell()->error == errc::expired)) { // the worker saw it first
      return failed(errc::timed_out);
    }
    return answer.take();
  }

  boost::system::result<worker_lease<W>> lease_until(std::int64_t deadline) const {
    auto lent = detail::check_out(*control_, deadline);
    if (!lent) {
      return lent.error();
    }
    return worker_lease<W>(*std::move(lent));
  }

  std::shared_ptr<detail::pool_control> control_;
  std::shared_ptr<const detail::tree_plan> plan_;
};

} // namespace smarm

#endif
