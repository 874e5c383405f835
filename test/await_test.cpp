// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// smarm::await: what it returns and throws, deadlines, stops, and how it goes with Asio's other tokens.

#define BOOST_TEST_MODULE await
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/await.hpp>
#include <smarm/stop.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/defer.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

using namespace smarm_test;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

// An operation of the user's: calls its handler with the arguments, from the executor.
template <class Signature, class Token, class... Args>
auto async_give(asio::io_context::executor_type where, Token&& token, Args... args) {
  return asio::async_initiate<Token, Signature>(
      [where, ... args = std::move(args)](auto handler) mutable {
        asio::post(where, [handler = std::move(handler), ... args = std::move(args)]() mutable {
          std::move(handler)(std::move(args)...);
        });
      },
      token);
}

using error_code = boost::system::error_code;
const error_code refused = asio::error::connection_refused;

} // namespace

BOOST_AUTO_TEST_SUITE(await_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_timer_suspends_its_actor_only) {
  recorder seen;
  smarm::run([&] {
    auto h = smarm::spawn([&] {
      asio::steady_timer timer(smarm::this_actor::get_executor(), 2ms);
      timer.async_wait(smarm::await);
      seen.note("timer");
    });
    smarm::this_actor::yield();
    seen.note("other");
    (void)h.join();
  });
  CHECK_LIST(seen.all(), {"other", "timer"});
}

BOOST_AUTO_TEST_CASE(no_value_is_void_one_is_itself_several_are_a_tuple) {
  std::optional<int> one;
  std::optional<std::tuple<int, std::string>> two;
  smarm::run([&] {
    const auto ex = smarm::this_actor::get_executor();
    static_assert(std::is_void_v<decltype(async_give<void()>(ex, smarm::await))>);
    async_give<void()>(ex, smarm::await);
    async_give<void(error_code)>(ex, smarm::await, error_code());
    one = async_give<void(error_code, int)>(ex, smarm::await, error_code(), 7);
    two = async_give<void(int, std::string)>(ex, smarm::await, 8, std::string("x"));
  });
  BOOST_TEST((one == 7));
  BOOST_TEST((two == std::tuple(8, std::string("x"))));
}

BOOST_AUTO_TEST_CASE(what_can_only_be_moved_is_moved) {
  std::unique_ptr<int> got;
  smarm::run([&] {
    got = async_give<void(error_code, std::unique_ptr<int>)>(
        smarm::this_actor::get_executor(), smarm::await, error_code(), std::make_unique<int>(9));
  });
  BOOST_TEST((got != nullptr && *got == 9));
}

BOOST_AUTO_TEST_CASE(an_error_is_thrown_or_returned) {
  error_code thrown;
  boost::system::result<int> returned(1);
  boost::system::result<void> none;
  boost::system::result<int> fine(1);
  smarm::run([&] {
    const auto ex = smarm::this_actor::get_executor();
    thrown = refusal([&] { async_give<void(error_code)>(ex, smarm::await, refused); });
    returned = async_give<void(error_code, int)>(ex, smarm::try_await, refused, 0);
    none = async_give<void(error_code)>(ex, smarm::try_await, refused);
    fine = async_give<void(error_code, int)>(ex, smarm::try_await, error_code(), 5);
  });
  BOOST_TEST((thrown == refused));
  BOOST_TEST((returned.has_error() && returned.error() == refused));
  BOOST_TEST((none.has_error() && none.error() == refused));
  BOOST_TEST((fine.has_value() && *fine == 5));
}

BOOST_AUTO_TEST_CASE(an_exception_comes_through) {
  std::string text;
  smarm::run([&] {
    try {
      async_give<void(std::exception_ptr, int)>(
          smarm::this_actor::get_executor(), smarm::await,
          std::make_exception_ptr(std::runtime_error("from afar")), 0);
    } catch (const std::runtime_error& e) {
      text = e.what();
    }
  });
  BOOST_TEST(text == "from afar");
}

// What a handler is called with may throw while it is copied.
struct breaks {
  breaks() = default;
  breaks(const breaks&) { throw std::runtime_error("not copied"); }
};
BOOST_AUTO_TEST_CASE(a_value_that_cannot_be_copied_is_the_actors_exception) {
  std::string text;
  smarm::run([&] {
    try {
      asio::async_initiate<const smarm::await_t, void(breaks)>(
          [ex = smarm::this_actor::get_executor()](auto handler) {
            asio::post(ex, [handler = std::move(handler)]() mutable {
              const breaks b;
              std::move(handler)(b);
            });
          },
          smarm::await);
    } catch (const std::runtime_error& e) {
      text = e.what();
    }
  });
  BOOST_TEST(text == "not copied");
}

