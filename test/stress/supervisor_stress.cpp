// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A tree of a hundred servers under load, whose servers, supervisors among them, are killed at random:
// no call hangs, every death is reported, restarts are as many as deaths, nothing is left over and
// memory stays flat. SMARM_STRESS_SECONDS makes it longer.

#define BOOST_TEST_MODULE supervisor_stress
#include <boost/test/unit_test.hpp>

#include <smarm/dynamic_supervisor.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/report.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_name.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/supervisor.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

constexpr int servers = 100;
constexpr int groups = 10;

std::atomic<long> alive{0};

class worker : public smarm::gen_server<worker> {
public:
  struct ask {
    int what;
  };
  struct fail {};
  worker() { ++alive; }
  ~worker() { --alive; }
  int handle_call(ask a) { return a.what; }
  void handle_cast(fail) { throw std::runtime_error("told to"); }
};

// Names live as long as the program: a server_name refers to its text.
smarm::server_name<worker> name_of(int i) {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> all;
    for (int n = 0; n < servers; ++n) {
      all.push_back("worker " + std::to_string(n));
    }
    return all;
  }();
  return smarm::server_name<worker>(texts[static_cast<std::size_t>(i)]);
}

std::size_t resident_kib() {
  std::ifstream statm("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  statm >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / 1024;
}

std::chrono::seconds duration() {
  const char* given = std::getenv("SMARM_STRESS_SECONDS");
  return std::chrono::seconds(given != nullptr ? std::atoi(given) : 3);
}

struct counts {
  std::atomic<long> failed{0};    // deaths by a failure, as reported
  std::atomic<long> restarted{0}; // restarts, as reported
  std::atomic<long> gave_up{0};
  std::atomic<long> abandoned{0};
  std::atomic<long> other{0};
};

} // namespace

BOOST_AUTO_TEST_CASE(a_tree_whose_servers_are_killed_at_random_goes_on) {
  counts reported;
  std::atomic<long> kills{0};
  std::atomic<long> answered{0};
  std::atomic<long> down{0};
  std::atomic<long> wrong{0};
  std::atomic<bool> over{false};
  std::uint64_t restarts = 0;
  std::size_t active = 0;
  std::size_t warm = 0;
  std::size_t at_the_end = 0;
  smarm::runtime rt({.schedulers = 2, .reports = [&](const smarm::report& r) {
                       switch (r.kind) {
                       case smarm::report_kind::actor_failed: ++reported.failed; break;
                       case smarm::report_kind::child_restarted: ++reported.restarted; break;
                       case smarm::report_kind::gave_up: ++reported.gave_up; break;
                       case smarm::report_kind::child_abandoned: ++reported.abandoned; break;
                       default: ++reported.other;
                       }
                     }});
  rt.run([&] {
    // A window that is as short as it can be, since its restarts are remembered.
    const smarm::supervisor_options patient = {.intensity = 1'000'000, .period = 1s};
    std::vector<smarm::child_spec> trees;
    for (int g = 0; g < groups; ++g) {
      std::vector<smarm::child_spec> children;
      for (int i = 0; i < servers / groups; ++i) {
        const int number = g * (servers / groups) + i;
        children.push_back({.id = std::to_string(number), .start = smarm::server(name_of(number))});
      }
      trees.push_back({.id = "group " + std::to_string(g),
                       .start = smarm::supervision_tree(patient, std::move(children))});
    }
    auto top = smarm::start_supervisor(patient, std::move(trees)).value();

    std::vector<smarm::join_handle> callers;
    for (int c = 0; c < 20; ++c) {
      callers.push_back(smarm::spawn([&, c] {
        std::minstd_rand random(static_cast<unsigned>(c) + 1);
        while (!over) {
          const int what = static_cast<int>(random() % 1000);
          const auto got = name_of(static_cast<int>(random() % servers)).call(worker::ask{what});
          if (!got) {
            const bool expected =
                got.error() == errc::server_down || got.error() == errc::unresolved;
            ++(expected ? down : wrong);
          } else {
            ++(*got == what ? answered : wrong);
          }
          smarm::this_actor::yield();
        }
      }));
    }
    auto killer = smarm::spawn([&] {
      std::minstd_rand random(42);
      while (!over) {
        if (auto victim = name_of(static_cast<int>(random() % servers)).whereis()) {
          // A cast that the server does not come to, since another one killed it, is no death.
          if (victim->cast(worker::fail{})) {
            ++kills;
          }
        }
        smarm::this_actor::sleep_for(50us);
      }
    });
    const auto began = std::chrono::steady_clock::now();
    const auto length = duration();
    smarm::this_actor::sleep_for(length / 3);
    warm = resident_kib();
    while (std::chrono::steady_clock::now() - began < length) {
      smarm::this_actor::sleep_for(10ms);
    }
    at_the_end = resident_kib();
    over = true;
    (void)killer.join();
    for (auto& c : callers) {
      (void)c.join();
    }
    // Each death is answered by one restart: once all have been, all run.
    for (int i = 0; i < servers; ++i) {
      while (!name_of(i).call(worker::ask{1})) {
        smarm::this_actor::sleep_for(100us);
      }
    }
    active = static_cast<std::size_t>(alive.load());
    restarts = static_cast<std::uint64_t>(top.count_children()->restarts);
    (void)top.shutdown(1h);
  });
  BOOST_TEST(wrong == 0);
  BOOST_TEST(answered > 0);
  BOOST_TEST(reported.failed > 0);
  BOOST_TEST(reported.failed <= kills);
  BOOST_TEST(reported.restarted == reported.failed);
  BOOST_TEST(reported.gave_up == 0);
  BOOST_TEST(reported.abandoned == 0);
  BOOST_TEST(reported.other == 0);
  BOOST_TEST(restarts == 0u); // of the groups themselves
  BOOST_TEST(active == static_cast<std::size_t>(servers));
  BOOST_TEST(alive == 0);
#if !SMARM_TSAN && !SMARM_ASAN // which keep what they have seen
  BOOST_TEST(at_the_end < warm + 4 * 1024, "from " << warm << " to " << at_the_end << " KiB");
#endif
  BOOST_TEST_MESSAGE(answered << " answers, " << down << " calls met a death, " << kills
                              << " kills, " << reported.failed << " deaths, " << warm << " -> "
                              << at_the_end << " KiB");
}

