// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// File descriptors as arms of a select, beside channels: whatever wins, a loser can be waited for again.

#define BOOST_TEST_MODULE descriptor_select
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "selecting.hpp"
#include "waiting.hpp"

#include <smarm/channel.hpp>
#include <smarm/descriptor.hpp>
#include <smarm/descriptor_arm.hpp>
#include <smarm/select.hpp>
#include <smarm/selector.hpp>
#include <smarm/stop.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::readable;
using smarm::writable;

namespace {

class test_pipe {
public:
  test_pipe() {
    if (::pipe2(both_, O_NONBLOCK | O_CLOEXEC) != 0) {
      throw std::system_error(errno, std::system_category()); // it is an actor that makes one
    }
  }
  test_pipe(const test_pipe&) = delete;
  test_pipe& operator=(const test_pipe&) = delete;
  ~test_pipe() {
    ::close(both_[0]);
    ::close(both_[1]);
  }
  [[nodiscard]] int out() const { return both_[0]; }
  [[nodiscard]] int in() const { return both_[1]; }
  void put(char c) const { (void)!::write(in(), &c, 1); }
  [[nodiscard]] std::string take() const {
    char c = '-';
    return std::string(1, ::read(out(), &c, 1) == 1 ? c : '-');
  }

private:
  int both_[2];
};

// Whether it can be waited for.
std::string usable(const test_pipe& pipe) {
  std::string seen;
  auto h = waiting([&] {
    const auto ready = smarm::wait_readable(pipe.out());
    seen = ready ? pipe.take() : ready.error().message();
  });
  pipe.put('u');
  (void)h.join();
  return seen;
}

} // namespace

BOOST_AUTO_TEST_SUITE(descriptor_select_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(one_that_is_ready_is_not_waited_for) {
  std::size_t which = 9, out = 9;
  bool other_ran = false, in_between = true;
  // Of a slice that nobody uses up, so that it is the selects that would let another one run.
  smarm::runtime({.schedulers = 1, .timeslice_cycles = std::uint64_t{1} << 62}).run([&] {
    const test_pipe pipe;
    auto [tx, rx] = smarm::channel<int>();
    pipe.put('x');
    auto other = smarm::spawn([&] { other_ran = true; });
    which = smarm::select(rx, readable(pipe.out()));
    out = smarm::select(rx, writable(pipe.in()));
    in_between = other_ran;
    (void)other.join();
    (void)tx;
  });
  BOOST_TEST(which == 1u);
  BOOST_TEST(out == 1u);
  BOOST_TEST(!in_between);
}

BOOST_AUTO_TEST_CASE(data_wins_against_a_silent_channel) {
  recorder seen;
  smarm::run([&] {
    const test_pipe pipe;
    auto [tx, rx] = smarm::channel<int>();
    auto h = waiting([&, &rx = rx] {
      seen.note(std::to_string(smarm::select(readable(pipe.out()), rx)));
      seen.note(pipe.take());
    });
    pipe.put('y');
    (void)h.join();
    (void)tx.send(1);
    seen.note(std::to_string(smarm::select(readable(pipe.out()), rx)));
  });
  CHECK_LIST(seen.all(), {"0", "y", "1"});
}

BOOST_AUTO_TEST_CASE(a_descriptor_that_loses_can_be_waited_for_again) {
  recorder seen;
  smarm::run([&] {
    const test_pipe pipe;
    auto [tx, rx] = smarm::channel<int>();
    auto h = waiting([&, &rx = rx] {
      seen.note(std::to_string(smarm::select(readable(pipe.out()), rx)));
      seen.note(std::to_string(rx.try_recv().value()));
    });
    (void)tx.send(7);
    (void)h.join();
    seen.note(usable(pipe));
  });
  CHECK_LIST(seen.all(), {"1", "7", "u"});
}

BOOST_AUTO_TEST_CASE(a_later_arm_that_is_ready_leaves_the_earlier_one_alone) {
  recorder seen;
  smarm::run([&] {
    const test_pipe pipe;
    auto [tx, rx] = smarm::channel<int>();
    (void)tx.send(1);
    seen.note(std::to_string(smarm::select(readable(pipe.out()), rx)));
    seen.note(usable(pipe));
  });
  CHECK_LIST(seen.all(), {"1", "u"});
}

BOOST_AUTO_TEST_CASE(of_two_descriptors_the_other_stays_usable) {
  recorder seen;
  smarm::run([&] {
    const test_pipe first, second;
    auto h = waiting([&] {
      seen.note(std::to_string(smarm::select(readable(first.out()), readable(second.out()))));
      seen.note(second.take());
    });
    second.put('s');
    (void)h.join();
    seen.note(usable(first));
    seen.note(usable(second));
  });
  CHECK_LIST(seen.all(), {"1", "s", "u", "u"});
}

BOOST_AUTO_TEST_CASE(a_deadline_leaves_it_usable) {
  recorder seen;
  smarm::run([&] {
    const test_pipe pipe;
    const auto which = smarm::select_for(3ms, readable(pipe.out()));
    seen.note(which ? "ready" : which.error().message());
    seen.note(usable(pipe));
    pipe.put('p');
    seen.note(std::to_string(smarm::select_for(0s, readable(pipe.out())).value()));
  });
  CHECK_LIST(seen.all(), {make_error_code(errc::timed_out).message(), "u", "0"});
}

BOOST_AUTO_TEST_CASE(a_stop_leaves_it_usable) {
  recorder seen;
  smarm::run([&] {
    const test_pipe pipe;
    auto [tx, rx] = smarm::channel<int>();
    auto h = waiting([&, &rx = rx] {
      const noted_end unwound(seen, "unwound");
      (void)smarm::select(readable(pipe.out()), rx);
      seen.note("never");
    });
    smarm::request_stop(h.id());
    (void)h.join();
    seen.note(usable(pipe));
    (void)tx;
  });
  CHECK_LIST(seen.all(), {"unwound", "u"});
}

BOOST_AUTO_TEST_CASE(somebody_elses_descriptor_is_refused_and_the_next_select_is_right) {
  recorder seen;
  std::string refused;
  smarm::run([&] {
    const test_pipe pipe;
    auto [tx, rx] = smarm::channel<int>();
    auto h = waiting([&] {
      (void)smarm::wait_readable(pipe.out()).value();
      seen.note(pipe.take());
    });
    refused = refusal([&, &rx = rx] { (void)smarm::select(rx, readable(pipe.out())); },
                      errc::already_waiting);
    pipe.put('w');
    (void)h.join();
    (void)tx.send(9);
    seen.note(std::to_string(smarm::select(rx, readable(pipe.out()))));
    seen.note(std::to_string(rx.try_recv().value()));
  });
  BOOST_TEST(contains(refused, "somebody else waits"));
  CHECK_LIST(seen.all(), {"w", "0", "9"});
}

BOOST_AUTO_TEST_CASE(an_arm_that_is_refused_leaves_those_before_it_alone) {
  recorder seen;
  std::string refused;
  smarm::run([&] {
    const test_pipe first, taken;
    auto [tx, rx] = smarm::channel<int>();
    auto h = waiting([&] {
      (void)smarm::wait_readable(taken.out()).value();
      seen.note(taken.take());
    });
    refused = refusal(
        [&, &rx = rx] { (void)smarm::select(readable(first.out()), rx, readable(taken.out())); },
        errc::already_waiting);
    seen.note(usable(first));
    taken.put('t');
    (void)h.join();
    (void)tx;
  });
  BOOST_TEST(contains(refused, "somebody else waits"));
  CHECK_LIST(seen.all(), {"u", "t"});
}

BOOST_AUTO_TEST_CASE(a_bad_descriptor_is_ready_and_the_read_says_why) {
  std::size_t which = 9;
  boost::system::error_code why;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    which = smarm::select(rx, readable(-1));
    char c;
    why = smarm::read(-1, &c, 1).error();
    (void)tx;
  });
  BOOST_TEST(which == 1u);
  BOOST_TEST((why == boost::system::errc::bad_file_descriptor));
}