BOOST_AUTO_TEST_CASE(an_operation_that_completes_at_once_does_not_wait) {
  int turns = 0;
  smarm::run([&] {
    auto other = smarm::spawn([&] { ++turns; });
    asio::async_initiate<const smarm::await_t, void()>([](auto handler) { std::move(handler)(); },
                                                       smarm::await);
    turns = turns == 0 ? 10 : 20;
    (void)other.join();
  });
  BOOST_TEST(turns == 11);
}

BOOST_AUTO_TEST_CASE(a_deadline_cancels_the_operation) {
  error_code thrown, returned, redirected;
  std::tuple<error_code> in_tuple;
  error_code at_time;
  smarm::run([&] {
    asio::steady_timer timer(smarm::this_actor::get_executor(), 1h);
    thrown = refusal([&] { timer.async_wait(smarm::await.within(1ms)); });
    returned = timer.async_wait(smarm::try_await.within(1ms)).error();
    at_time = timer.async_wait(smarm::try_await.until(std::chrono::steady_clock::now())).error();
    in_tuple = timer.async_wait(asio::as_tuple(smarm::await.within(1ms)));
    timer.async_wait(asio::redirect_error(smarm::await.within(1ms), redirected));
  });
  BOOST_TEST((thrown == smarm::errc::timed_out));
  BOOST_TEST((thrown == boost::system::errc::timed_out));
  BOOST_TEST((returned == smarm::errc::timed_out));
  BOOST_TEST((at_time == smarm::errc::timed_out));
  BOOST_TEST((std::get<0>(in_tuple) == smarm::errc::timed_out));
  BOOST_TEST((redirected == asio::error::operation_aborted)); // as it says
}

