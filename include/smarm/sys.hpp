// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Looking at a server that runs, and holding it: no server needs to be written for it.
//
//     std::cout << smarm::sys::state("prices").value();          // what its describe writes
//     std::cout << smarm::sys::statistics(the_prices, 1s).value();
//     (void)smarm::sys::trace(ref, [](const smarm::sys::event& e) { std::clog << e << '\n'; });
//     (void)smarm::sys::suspend(pid); ... (void)smarm::sys::resume(pid);
//
// These requests pass the server's inbox by: they are served after the downs that are there, before
// timers, infos, calls and casts, and also while the server is suspended. They wait for the handler
// that runs. All of them suspend; are stop points and checkpoints; and take a limit, a duration or a
// time, as their last argument: errc::timed_out, after which nothing is begun any more. They work from
// plain threads, of which they block the calling one, and from actors of any runtime. Errors:
// server_down (it has ended, or ends before it comes to it), calling_self, out_of_memory,
// would_block_scheduler; those of target.

#ifndef SMARM_SYS_HPP
#define SMARM_SYS_HPP

#include <smarm/any_server.hpp>
#include <smarm/detail/deadline.hpp>
#include <smarm/detail/system_call.hpp>
#include <smarm/error.hpp>
#include <smarm/pid.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_name.hpp>
#include <smarm/server_ref.hpp>
#include <smarm/stop.hpp>
#include <smarm/sys_event.hpp>
#include <smarm/sys_statistics.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace smarm::sys {

// The server that this actor is, or the one that has the name now. On a plain thread the first two
// throw boost::system::system_error, errc::not_in_actor: there a handle of the runtime is needed. Do not
// suspend. Errors: no_process, unresolved, no_channel (it is no server), server_down, runtime_down.
[[nodiscard]] boost::system::result<any_server> find(pid actor);
[[nodiscard]] boost::system::result<any_server> find(std::string_view name);
[[nodiscard]] boost::system::result<any_server> find(const runtime_handle& in, pid actor);
[[nodiscard]] boost::system::result<any_server> find(const runtime_handle& in,
                                                     std::string_view name);

// Whom a request is for: any of these. A pid or a name is looked up as by find, whose error the request
// then returns.
class target {
public:
  target(any_server server) noexcept // NOLINT: it is one, as all these
      : server_(std::move(server)) {}
  // A server_ref, a supervisor_ref, and whatever else is a ref to a server.
  template <std::convertible_to<any_server> Ref>
  target(const Ref& server) noexcept : server_(static_cast<any_server>(server)) {} // NOLINT
  template <class S>
  target(const server_name<S>& name) : server_(find(name.text())) {} // NOLINT
  target(pid actor) : server_(find(actor)) {}                        // NOLINT
  template <std::convertible_to<std::string_view> Text>
  target(const Text& name) : server_(find(std::string_view(name))) {} // NOLINT

  [[nodiscard]] const boost::system::result<any_server>& server() const noexcept { return server_; }

private:
  boost::system::result<any_server> server_;
};

} // namespace smarm::sys

namespace smarm::detail {

[[nodiscard]] constexpr std::int64_t deadline_from() noexcept { return no_deadline; }
template <class Rep, class Period>
[[nodiscard]] std::int64_t deadline_from(const std::chrono::duration<Rep, Period>& limit) {
  return deadline_after(limit);
}
template <class Clock, class Duration>
[[nodiscard]] std::int64_t deadline_from(const std::chrono::time_point<Clock, Duration>& at) {
  return deadline_of(at);
}
template <class... Limit>
concept at_most_one_limit = requires(const Limit&... limit) {
  detail::deadline_from(limit...);
};

[[nodiscard]] boost::system::result<std::string> state_of(const sys::target& of,
                                                          std::int64_t deadline);
[[nodiscard]] boost::system::result<void> set_suspended(const sys::target& whom, bool suspended,
                                                        std::int64_t deadline);
[[nodiscard]] boost::system::result<void> set_trace(const sys::target& whom, sys::trace_sink sink,
                                                    std::int64_t deadline);
[[nodiscard]] boost::system::result<sys::server_statistics> statistics_of(const sys::target& of,
                                                                          std::int64_t deadline);

// What a function made in the server, on its way to the caller.
template <class R>
using made_or_thrown = std::variant<std::exception_ptr, storable<R>>;

template <class R>
[[nodiscard]] boost::system::result<R> unpacked(boost::system::result<made_or_thrown<R>> got) {
  if (!got) {
    return {boost::system::in_place_error, got.error()};
  }
  if (const auto* thrown = std::get_if<0>(&*got)) {
    std::rethrow_exception(*thrown);
  }
  if constexpr (std::is_void_v<R>) {
    return {};
  } else {
    return std::get<1>(*std::move(got));
  }
}

} // namespace smarm::detail

