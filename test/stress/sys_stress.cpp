// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Looks at servers against their deaths, and senders that wait for room against both: each request gets
// exactly one answer, each message has one end, and nothing is left over.

#define BOOST_TEST_MODULE sys_stress
#include <boost/test/unit_test.hpp>

#include <smarm/gen_server.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_options.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/sys.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ostream>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
namespace sys = smarm::sys;

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
  struct note {
    counted c;
  };
  struct ask {
    counted c;
  };
  struct leave {};
  void handle_cast(const note&) { ++notes_; }
  long handle_call(const ask&) const { return notes_; }
  void handle_cast(leave) { stop(); }
  void describe(std::ostream& out) const { out << notes_; }

private:
  long notes_ = 0;
};

// Everything that can be done to a server, until it has ended.
void pester(const smarm::server_ref<mortal>& server, unsigned kind, std::atomic<long>& answers) {
  for (unsigned i = kind;; ++i) {
    bool there = true;
    switch (i % 7) {
    case 0: there = sys::state(server).has_value(); break;
    case 1: there = sys::statistics(server.id()).has_value(); break;
    case 2: there = server.cast(mortal::note{}).has_value(); break;
    case 3: there = sys::suspend(server, 1s).has_value(); break;
    case 4: there = sys::resume(server).has_value(); break;
    case 5: (void)server.call(mortal::ask{}, 50us); break;
    default:
      there = sys::with_state(server, [c = counted()](mortal&) { return counted(c); }).has_value();
    }
    ++answers;
    if (!there) {
      return;
    }
    if (i % 5 == 0) {
      smarm::this_actor::yield();
    }
  }
}

void round(unsigned n, std::atomic<long>& answers) {
  constexpr smarm::overflow policies[] = {smarm::overflow::block, smarm::overflow::fail,
                                          smarm::overflow::drop_newest,
                                          smarm::overflow::drop_oldest};
  const smarm::server_options options{.inbox = {n % 5 == 4 ? 0U : 3U, policies[n % 4]}};
  auto server = smarm::start_server<mortal>(options).value();
  std::vector<smarm::join_handle> all;
  for (unsigned kind = 0; kind < 5; ++kind) {
    all.push_back(smarm::spawn([&answers, server, kind] { pester(server, kind, answers); }));
  }
  for (unsigned i = 0; i < n % 16; ++i) {
    smarm::this_actor::yield();
  }
  switch (n % 3) {
  case 0: (void)smarm::request_stop(server.id()); break;
  case 1: (void)smarm::request_shutdown(server.id()); break;
  default:
    (void)sys::with_state(server, [](mortal&) {});
    (void)server.shutdown(smarm::exit_kind::shutdown, 10s);
  }
  for (auto& one : all) {
    (void)one.join();
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(sys_stress_suite, *boost::unit_test::timeout(300))

BOOST_AUTO_TEST_CASE(looks_against_deaths) {
  std::atomic<long> answers{0};
  smarm::runtime rt({.schedulers = 4, .reports = [](const smarm::report&) {}});
  rt.run([&] {
    for (unsigned n = 0; n < 300; ++n) {
      round(n, answers);
    }
  });
  BOOST_TEST(answers >= 300 * 5);
  BOOST_TEST(alive == 0);
}

// Pids are recycled while others look for who has them.
BOOST_AUTO_TEST_CASE(lookups_by_pid_against_births_and_deaths) {
  std::atomic<bool> done{false};
  std::atomic<std::uint64_t> last{0};
  std::atomic<long> wrong{0}, found{0};
  smarm::runtime rt({.schedulers = 2, .reports = [](const smarm::report&) {}});
  const auto handle = rt.handle();
  std::vector<std::thread> outside;
  for (int t = 0; t < 2; ++t) {
    outside.emplace_back([&] {
      while (!done) {
        const std::uint64_t packed = last;
        const smarm::pid id(static_cast<std::uint32_t>(packed >> 32),
                            static_cast<std::uint32_t>(packed));
        if (auto server = sys::find(handle, id)) {
          ++found;
          wrong += server->id() != id;
        }
      }
    });
  }
  rt.run([&] {
    for (int n = 0; n < 3000 || found < 10; ++n) {
      auto server = smarm::start_server<mortal>().value();
      const smarm::pid id = server.id();
      last = std::uint64_t{id.index()} << 32 | id.generation();
      smarm::this_actor::yield();
    }
    done = true;
  });
  for (auto& t : outside) {
    t.join();
  }
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