BOOST_AUTO_TEST_CASE(what_is_done_before_its_deadline_is_done) {
  boost::system::result<void> got = make_error_code(smarm::errc::empty);
  error_code cancelled;
  smarm::run([&] {
    asio::steady_timer timer(smarm::this_actor::get_executor(), 1ms);
    got = timer.async_wait(smarm::try_await.within(1h));
    timer.expires_after(1h);
    auto h = waiting([&] { cancelled = timer.async_wait(smarm::try_await.within(1h)).error(); });
    timer.cancel(); // by somebody else: no deadline
    (void)h.join();
  });
  BOOST_TEST(got.has_value());
  BOOST_TEST((cancelled == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(a_stop_cancels_the_operation_and_unwinds) {
  recorder seen;
  smarm::exit_kind how{};
  smarm::run([&] {
    auto h = waiting([&] {
      const noted_end unwound(seen, "unwound");
      asio::steady_timer timer(smarm::this_actor::get_executor(), 1h);
      timer.async_wait(smarm::await);
      seen.note("never");
    });
    smarm::request_stop(h.id());
    how = h.join().kind();
  });
  CHECK_LIST(seen.all(), {"unwound"});
  BOOST_TEST((how == smarm::exit_kind::stopped));
}

BOOST_AUTO_TEST_CASE(a_stop_asked_for_before_is_raised_before_anything_begins) {
  int begun = 0;
  smarm::run([&] {
    auto h = smarm::spawn([&] {
      asio::async_initiate<const smarm::await_t, void()>(
          [&](auto handler) {
            ++begun;
            std::move(handler)();
          },
          smarm::await);
    });
    smarm::request_stop(h.id());
    (void)h.join();
  });
  BOOST_TEST(begun == 0);
}

BOOST_AUTO_TEST_CASE(where_stops_are_masked_the_operation_goes_on) {
  recorder seen;
  smarm::run([&] {
    asio::steady_timer timer(smarm::this_actor::get_executor(), 1h);
    auto h = waiting([&] {
      const noted_end unwound(seen, "unwound");
      {
        const smarm::disable_stop masked;
        (void)timer.async_wait(smarm::try_await);
        seen.note("done");
      }
      timer.async_wait(smarm::await);
      seen.note("never");
    });
    smarm::request_stop(h.id());
    smarm::this_actor::yield();
    seen.note("asked");
    timer.cancel();
    (void)h.join();
  });
  CHECK_LIST(seen.all(), {"asked", "done", "unwound"});
}

BOOST_AUTO_TEST_CASE(a_stop_waits_for_what_cannot_be_cancelled) {
  recorder seen;
  smarm::run([&] {
    const auto ex = smarm::this_actor::get_executor();
    asio::steady_timer gate(ex, 1h);
    auto h = waiting([&] {
      const noted_end unwound(seen, "unwound");
      // An operation without cancellation: its own handler has no slot.
      asio::async_initiate<const smarm::await_t, void()>(
          [&gate](auto handler) {
            gate.async_wait(
                [handler = std::move(handler)](error_code) mutable { std::move(handler)(); });
          },
          smarm::await);
    });
    smarm::request_stop(h.id());
    smarm::this_actor::yield();
    asio::post(ex, smarm::await); // behind the request to cancel
    seen.note("still there");
    gate.cancel();
    (void)h.join();
  });
  CHECK_LIST(seen.all(), {"still there", "unwound"});
}

BOOST_AUTO_TEST_CASE(it_works_in_a_catch_block_and_while_unwinding) {
  recorder seen;
  smarm::run([&] {
    struct waits {
      recorder& seen;
      ~waits() {
        asio::steady_timer timer(smarm::this_actor::get_executor(), 1ms);
        timer.async_wait(smarm::await);
        seen.note("unwinding");
      }
    };
    try {
      const waits w{seen};
      throw std::runtime_error("x");
    } catch (const std::runtime_error& e) {
      asio::post(smarm::this_actor::get_executor(), smarm::await);
      seen.note(e.what());
    }
  });
  CHECK_LIST(seen.all(), {"unwinding", "x"});
}

BOOST_AUTO_TEST_CASE(it_goes_with_strands_and_executors) {
  recorder seen;
  smarm::run([&] {
    const auto ex = smarm::this_actor::get_executor();
    auto strand = asio::make_strand(ex);
    asio::post(strand, smarm::await);
    asio::dispatch(strand, smarm::await);
    asio::defer(ex, smarm::await);
    asio::steady_timer timer(strand, 1h);
    const error_code late = timer.async_wait(smarm::try_await.within(1ms)).error();
    seen.note(late == smarm::errc::timed_out ? "late" : late.message());
    const error_code bound =
        refusal([&] { timer.async_wait(asio::bind_executor(strand, smarm::await.within(1ms))); });
    seen.note(bound == smarm::errc::timed_out ? "late" : bound.message());
  });
  CHECK_LIST(seen.all(), {"late", "late"});
}

BOOST_AUTO_TEST_CASE(it_can_be_the_default_of_an_object) {
  boost::system::result<void> got = make_error_code(smarm::errc::empty);
  smarm::run([&] {
    auto timer =
        smarm::await_t::as_default_on(asio::steady_timer(smarm::this_actor::get_executor(), 1ms));
    timer.async_wait();
    smarm::try_await_t::as_default_on_t<asio::steady_timer> other(smarm::this_actor::get_executor(),
                                                                  1ms);
    got = other.async_wait();
  });
  BOOST_TEST(got.has_value());
}

// Three waits of a timer in one operation.
template <class Token>
auto async_thrice(asio::steady_timer& timer, Token&& token) {
  return asio::async_compose<Token, void(error_code, int)>(
      [&timer, rounds = 0](auto& self, error_code ec = {}) mutable {
        if (ec || rounds == 3) {
          self.complete(ec, rounds);
          return;
        }
        ++rounds;
        timer.expires_after(1ms);
        timer.async_wait(std::move(self));
      },
      token, timer);
}
BOOST_AUTO_TEST_CASE(a_composed_operation_is_one_operation) {
  int rounds = 0;
  error_code late;
  smarm::run([&] {
    asio::steady_timer timer(smarm::this_actor::get_executor());
    rounds = async_thrice(timer, smarm::await);
    late = async_thrice(timer, smarm::try_await.within(1us)).error();
  });
  BOOST_TEST(rounds == 3);
  BOOST_TEST((late == smarm::errc::timed_out));
}

BOOST_AUTO_TEST_CASE(it_is_for_actors_only) {
  error_code plain, in_handler;
  asio::io_context elsewhere;
  plain = refusal([&] { asio::post(elsewhere, smarm::await); });
  smarm::run([&] {
    const auto ex = smarm::this_actor::get_executor();
    asio::post(ex, [&] { in_handler = refusal([&] { asio::post(ex, smarm::await); }); });
    asio::post(ex, smarm::await);
  });
  BOOST_TEST((plain == smarm::errc::not_in_actor));
  BOOST_TEST((in_handler == smarm::errc::would_block_scheduler));
}

BOOST_AUTO_TEST_CASE(a_foreign_io_context_is_awaited_like_the_own_one) {
  recorder seen;
  asio::io_context foreign;
  auto work = asio::make_work_guard(foreign);
  std::thread runs_it([&] { foreign.run(); });
  smarm::runtime({.schedulers = 2}).run([&] {
    for (int i = 0; i < 100; ++i) {
      asio::post(foreign, smarm::await);
    }
    asio::steady_timer timer(foreign, 1h);
    const error_code late = timer.async_wait(smarm::try_await.within(1ms)).error();
    seen.note(late == smarm::errc::timed_out ? "late" : late.message());
    const auto tuple = timer.async_wait(asio::as_tuple(smarm::await.within(1ms)));
    seen.note(std::get<0>(tuple) == smarm::errc::timed_out ? "late" : "not late");
  });
  work.reset();
  runs_it.join();
  CHECK_LIST(seen.all(), {"late", "late"});
}

BOOST_AUTO_TEST_CASE(an_io_context_that_goes_strands_nobody) {
  error_code thrown;
  smarm::run([&] {
    auto foreign = std::make_unique<asio::io_context>(); // which nobody runs
    auto h = waiting([&] { thrown = refusal([&] { asio::post(*foreign, smarm::await); }); });
    foreign.reset();
    (void)h.join();
  });
  BOOST_TEST((thrown == asio::error::operation_aborted));
}

// Who was stopped waits for the handler, which brings its values to a frame that is about to go: they go with it.
BOOST_AUTO_TEST_CASE(values_that_come_after_a_stop_are_destroyed) {
  auto value = std::make_shared<int>(1);
  const std::weak_ptr<int> watched = value;
  bool alive = false;
  smarm::runtime({.schedulers = 1, .reports = [](const smarm::report&) {}}).run([&] {
    std::function<void()> complete;
    auto h = waiting([&] {
      (void)boost::asio::async_initiate<const smarm::try_await_t,
                                        void(boost::system::error_code, std::shared_ptr<int>)>(
          [&](auto handler) {
            auto kept = std::make_shared<decltype(handler)>(std::move(handler));
            complete = [&value, kept] {
              std::move (*kept)(boost::system::error_code(), std::move(value));
            };
          },
          smarm::try_await);
    });
    smarm::request_stop(h.id());
    for (int i = 0; i < 3; ++i) { // it asks for the cancellation, of which the operation knows nothing
      until([&] { return parked(h.id()); });
      smarm::this_actor::yield();
    }
    alive = !watched.expired();
    complete();
    (void)h.join();
  });
  BOOST_TEST(alive);
  BOOST_TEST(watched.expired());
}

BOOST_AUTO_TEST_CASE(an_operation_may_give_its_memory_back_after_it_has_called_its_handler) {
  recorder seen;
  smarm::run([&] {
    auto place = smarm::this_actor::get_executor();
    std::function<void()> give_back;
    auto h = waiting([&] {
      asio::async_initiate<const smarm::await_t, void()>(
          [&](auto handler) {
            using allocator = typename std::allocator_traits<
                asio::associated_allocator_t<decltype(handler)>>::template rebind_alloc<long>;
            allocator memory(asio::get_associated_allocator(handler));
            long* const block = memory.allocate(1);
            give_back = [&seen, memory, block]() mutable {
              memory.deallocate(block, 1);
              seen.note("given back");
            };
            asio::post(place, [handler = std::move(handler)]() mutable { std::move(handler)(); });
          },
          smarm::await);
      seen.note("returned");
    });
    bool called = false;
    asio::post(place, [&] { called = true; });
    until([&] { return called; });
    for (int i = 0; i < 10; ++i) {
      smarm::this_actor::yield(); // who could go on would
    }
    give_back();
    (void)h.join();
  });
  CHECK_LIST(seen.all(), {"given back", "returned"});
}

BOOST_AUTO_TEST_SUITE_END()
