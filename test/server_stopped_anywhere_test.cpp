// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Callers and servers are stopped one step later in each round. Wherever that meets them, every
// request and every answer goes, nobody waits for ever, and whoever is left goes on.

#define BOOST_TEST_MODULE server_stopped_anywhere
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"

#include <smarm/gen_server.hpp>
#include <smarm/monitor.hpp>
#include <smarm/mutex.hpp>
#include <smarm/runtime.hpp>
#include <smarm/select.hpp>
#include <smarm/semaphore.hpp>
#include <smarm/server_name.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <functional>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

namespace {

constexpr int steps = 150; // more than a way through everything takes

void yield_times(int n) {
  for (; n > 0; --n) {
    smarm::this_actor::yield();
  }
}

struct counted {
  counted() { ++alive; }
  counted(const counted&) { ++alive; }
  counted& operator=(const counted&) = default;
  ~counted() { --alive; }
  static inline int alive = 0;
};

class service : public smarm::gen_server<service> {
public:
  struct ask {
    counted c;
  };
  struct ask_later {
    counted c;
  };
  struct tell {
    counted c;
  };
  struct answer_all {};

  counted handle_call(const ask& a) {
    smarm::this_actor::yield();
    return a.c;
  }
  void handle_call(const ask_later&, smarm::reply_to<counted> r) { kept_.push_back(std::move(r)); }
  void handle_cast(const tell&) { smarm::this_actor::yield(); }
  void handle_cast(answer_all) {
    for (auto& each : kept_) {
      each.reply();
    }
    kept_.clear();
  }

private:
  std::vector<smarm::reply_to<counted>> kept_;
};

class child : public smarm::gen_server<child> {
public:
  struct ping {};
  child() { ++alive; }
  ~child() { --alive; }
  void init() { yield_times(2); }
  counted handle_call(ping) {
    smarm::this_actor::yield();
    return {};
  }
  void terminate(const smarm::exit_reason&) { smarm::this_actor::yield(); }
  static inline int alive = 0;
};

constexpr smarm::server_name<child> the_child{"child"};
constexpr smarm::server_name<service> the_service{"service"};

// Its handlers wait for everything that there is to wait for.
class busy : public smarm::gen_server<busy> {
public:
  struct everything {
    smarm::timed_mutex* lock;
    smarm::counting_semaphore<>* places;
    int* way;
    int* ended;
  };
  struct work {
    counted c;
  };
  struct note {};
  busy(everything all, smarm::server_ref<service> backend)
      : all_(all), backend_(std::move(backend)) {}
  ~busy() { ++*all_.ended; }

  void init() {
    (void)tick_every(1us, note{});
    auto [to, from] = smarm::channel<note>();
    receive_info(std::move(from));
    to_self_ = std::move(to);
  }
  counted handle_call(const work& w) {
    reached();
    smarm::this_actor::sleep_for(1us);
    reached();
    {
      const std::lock_guard lock(*all_.lock);
      smarm::this_actor::yield();
    }
    reached();
    {
      std::unique_lock lock(*all_.lock, 24h);
      reached();
    }
    all_.places->acquire();
    reached();
    counted got = backend_.call(service::ask{w.c}).value();
    reached();
    got = backend_.call(service::ask_later{w.c}, 24h).value();
    reached();
    auto answer = backend_.send_request(service::ask_later{w.c}).value();
    (void)smarm::select(answer);
    reached();
    (void)to_self_.send(note{});
    expect(backend_.send_request(service::ask{w.c}).value(), note{});
    auto helper = smarm::spawn([] { smarm::this_actor::yield(); });
    watch(helper.id());
    (void)helper.join();
    reached();
    return got;
  }
  void handle_timer(note) { reached(); }
  void handle_info(note) { yield_times(1); }
  void handle_down(const smarm::down&) { yield_times(1); }
  void handle_reply(note, const boost::system::result<counted>&) { yield_times(1); }
  void terminate(const smarm::exit_reason&) { (void)backend_.call(service::ask{}, 24h); }

private:
  void reached() { ++*all_.way; }

