// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Signals as calls on a thread: each is heard, in order, whoever else there is, and afterwards all is as it
// was before.

#define BOOST_TEST_MODULE signal_watch
#include <boost/test/unit_test.hpp>

#include "child_process.hpp"
#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/signal_watch.hpp>

#include <boost/system/system_error.hpp>

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using smarm::errc;

namespace {

extern "C" void nothing(int) {}

// Of the calling process, and back again at the end.
class with_action {
public:
  with_action(int signal, void (*handler)(int)) : signal_(signal) {
    struct sigaction now {};
    now.sa_handler = handler;
    (void)::sigaction(signal, &now, &before_);
  }
  with_action(const with_action&) = delete;
  with_action& operator=(const with_action&) = delete;
  ~with_action() { (void)::sigaction(signal_, &before_, nullptr); }

private:
  int signal_;
  struct sigaction before_ {};
};

auto handler_of(int signal) {
  struct sigaction now {};
  (void)::sigaction(signal, nullptr, &now);
  return now.sa_handler;
}

errc refusal(const std::vector<int>& signals) {
  try {
    const smarm::signal_watch watch(signals, [](int, unsigned) {});
  } catch (const boost::system::system_error& e) {
    return static_cast<errc>(e.code().value());
  }
  return {};
}

} // namespace

BOOST_AUTO_TEST_CASE(each_signal_is_heard_once_and_counted) {
  recorder seen;
  {
    const smarm::signal_watch watch({SIGUSR1, SIGUSR2}, [&](int signal, unsigned count) {
      seen.note(smarm::signal_name(signal) + ' ' + std::to_string(count));
    });
    for (const int signal : {SIGUSR1, SIGUSR2, SIGUSR1}) {
      const std::size_t before = seen.size();
      (void)::kill(::getpid(), signal);
      wait_until([&] { return seen.size() > before; });
    }
  }
  CHECK_LIST(seen.all(), {"SIGUSR1 1", "SIGUSR2 2", "SIGUSR1 3"});
}

BOOST_AUTO_TEST_CASE(it_is_heard_whichever_thread_gets_it) {
  std::atomic<unsigned> heard{0};
  std::atomic<bool> over{false};
  std::thread there_before([&] { wait_until([&] { return over.load(); }); });
  {
    const smarm::signal_watch watch({SIGUSR1}, [&](int, unsigned count) { heard = count; });
    (void)::pthread_kill(there_before.native_handle(), SIGUSR1);
    wait_until([&] { return heard == 1; });
    std::thread([&] { (void)::raise(SIGUSR1); }).join();
    wait_until([&] { return heard == 2; });
  }
  over = true;
  there_before.join();
  BOOST_TEST(heard == 2U);
}

BOOST_AUTO_TEST_CASE(afterwards_the_signals_have_the_effect_that_they_had) {
  const with_action ours(SIGUSR1, nothing);
  const with_action ignored(SIGUSR2, SIG_IGN);
  for (int i = 0; i < 3; ++i) {
    const smarm::signal_watch watch({SIGUSR1, SIGUSR2}, [](int, unsigned) {});
    BOOST_TEST((handler_of(SIGUSR1) != &nothing));
  }
  BOOST_TEST((handler_of(SIGUSR1) == &nothing));
  BOOST_TEST((handler_of(SIGUSR2) == SIG_IGN));
}

BOOST_AUTO_TEST_CASE(there_is_one_at_a_time) {
  {
    const smarm::signal_watch watch({SIGUSR1}, [](int, unsigned) {});
    BOOST_TEST((refusal({SIGUSR2}) == errc::already_waiting));
  }
  BOOST_TEST((refusal({SIGUSR2}) == errc{}));
}

BOOST_AUTO_TEST_CASE(one_that_cannot_be_caught_is_refused_and_nothing_stays) {
  const with_action ours(SIGUSR1, nothing);
  BOOST_TEST((refusal({SIGUSR1, SIGKILL}) == errc::invalid_config));
  BOOST_TEST((handler_of(SIGUSR1) == &nothing));
  BOOST_TEST((refusal({SIGUSR1, 1000}) == errc::invalid_config));
  BOOST_TEST((refusal({SIGUSR1}) == errc{}));
}

#if !SMARM_TSAN // which keeps the signal that the handler raises again back for ever
BOOST_AUTO_TEST_CASE(a_forked_process_ends_by_its_signal_and_is_not_taken_for_its_parent) {
  std::atomic<unsigned> heard{0};
  const smarm::signal_watch watch({SIGTERM, SIGUSR1}, [&](int, unsigned count) { heard = count; });
  const child_end end = in_child([] {
    (void)::raise(SIGTERM);
    for (;;) {
      ::pause(); // a sanitizer may keep it back until here
    }
    return 0;
  });
  BOOST_TEST(end.signal == SIGTERM);
  (void)::raise(SIGUSR1); // behind whatever the child has written
  wait_until([&] { return heard != 0; });
  BOOST_TEST(heard == 1U);
}
#endif

BOOST_AUTO_TEST_CASE(a_process_may_end_by_a_signal_that_it_has_caught) {
  const child_end end = in_child([] {
    const smarm::signal_watch watch({SIGTERM}, [](int signal, unsigned count) {
      if (count == 2) {
        smarm::end_by_signal(signal);
      }
    });
    (void)::raise(SIGTERM);
    (void)::raise(SIGTERM);
    for (;;) {
      ::pause();
    }
    return 0;
  });
  BOOST_TEST(end.signal == SIGTERM);
}
