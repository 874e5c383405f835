// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Calls against deaths: whatever a server dies of, and whenever, each call gets exactly one answer, and
// nothing is left over.

#define BOOST_TEST_MODULE server_stress
#include <boost/test/unit_test.hpp>

#include <smarm/channel.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_name.hpp>
#include <smarm/server_name_in_runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;

// Every request and every answer is counted, by what it carries.
std::atomic<long> alive{0};

struct counted {
  counted() { ++alive; }
  counted(const counted&) { ++alive; }
  counted(counted&&) noexcept { ++alive; }
  counted& operator=(const counted&) = default;
  ~counted() { --alive; }
};

class mortal : public smarm::gen_server<mortal> {
public:
  struct ask {
    int what;
    counted c;
  };
  struct ask_later {
    counted c;
  };
  struct leave {};
  struct fail {};
  std::pair<int, counted> handle_call(const ask& a) { return {a.what, {}}; }
  void handle_call(ask_later, smarm::reply_to<counted> r) { kept_.push_back(std::move(r)); }
  void handle_cast(leave) { stop(); }
  void handle_cast(fail) { throw 1; }

private:
  std::vector<smarm::reply_to<counted>> kept_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(server_stress, *boost::unit_test::timeout(300))

BOOST_AUTO_TEST_CASE(a_million_calls_race_with_the_deaths_of_their_servers) {
  constexpr int callers = 4;
  constexpr long calls = SMARM_TSAN ? 20'000 : 1'000'000;
  std::atomic<long> made{0}, answered{0}, down{0}, late{0}, wrong{0};
  smarm::runtime rt({.schedulers = 2, .reports = [](const smarm::report&) {}});
  rt.run([&] {
    for (int round = 0; made < calls; ++round) {
      auto server = smarm::start_server<mortal>().value();
      std::vector<smarm::join_handle> all;
      for (int c = 0; c < callers; ++c) {
        all.push_back(smarm::spawn([&, c, server] {
          for (int i = 0;; ++i) {
            ++made;
            const bool limited = (i + c) % 8 == 0;
            auto got =
                limited ? server.call(mortal::ask{i, {}}, 20us) : server.call(mortal::ask{i, {}});
            if (got) {
              ++answered;
              wrong += got->first != i;
            } else if (got.error() == smarm::errc::timed_out) {
              ++late;
            } else {
              ++down;
              wrong += got.error() != smarm::errc::server_down;
              return;
            }
            if (i % 64 == 0) {
              (void)server.send_request(mortal::ask_later{});
            }
          }
        }));
      }
      for (int i = 0; i < 50 + round % 50; ++i) {
        smarm::this_actor::yield();
      }
      switch (round % 4) {
      case 0: (void)server.cast(mortal::leave{}); break;
      case 1: (void)server.cast(mortal::fail{}); break;
      case 2: (void)smarm::request_stop(server.id()); break;
      default: (void)smarm::request_shutdown(server.id()); break;
      }
      for (auto& h : all) {
        (void)h.join();
      }
    }
  });
  BOOST_TEST(wrong == 0);
  BOOST_TEST(answered + down + late == made);
  BOOST_TEST(answered > 0);
  BOOST_TEST(down > 0);
  BOOST_TEST(alive == 0);
}

// Threads start servers under one name, whose terminate waits for ever, use them, and shut them down,
// with more and with less patience than that takes: each is gone in the end, and its name free.
BOOST_AUTO_TEST_CASE(threads_start_name_and_end_servers_that_do_not_want_to_go) {
  struct clinging : smarm::gen_server<clinging> {
    struct ask {};
    int handle_call(ask) { return 1; }
    void terminate(const smarm::exit_reason&) {
      auto [to, from] = smarm::channel<int>();
      (void)from.recv(); // ended by a stop
    }
    std::atomic<long>& destroyed;
    explicit clinging(std::atomic<long>& d) : destroyed(d) {}
    ~clinging() { ++destroyed; }
  };
  static constexpr smarm::server_name<clinging> the_one{"clinging"};
  constexpr int threads = 3, rounds = SMARM_TSAN ? 200 : 2000;
  std::atomic<long> destroyed{0};
  std::atomic<long> started{0}, taken{0}, ended{0}, late{0}, wrong{0};
  smarm::runtime rt({.schedulers = 2, .reports = [](const smarm::report&) {}});
  rt.start();
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      const auto here = the_one.in(rt.handle());
      for (int i = 0; i < rounds; ++i) {
        const auto made = here.start(std::ref(destroyed));
        made ? ++started : ++taken;
        wrong += !made && made.error() != smarm::errc::name_taken;
        const auto answer = here.call(clinging::ask{}, 10s);
        wrong += !answer && answer.error() != smarm::errc::server_down &&
                 answer.error() != smarm::errc::unresolved;
        if (auto found = here.whereis()) {
          // Who is late has asked for a stop: the second one ends without patience, too.
          const auto kind =
              (i + t) % 2 == 0 ? smarm::exit_kind::shutdown : smarm::exit_kind::stopped;
          const auto gone = found->shutdown(kind, std::chrono::microseconds(i % 50));
          gone ? ++ended : ++late;
          wrong += !gone && gone.error() != smarm::errc::timed_out;
          wrong += !found->shutdown(smarm::exit_kind::stopped, 100s);
        }
      }
    });
  }
  for (auto& one : all) {
    one.join();
  }
  BOOST_TEST(rt.shutdown(100s).empty());
  BOOST_TEST(wrong == 0);
  BOOST_TEST(started > 0);
  BOOST_TEST(late > 0);
  BOOST_TEST(destroyed == started);
}

BOOST_AUTO_TEST_CASE(servers_that_call_in_a_circle_are_freed_by_their_deadlines) {
  struct link : smarm::gen_server<link> {
    struct go {
      int depth;
    };
    struct join {
      smarm::server_ref<link> to;
    };
    void handle_cast(join j) { next_ = std::move(j.to); }
    int handle_call(go g) {
      if (g.depth == 0) {
        return 1;
      }
      auto got = next_.call(go{g.depth - 1}, 5ms);
      return got ? *got + 1 : 0;
    }
    smarm::server_ref<link> next_;
  };
  int through = 0, round_and_round = -1;
  smarm::runtime rt({.schedulers = 2});
  rt.run([&] {
    std::vector<smarm::server_ref<link>> all;
    for (int i = 0; i < 3; ++i) {
      all.push_back(smarm::start_server<link>().value());
    }
    for (std::size_t i = 0; i < 3; ++i) {
      (void)all[i].cast(link::join{all[(i + 1) % 3]});
    }
    through = all[0].call(link::go{2}).value();
    round_and_round = all[0].call(link::go{1000}).value();
    for (const auto& one : all) {
      (void)smarm::request_shutdown(one.id()); // they keep each other alive
    }
  });
  BOOST_TEST(through == 3);
  BOOST_TEST(round_and_round >= 0);
}

BOOST_AUTO_TEST_SUITE_END()