namespace smarm::sys {

// What the server's `void describe(std::ostream&) const` writes, in the server; without one the name of
// its class. If describe throws, the text says so.
template <class... Limit>
  requires detail::at_most_one_limit<Limit...>
[[nodiscard]] boost::system::result<std::string> state(const target& of, const Limit&... limit) {
  return detail::state_of(of, detail::deadline_from(limit...));
}

// The server handles nothing but requests of this kind until it is resumed: what comes is queued, calls
// whose deadline passes meanwhile are skipped afterwards. Stopping it ends it all the same; and when its
// last ref goes it goes on, handles what is queued and ends. Twice is once.
template <class... Limit>
  requires detail::at_most_one_limit<Limit...>
[[nodiscard]] boost::system::result<void> suspend(const target& whom, const Limit&... limit) {
  return detail::set_suspended(whom, true, detail::deadline_from(limit...));
}
// The server goes on. Nothing happens if it is not suspended.
template <class... Limit>
  requires detail::at_most_one_limit<Limit...>
[[nodiscard]] boost::system::result<void> resume(const target& whom, const Limit&... limit) {
  return detail::set_suspended(whom, false, detail::deadline_from(limit...));
}

// The sink is called with each thing that the server takes up from now on, in the server, until it is
// untraced or ends. It takes the place of an earlier one. An answer that a smarm::reply_to gives is not
// seen.
template <class... Limit>
  requires detail::at_most_one_limit<Limit...>
[[nodiscard]] boost::system::result<void> trace(const target& whom, trace_sink sink,
                                                const Limit&... limit) {
  return detail::set_trace(whom, std::move(sink), detail::deadline_from(limit...));
}
// The sink is called no more, and was destroyed.
template <class... Limit>
  requires detail::at_most_one_limit<Limit...>
[[nodiscard]] boost::system::result<void> untrace(const target& whom, const Limit&... limit) {
  return detail::set_trace(whom, nullptr, detail::deadline_from(limit...));
}

// What the server has done, and how long its queue is. Looking at an unlimited inbox takes the time
// that it takes to look at what has come since it was looked at before.
template <class... Limit>
  requires detail::at_most_one_limit<Limit...>
[[nodiscard]] boost::system::result<server_statistics> statistics(const target& of,
                                                                  const Limit&... limit) {
  return detail::statistics_of(of, detail::deadline_from(limit...));
}

// Calls f(state), where state is the server's object, in the server, and returns what f returns: to
// repair what is broken, or to look at what describe does not say. What f throws is thrown to the
// caller, and the server goes on; unless f waits and is stopped, which ends the server.
template <class S, class F, class... Limit>
  requires detail::at_most_one_limit<Limit...>
[[nodiscard]] auto with_state(const server_ref<S>& in, F f, const Limit&... limit) {
  static_assert(std::is_invocable_v<F&, S&>,
                "smarm: with_state calls its function with a reference to the server's object; it "
                "must take one of that class");
  if constexpr (std::is_invocable_v<F&, S&>) {
    using R = std::invoke_result_t<F&, S&>;
    static_assert(!std::is_reference_v<R>,
                  "smarm: what with_state returns is used outside the server, where a reference "
                  "into its state may not be; return a value");
    using made = detail::made_or_thrown<R>;
    return detail::unpacked<R>(detail::run_in_server<made>(
        detail::server_ref_access::core(in), detail::deadline_from(limit...),
        [call = std::move(f)](detail::server_core& core, const detail::server_type&) mutable {
          S& state = static_cast<detail::typed_server_core<S>&>(core).object;
          try {
            if constexpr (std::is_void_v<R>) {
              call(state);
              return made(std::in_place_index<1>);
            } else {
              return made(std::in_place_index<1>, call(state));
            }
          } catch (const stop_unwind&) {
            throw;
          } catch (...) {
            return made(std::in_place_index<0>, std::current_exception());
          }
        }));
  } else {
    return boost::system::result<void>(make_error_code(errc::not_supported));
  }
}
// The same for who has the name now. Throws system_error(errc::not_in_actor) on a plain thread. Errors:
// also unresolved, no_channel.
template <class S, class F, class... Limit>
  requires detail::at_most_one_limit<Limit...>
[[nodiscard]] auto with_state(const server_name<S>& in, F f, const Limit&... limit) {
  using result = decltype(with_state(std::declval<const server_ref<S>&>(), std::move(f), limit...));
  const boost::system::result<server_ref<S>> found = in.resolve();
  return found ? with_state(*found, std::move(f), limit...) : result(found.error());
}

} // namespace smarm::sys

#endif