BOOST_AUTO_TEST_CASE(a_writer_that_is_gone_is_ready) {
  recorder seen;
  smarm::run([&] {
    int ends[2];
    (void)!::pipe2(ends, O_NONBLOCK | O_CLOEXEC);
    auto [tx, rx] = smarm::channel<int>();
    auto h = waiting([&, &rx = rx] {
      seen.note(std::to_string(smarm::select(rx, readable(ends[0]))));
      char c = 0;
      seen.note(std::to_string(smarm::read(ends[0], &c, 1).value()));
    });
    ::close(ends[1]); // hangs up
    (void)h.join();
    ::close(ends[0]);
    (void)tx;
  });
  CHECK_LIST(seen.all(), {"1", "0"});
}

// Which the system does not take into an epoll set.
BOOST_AUTO_TEST_CASE(a_file_on_a_disk_is_always_ready) {
  recorder seen;
  smarm::run([&] {
    const int fd = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    auto [tx, rx] = smarm::channel<int>();
    seen.note(std::to_string(smarm::select(rx, readable(fd))));
    (void)tx.send(1);
    seen.note(std::to_string(smarm::select(rx, readable(fd))));
    ::close(fd);
  });
  CHECK_LIST(seen.all(), {"1", "0"});
}

BOOST_AUTO_TEST_CASE(one_that_is_closed_meanwhile_is_ready_and_the_read_says_why) {
  const boost::system::error_code bad(EBADF, boost::system::system_category());
  recorder seen;
  smarm::run([&] {
    int ends[2];
    (void)!::pipe2(ends, O_NONBLOCK | O_CLOEXEC);
    auto [tx, rx] = smarm::channel<int>();
    auto h = waiting([&, &rx = rx] {
      seen.note(std::to_string(smarm::select(rx, readable(ends[0]))));
      char c = 0;
      const auto got = smarm::read(ends[0], &c, 1);
      seen.note(got ? "read" : got.error().message());
    });
    (void)smarm::close(ends[0]);
    (void)h.join();
    ::close(ends[1]);
    (void)tx;
  });
  CHECK_LIST(seen.all(), {"1", bad.message()});
}

BOOST_AUTO_TEST_CASE(a_selector_takes_descriptors) {
  recorder seen;
  smarm::run([&] {
    const test_pipe pipe;
    auto [tx, rx] = smarm::channel<int>();
    auto arm = readable(pipe.out());
    smarm::selector all(rx, arm);
    for (int i = 0; i < 3; ++i) {
      pipe.put('a');
      seen.note(std::to_string(all.wait()));
      seen.note(pipe.take());
      (void)tx.send(i);
      seen.note(std::to_string(all.wait()));
      seen.note("message " + std::to_string(rx.try_recv().value()));
    }
  });
  CHECK_LIST(seen.all(), {"1", "a", "0", "message 0", "1", "a", "0", "message 1", "1", "a", "0",
                          "message 2"});
}

BOOST_AUTO_TEST_CASE(a_plain_thread_is_told_that_it_cannot) {
  const test_pipe pipe;
  BOOST_TEST(contains(refusal([&] { (void)smarm::select(readable(pipe.out())); },
                              errc::not_in_actor),
                      "arm 0"));
  pipe.put('x');
  BOOST_TEST(smarm::select(readable(pipe.out())) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