  everything all_;
  smarm::server_ref<service> backend_;
  smarm::sender<note> to_self_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(server_stopped_anywhere, *boost::unit_test::timeout(300))

BOOST_AUTO_TEST_CASE(a_caller_takes_along_what_it_has_asked_for) {
  int whole = 0;
  std::set<int> ways; // how far the caller came
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (int step = 0; step < steps; ++step) {
      auto s = the_service.start().value();
      bool done = false;
      int way = 0;
      auto granter = smarm::spawn([&] {
        while (!done) {
          (void)s.cast(service::answer_all{});
          smarm::this_actor::yield();
        }
      });
      auto victim = smarm::spawn([&, s] {
        for (;;) {
          auto own = smarm::start_server<child>().value();
          ++way;
          (void)own.call(child::ping{});
          ++way;
          (void)s.call(service::ask{});
          ++way;
          (void)s.call(service::ask{}, 24h);
          ++way;
          (void)s.cast(service::tell{});
          auto a = s.send_request(service::ask_later{}).value();
          auto b = s.send_request(service::ask_later{}, 24h).value();
          (void)a.recv();
          ++way;
          (void)b.recv_for(24h);
          ++way;
          auto c = s.send_request(service::ask_later{}).value();
          auto d = s.send_request(service::ask_later{}).value();
          (void)smarm::select(c, d);
          ++way;
          (void)the_service.call(service::ask{});
          ++way;
          (void)the_service.call(service::ask_later{}, 24h);
          ++way;
          (void)the_service.cast(service::tell{});
          (void)own.shutdown(exit_kind::shutdown, 24h);
          ++way;
        }
      });
      yield_times(step);
      (void)smarm::request_stop(victim.id());
      const bool stopped = victim.join().kind() == exit_kind::stopped;
      done = true;
      (void)granter.join();
      const bool works = s.call(service::ask{}).has_value();
      (void)s.shutdown(exit_kind::shutdown, 24h);
      until([] { return child::alive == 0; });
      whole += stopped && works && counted::alive == 0;
      ways.insert(way);
    }
  });
  BOOST_TEST(whole == steps);
  BOOST_TEST(ways.size() >= 10u);
}

// The name keeps a server alive; but a starter that lets go before there is a name leaves none.
BOOST_AUTO_TEST_CASE(a_starter_leaves_a_whole_named_server_or_none) {
  int whole = 0;
  int left = 0;
  constexpr int rounds = 12;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (int step = 0; step < rounds; ++step) {
      auto victim = smarm::spawn([] { (void)the_child.start(); });
      yield_times(step);
      (void)smarm::request_stop(victim.id());
      (void)victim.join();
      yield_times(10);
      const auto found = the_child.whereis();
      left += found.has_value();
      const bool works = !found || (found->call(child::ping{}).has_value() &&
                                    found->shutdown(exit_kind::shutdown, 24h).has_value());
      until([] { return child::alive == 0; });
      whole += works && !the_child.whereis() && counted::alive == 0;
    }
  });
  BOOST_TEST(whole == rounds);
  BOOST_TEST(left > 0);
  BOOST_TEST(left < rounds);
}

BOOST_AUTO_TEST_CASE(a_server_ends_in_whatever_its_handlers_wait_for) {
  int whole = 0;
  std::set<int> ways;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto backend = smarm::start_server<service>().value();
    for (int step = 0; step < 2 * steps; ++step) {
      smarm::timed_mutex lock;
      smarm::counting_semaphore<> places(0);
      int way = 0;
      int ended = 0;
      bool done = false;
      auto s = smarm::start_server<busy>(busy::everything{&lock, &places, &way, &ended}, backend)
                   .value();
      auto gone = smarm::monitor(s.id());
      errc client_got{};
      auto client = smarm::spawn([&, s] {
        while (client_got == errc{}) {
          client_got = error_of(s.call(busy::work{}));
        }
      });
      auto granter = smarm::spawn([&] {
        while (!done) {
          (void)backend.cast(service::answer_all{});
          lock.lock();
          smarm::this_actor::yield();
          lock.unlock();
          places.release();
          smarm::this_actor::yield();
        }
      });
      yield_times(step);
      (void)smarm::request_stop(s.id());
      const exit_kind how = gone.recv().value().reason.kind();
      (void)client.join();
      done = true;
      (void)granter.join();
      const bool is_free = lock.try_lock();
      if (is_free) {
        lock.unlock();
      }
      (void)backend.cast(service::answer_all{});
      const bool works = backend.call(service::ask{}).has_value();
      whole += how == exit_kind::stopped && client_got == errc::server_down && is_free && works &&
               ended == 1 && counted::alive == 0;
      ways.insert(way);
    }
  });
  BOOST_TEST(whole == 2 * steps);
  BOOST_TEST(ways.size() >= 6u);
}

BOOST_AUTO_TEST_SUITE_END()
