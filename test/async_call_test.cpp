// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Calls, receives and joins from Asio code: every token, every end, and the handler called once, by its
// executor.

#define BOOST_TEST_MODULE async_call
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/asio.hpp>
#include <smarm/bounded.hpp>
#include <smarm/channel.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/server_options.hpp>
#include <smarm/sys.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
namespace asio = boost::asio;
using code = boost::system::error_code;

namespace {

struct no_default {
  explicit no_default(int v) : value(v) {}
  int value;
};

class desk : public smarm::gen_server<desk> {
public:
  struct next {
    int after;
  };
  struct touch {};
  struct box {};
  struct odd {};
  struct keep {}; // is answered when it is let go
  struct let_go {};

  int handle_call(next n) { return n.after + 1; }
  void handle_call(touch) {}
  std::unique_ptr<int> handle_call(box) { return std::make_unique<int>(5); }
  no_default handle_call(odd) { return no_default(6); }
  void handle_call(keep, smarm::reply_to<int> to) { kept_.push_back(std::move(to)); }
  void handle_cast(let_go) {
    for (auto& one : kept_) {
      one.reply(7);
    }
    kept_.clear();
  }

private:
  std::vector<smarm::reply_to<int>> kept_;
};

// A runtime in the background with one server, and an io_context of somebody else's.
struct rig {
  explicit rig(unsigned schedulers = 2) : rt(quiet(schedulers)) {
    rt.start();
    server = rt.handle().start_server<desk>().value();
  }
  ~rig() {
    server = {};
    (void)rt.shutdown(1h);
  }
  smarm::runtime rt;
  smarm::server_ref<desk> server;
  asio::io_context context;
};

} // namespace

BOOST_AUTO_TEST_SUITE(async_call_suite, *boost::unit_test::timeout(120))