// Supervisors die, too: whatever is killed, no server is there twice, and none is left.
BOOST_AUTO_TEST_CASE(a_tree_whose_supervisors_are_killed_too_leaves_nobody) {
  std::atomic<long> twice{0};
  std::atomic<bool> over{false};
  std::atomic<long> restarted{0};
  std::vector<std::unique_ptr<std::atomic<int>>> lives;
  for (int i = 0; i < servers; ++i) {
    lives.push_back(std::make_unique<std::atomic<int>>(0));
  }
  struct single : smarm::gen_server<single> {
    single(std::atomic<int>& lives, std::atomic<long>& twice) : lives_(lives) {
      if (++lives_ > 1) {
        ++twice;
      }
    }
    ~single() { --lives_; }
    void terminate(const smarm::exit_reason&) { smarm::this_actor::yield(); }
    std::atomic<int>& lives_;
  };
  smarm::runtime rt({.schedulers = 2, .reports = [&](const smarm::report& r) {
                       restarted += r.kind == smarm::report_kind::child_restarted;
                     }});
  rt.run([&] {
    const auto options = [](smarm::strategy how) {
      return smarm::supervisor_options{.strategy = how, .intensity = 1'000'000, .period = 10'000h};
    };
    const smarm::strategy all[] = {smarm::one_for_one, smarm::one_for_all, smarm::rest_for_one};
    std::vector<smarm::child_spec> trees;
    for (int g = 0; g < groups; ++g) {
      std::vector<smarm::child_spec> children;
      for (int i = 0; i < servers / groups; ++i) {
        auto& count = *lives[static_cast<std::size_t>(g * (servers / groups) + i)];
        children.push_back({.id = std::to_string(i),
                            .start = smarm::server<single>(std::ref(count), std::ref(twice))});
      }
      trees.push_back({.id = "group " + std::to_string(g),
                       .start = smarm::supervision_tree(options(all[g % 3]), std::move(children))});
    }
    auto top = smarm::start_supervisor(options(smarm::one_for_one), std::move(trees)).value();
    auto killer = smarm::spawn([&] {
      std::minstd_rand random(7);
      while (!over) {
        const auto infos = top.which_children();
        if (!infos) {
          break;
        }
        const smarm::pid victim = (*infos)[random() % infos->size()].actor;
        switch (random() % 3) {
        case 0: (void)smarm::request_stop(victim); break;
        case 1: (void)smarm::request_shutdown(victim); break;
        default:
          (void)smarm::request_stop(victim);
          (void)smarm::request_stop(victim);
        }
        smarm::this_actor::sleep_for(200us);
      }
    });
    smarm::this_actor::sleep_for(duration() / 2);
    over = true;
    (void)killer.join();
    (void)top.shutdown(1h);
  });
  BOOST_TEST(twice == 0);
  BOOST_TEST(restarted > 0);
  for (const auto& n : lives) {
    BOOST_TEST(n->load() == 0);
  }
}