// ---- Tokens ----------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_callback_is_called_by_its_executor_and_not_before_the_call_returns) {
  rig r;
  int value = 0;
  bool returned = false, early = false;
  std::thread::id where;
  smarm::async_call(r.server, desk::next{4}, asio::bind_executor(r.context, [&](code ec, int n) {
                      early = !returned;
                      value = ec ? -1 : n;
                      where = std::this_thread::get_id();
                    }));
  returned = true;
  r.context.run(); // which the call keeps at work
  BOOST_TEST(value == 5);
  BOOST_TEST(!early);
  BOOST_TEST((where == std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(coroutines_await_calls_receives_and_joins) {
  rig r;
  int sum = 0;
  bool normal = false;
  auto [tx, rx] = smarm::channel<int>();
  auto actor = r.rt.handle().spawn([tx = std::move(tx)] { (void)tx.send(30); });
  asio::co_spawn(
      r.context,
      [&]() -> asio::awaitable<void> {
        sum += co_await smarm::async_call(r.server, desk::next{1}, asio::use_awaitable);
        sum += co_await smarm::async_call(r.server, desk::next{1}, 1h, asio::use_awaitable);
        co_await smarm::async_call(r.server, desk::touch{}, asio::use_awaitable);
        sum += *co_await smarm::async_call(r.server, desk::box{}, asio::use_awaitable);
        sum += (co_await smarm::async_call(r.server, desk::odd{}, asio::use_awaitable)).value().value;
        sum += co_await smarm::async_recv(rx, asio::use_awaitable);
        const auto [ec, none] =
            co_await smarm::async_recv(rx, 1h, asio::as_tuple(asio::use_awaitable));
        sum += ec == errc::closed ? 100 : 0;
        normal = co_await smarm::async_join(std::move(actor), asio::use_awaitable) ==
                 smarm::exit_kind::normal;
      },
      [](std::exception_ptr failure) {
        if (failure != nullptr) {
          std::rethrow_exception(failure);
        }
      });
  r.context.run();
  BOOST_TEST(sum == 2 + 2 + 5 + 6 + 30 + 100);
  BOOST_TEST(normal);
}

BOOST_AUTO_TEST_CASE(futures_deferred_operations_and_actors_take_the_answer_too) {
  rig r;
  auto future = smarm::async_call(r.server, desk::next{1}, asio::use_future);
  BOOST_TEST(future.get() == 2);
  auto nothing = smarm::async_call(r.server, desk::touch{}, 1h, asio::use_future);
  nothing.get();
  int value = 0;
  auto later = smarm::async_call(r.server, desk::next{2}, asio::deferred);
  std::move(later)(asio::bind_executor(r.context, [&](code, int n) { value = n; }));
  r.context.run();
  BOOST_TEST(value == 3);
  int inside = 0, inside_too = 0;
  auto h = r.rt.handle().spawn([&] {
    inside = smarm::async_call(r.server, desk::next{3}, smarm::await);
    inside_too = smarm::async_call(r.server, desk::next{4}, 1h, smarm::try_await).value();
  });
  (void)h.join();
  BOOST_TEST(inside == 4);
  BOOST_TEST(inside_too == 5);
}

BOOST_AUTO_TEST_CASE(a_handler_of_a_strand_is_called_on_it) {
  rig r;
  asio::thread_pool pool(2);
  auto strand = asio::make_strand(pool);
  std::atomic<int> on_strand{0}, called{0};
  int unguarded = 0;
  for (int i = 0; i < 500; ++i) {
    smarm::async_call(r.server, desk::next{i}, 1h, asio::bind_executor(strand, [&](code, int) {
                        on_strand += strand.running_in_this_thread();
                        ++unguarded;
                        ++called;
                      }));
  }
  pool.join();
  BOOST_TEST(called == 500);
  BOOST_TEST(on_strand == 500);
  BOOST_TEST(unguarded == 500);
}

BOOST_AUTO_TEST_CASE(a_handler_on_the_runtimes_executor_may_send_cast_and_call_on) {
  rig r;
  auto [tx, rx] = smarm::channel<int>();
  auto h = r.rt.handle().spawn([&, tx = tx] {
    // A chain of calls without an actor that waits for it.
    smarm::async_call(r.server, desk::next{1}, [&, tx](code, int n) {
      smarm::async_call(r.server, desk::next{n}, [tx](code, int m) { (void)tx.send(m); });
    });
  });
  (void)h.join();
  BOOST_TEST(rx.recv().value() == 3);
}

// ---- Errors ----------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(every_error_comes_to_the_handler_and_once) {
  rig r;
  std::vector<code> seen;
  const auto note = [&](code ec, int) { seen.push_back(ec); };
  const auto on = [&](auto handler) { return asio::bind_executor(r.context, handler); };
  const auto ended = [&] {
    r.context.restart();
    r.context.run();
    const code one = seen.size() == 1 ? seen[0] : code();
    seen.clear();
    return one;
  };
  smarm::async_call(r.server, desk::keep{}, 1ms, on(note));
  BOOST_TEST((ended() == errc::timed_out));
  smarm::async_call(r.server, desk::keep{}, 0s, on(note));
  BOOST_TEST((ended() == errc::timed_out));
  smarm::async_call(smarm::server_ref<desk>(), desk::next{1}, on(note));
  BOOST_TEST((ended() == errc::server_down));

  auto other = r.rt.handle().start_server<desk>().value();
  smarm::async_call(other, desk::keep{}, on(note));
  BOOST_TEST(r.rt.handle().request_stop(other.id()));
  BOOST_TEST((ended() == errc::server_down));

  auto [tx, rx] = smarm::channel<int>();
  smarm::async_recv(rx, 1ms, on(note));
  BOOST_TEST((ended() == errc::timed_out));
  (void)tx.send(3);
  smarm::async_recv(rx, 0s, on(note));
  (void)ended();
  tx = {};
  smarm::async_recv(rx, on(note));
  BOOST_TEST((ended() == errc::closed));
  smarm::async_join(smarm::join_handle(), on([&](code ec, smarm::exit_status) { note(ec, 0); }));
  BOOST_TEST((ended() == errc::no_process));
}

BOOST_AUTO_TEST_CASE(a_full_inbox_refuses_instead_of_blocking_the_thread) {
  smarm::runtime rt(quiet(1));
  rt.start();
  auto server = rt.handle().start_server<desk>(
      smarm::server_options{.inbox = smarm::bounded{1, smarm::overflow::block}}).value();
  (void)rt.handle().spawn([&] { smarm::sys::suspend(server.id()).value(); }).join();
  asio::io_context context;
  std::vector<code> seen;
  for (int i = 0; i < 3; ++i) {
    smarm::async_call(server, desk::next{i},
                      asio::bind_executor(context, [&](code ec, int) { seen.push_back(ec); }));
  }
  context.run_one();
  const bool full = seen.size() == 1 && seen[0] == errc::queue_full;
  (void)rt.handle().spawn([&] { smarm::sys::resume(server.id()).value(); }).join();
  context.run();
  BOOST_TEST(full);
  BOOST_TEST(seen.size() == 3u);
  server = {};
  BOOST_TEST(rt.shutdown(1h).empty());
}

BOOST_AUTO_TEST_CASE(a_cancelled_operation_is_aborted_and_gives_up_what_it_waits_for) {
  rig r;
  std::vector<code> seen;
  asio::cancellation_signal call, recv, join;
  auto [tx, rx] = smarm::channel<int>();
  std::atomic<bool> go{false};
  auto actor = r.rt.handle().spawn([&] { until([&] { return go.load(); }); });
  const auto on = [&](asio::cancellation_signal& s, auto handler) {
    return asio::bind_cancellation_slot(s.slot(), asio::bind_executor(r.context, handler));
  };
  const auto note = [&](code ec, auto&&) { seen.push_back(ec); };
  smarm::async_call(r.server, desk::keep{}, on(call, note));
  smarm::async_recv(rx, 1h, on(recv, note));
  smarm::async_join(std::move(actor), on(join, note));
  asio::post(r.context, [&] {
    call.emit(asio::cancellation_type::total);
    recv.emit(asio::cancellation_type::partial);
    join.emit(asio::cancellation_type::terminal);
    call.emit(asio::cancellation_type::terminal);
  });
  r.context.run();
  go = true;
  BOOST_TEST(seen.size() == 3u);
  for (const code& ec : seen) {
    BOOST_TEST((ec == asio::error::operation_aborted));
  }
  (void)tx.send(8);
  BOOST_TEST(rx.try_recv().value() == 8); // nothing was taken
  (void)r.server.cast(desk::let_go{});     // an answer that nobody waits for
  BOOST_TEST(r.server.call(desk::next{1}).value() == 2);
}

BOOST_AUTO_TEST_CASE(who_is_refused_a_receiver_leaves_its_owner_alone_whatever_comes_then) {
  rig r;
  auto [tx, rx] = smarm::channel<int>();
  std::atomic<int> got{0};
  std::atomic<const smarm::detail::runtime_state*> runtime{nullptr};
  auto owner = r.rt.handle().spawn([&] {
    runtime = &this_runtime();
    got = rx.recv().value();
  });
  wait_until([&] { return runtime != nullptr && parked(*runtime, owner.id()); });
  std::vector<code> seen;
  asio::cancellation_signal cancel;
  smarm::async_recv(rx, asio::bind_cancellation_slot(
                            cancel.slot(), asio::bind_executor(r.context, [&](code ec, int) {
                              seen.push_back(ec);
                            })));
  cancel.emit(asio::cancellation_type::terminal); // refused already, and not told yet
  r.context.run();
  BOOST_TEST(seen.size() == 1u);
  BOOST_TEST((seen.front() == errc::already_waiting));
  (void)tx.send(9);
  (void)owner.join();
  BOOST_TEST(got == 9);
}

BOOST_AUTO_TEST_CASE(answers_deadlines_and_cancellations_race_and_the_handler_is_called_once) {
  rig r(3);
  asio::thread_pool pool(2);
  std::atomic<int> called{0}, wrong{0};
  constexpr int rounds = 2000;
  for (int i = 0; i < rounds; ++i) {
    struct one {
      asio::strand<asio::thread_pool::executor_type> strand;
      asio::cancellation_signal signal;
      std::atomic<int> calls{0};
      explicit one(asio::thread_pool& p) : strand(asio::make_strand(p)) {}
    };
    auto o = std::make_shared<one>(pool);
    asio::post(o->strand, [&, o, i] {
      smarm::async_call(r.server, desk::keep{}, std::chrono::microseconds(i % 50),
                        asio::bind_cancellation_slot(
                            o->signal.slot(), asio::bind_executor(o->strand, [&, o](code ec, int n) {
                              wrong += ++o->calls != 1;
                              wrong += ec ? (ec != errc::timed_out &&
                                             ec != asio::error::operation_aborted)
                                          : n != 7;
                              ++called;
                            })));
      if (i % 3 == 0) {
        asio::post(o->strand, [o] { o->signal.emit(asio::cancellation_type::all); });
      }
    });
    if (i % 2 == 0) {
      (void)r.server.cast(desk::let_go{});
    }
  }
  pool.join();
  BOOST_TEST(called == rounds);
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(messages_race_with_deadlines_and_none_is_lost) {
  rig r;
  auto [tx, rx] = smarm::channel<int>();
  constexpr int count = 2000;
  int received = 0, late = 0;
  auto sends = r.rt.handle().spawn([&, tx = std::move(tx)] {
    for (int i = 0; i < count; ++i) {
      (void)tx.send(i);
      smarm::this_actor::yield();
    }
  });
  asio::co_spawn(
      r.context,
      [&]() -> asio::awaitable<void> {
        for (;;) {
          const auto [ec, value] = co_await smarm::async_recv(
              rx, std::chrono::microseconds(received % 5), asio::as_tuple(asio::use_awaitable));
          if (ec == errc::closed) {
            co_return;
          }
          late += ec == errc::timed_out;
          received += !ec && value == received;
        }
      },
      asio::detached);
  r.context.run();
  (void)sends.join();
  BOOST_TEST(received == count);
}

BOOST_AUTO_TEST_CASE(the_end_of_the_runtime_answers_what_is_outstanding) {
  std::vector<code> seen;
  asio::io_context context;
  const auto on = [&](auto handler) { return asio::bind_executor(context, handler); };
  auto r = std::make_unique<rig>();
  auto server = r->server;
  auto [tx, rx] = smarm::channel<int>();
  auto actor = r->rt.handle().spawn([tx = std::move(tx)] { smarm::this_actor::sleep_for(1h); });
  smarm::async_call(server, desk::keep{}, on([&](code ec, int) { seen.push_back(ec); }));
  smarm::async_recv(rx, on([&](code ec, int) { seen.push_back(ec); }));
  bool ended = false;
  smarm::async_join(std::move(actor), on([&](code ec, smarm::exit_status how) {
                      ended = !ec && how == smarm::exit_kind::shutdown;
                    }));
  r.reset();
  context.run();
  BOOST_TEST(ended);
  BOOST_TEST(seen.size() == 2u);
  smarm::async_call(server, desk::next{1}, on([&](code ec, int) { seen.push_back(ec); }));
  context.restart();
  context.run();
  BOOST_TEST(seen.size() == 3u);
  BOOST_TEST((seen.back() == errc::server_down));
}

BOOST_AUTO_TEST_CASE(a_handler_whose_runtime_goes_is_destroyed_uncalled) {
  recorder seen;
  {
    rig r;
    auto h = r.rt.handle().spawn([&] {
      smarm::async_call(r.server, desk::keep{}, [end = noted_end(seen, "gone")](code, int) {});
    });
    (void)h.join();
  }
  BOOST_TEST(seen.count("gone") == 1u);
}

// Whoever sends is outside, and knows nothing of the runtime.
BOOST_AUTO_TEST_CASE(a_receive_whose_runtime_goes_takes_nothing) {
  for (const bool with_limit : {false, true}) {
    recorder seen;
    auto [tx, rx] = smarm::channel<int>();
    {
      rig r;
      auto h = r.rt.handle().spawn([&] {
        auto handler = [end = noted_end(seen, "gone")](code, int) {};
        if (with_limit) {
          smarm::async_recv(rx, 1h, std::move(handler));
        } else {
          smarm::async_recv(rx, std::move(handler));
        }
      });
      (void)h.join();
    }
    BOOST_TEST(seen.count("gone") == 1u);
    BOOST_TEST(tx.send(8).has_value());
    BOOST_TEST(rx.try_recv().value() == 8);
  }
}

BOOST_AUTO_TEST_CASE(contexts_go_while_others_send) {
  for (int round = 0; round < 200; ++round) {
    auto [tx, rx] = smarm::channel<int>();
    int handled = 0;
    auto context = std::make_unique<asio::io_context>();
    smarm::async_recv(rx, asio::bind_executor(*context, [&](code, int) { ++handled; }));
    std::thread sender([tx = tx] { (void)tx.send(1); });
    context.reset();
    sender.join();
    BOOST_TEST(handled == 0);
    BOOST_TEST(rx.try_recv().value() == 1); // nobody has taken it
  }
}

BOOST_AUTO_TEST_SUITE_END()
