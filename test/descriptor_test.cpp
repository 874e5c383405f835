// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Waiting for file descriptors: what is ready, who waits, and that every way out of a wait leaves the
// descriptor as it was.

#define BOOST_TEST_MODULE descriptor
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/await.hpp>
#include <smarm/descriptor.hpp>
#include <smarm/stop.hpp>

#include <boost/asio/posix/stream_descriptor.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using error_code = boost::system::error_code;

namespace {

const error_code bad_descriptor(EBADF, boost::system::system_category());

// Two ends, non-blocking, closed in the end.
class ends {
public:
  explicit ends(bool socket = false) {
    int both[2];
    if ((socket ? ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, both)
                : ::pipe2(both, O_NONBLOCK | O_CLOEXEC)) != 0) {
      throw std::system_error(errno, std::system_category()); // actors make them, too
    }
    out = both[0];
    in = both[1];
  }
  ends(ends&& other) noexcept
      : out(std::exchange(other.out, -1)), in(std::exchange(other.in, -1)) {}
  ends& operator=(ends&&) = delete;
  ~ends() {
    close_out();
    close_in();
  }
  void close_out() { close_one(out); }
  void close_in() { close_one(in); }
  void put(char c) const { (void)!::write(in, &c, 1); }
  [[nodiscard]] char take() const {
    char c = '-';
    return ::read(out, &c, 1) == 1 ? c : '-';
  }

  int out, in; // what is written into one comes out of the other

private:
  static void close_one(int& fd) {
    if (fd >= 0) {
      ::close(std::exchange(fd, -1));
    }
  }
};

// Whether an actor can wait for it, and is woken by a byte.
std::string usable(const ends& pipe) {
  std::string seen;
  auto h = waiting([&] {
    const auto ready = smarm::wait_readable(pipe.out);
    seen = ready ? std::string(1, pipe.take()) : ready.error().message();
  });
  pipe.put('u');
  (void)h.join();
  return seen;
}

} // namespace

BOOST_AUTO_TEST_SUITE(descriptor_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(what_is_ready_is_not_waited_for) {
  bool readable = false, writable = false, timed = false, other_ran = false, in_between = true;
  // Of a slice that nobody uses up, so that it is the waits that would let another one run.
  smarm::runtime({.schedulers = 1, .timeslice_cycles = std::uint64_t{1} << 62}).run([&] {
    const ends pipe;
    pipe.put('x');
    auto other = smarm::spawn([&] { other_ran = true; });
    readable = smarm::wait_readable(pipe.out).has_value();
    writable = smarm::wait_writable(pipe.in).has_value();
    timed = smarm::wait_writable_for(pipe.in, 0s).has_value();
    in_between = other_ran;
    (void)other.join();
  });
  BOOST_TEST(readable);
  BOOST_TEST(writable);
  BOOST_TEST(timed);
  BOOST_TEST(!in_between);
  BOOST_TEST(other_ran);
}

BOOST_AUTO_TEST_CASE(a_byte_wakes_the_reader) {
  for (const unsigned schedulers : {1u, 2u}) {
    recorder seen;
    smarm::runtime({.schedulers = schedulers}).run([&] {
      const ends pipe;
      for (int i = 0; i < 20; ++i) {
        seen.note(usable(pipe));
      }
    });
    BOOST_TEST(seen.all() == strings(20, "u"), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(room_wakes_the_writer) {
  std::size_t filled = 0, written = 0;
  smarm::run([&] {
    const ends pipe;
    const std::vector<char> block(4096, 'x');
    for (ssize_t n; (n = ::write(pipe.in, block.data(), block.size())) > 0;) {
      filled += static_cast<std::size_t>(n);
    }
    auto h = waiting([&] {
      written = smarm::write(pipe.in, block.data(), block.size()).value();
    });
    std::vector<char> room(filled);
    (void)!::read(pipe.out, room.data(), room.size());
    (void)h.join();
  });
  BOOST_TEST(filled >= 4096u);
  BOOST_TEST(written == 4096u);
}

BOOST_AUTO_TEST_CASE(read_waits_and_tells_of_the_end) {
  std::string got(8, ' ');
  std::size_t end = 1;
  smarm::run([&] {
    ends pipe;
    auto h = waiting([&] { got.resize(smarm::read(pipe.out, got.data(), got.size()).value()); });
    (void)smarm::write(pipe.in, "abc", 3).value();
    (void)h.join();
    auto last = waiting([&] {
      char c;
      end = smarm::read(pipe.out, &c, 1).value();
    });
    pipe.close_in(); // hangs up
    (void)last.join();
  });
  BOOST_TEST(got == "abc");
  BOOST_TEST(end == 0u);
}

BOOST_AUTO_TEST_CASE(a_peer_that_closed_its_half_is_the_end) {
  std::size_t end = 1;
  bool still_writable = false;
  error_code after;
  smarm::run([&] {
    ends pair(true);
    auto h = waiting([&] {
      char c;
      end = smarm::read(pair.out, &c, 1).value();
    });
    ::shutdown(pair.in, SHUT_WR);
    (void)h.join();
    still_writable = smarm::write(pair.out, "x", 1).has_value();
    pair.close_in();
    after = smarm::write(pair.out, "x", 1).error(); // and no signal
  });
  BOOST_TEST(end == 0u);
  BOOST_TEST(still_writable);
  BOOST_TEST((after == boost::system::errc::broken_pipe));
}

BOOST_AUTO_TEST_CASE(both_directions_have_a_waiter_each) {
  recorder seen;
  smarm::run([&] {
    const ends pair(true);
    std::vector<char> block(4096, 'x');
    while (::write(pair.out, block.data(), block.size()) > 0) {
    }
    auto reader = waiting([&] {
      (void)smarm::wait_readable(pair.out).value();
      seen.note(std::string("read ") + pair.take());
    });
    auto writer = waiting([&] {
      (void)smarm::wait_writable(pair.out).value();
      seen.note("written");
    });
    pair.put('r');
    (void)reader.join();
    seen.note(parked(writer.id()) ? "the other waits" : "the other is gone");
    while (::read(pair.in, block.data(), block.size()) > 0) {
    }
    (void)writer.join();
  });
  CHECK_LIST(seen.all(), {"read r", "the other waits", "written"});
}

BOOST_AUTO_TEST_CASE(the_second_waiter_of_a_direction_is_refused_and_the_first_is_not_disturbed) {
  error_code second;
  char got = ' ';
  smarm::run([&] {
    const ends pipe;
    auto first = waiting([&] {
      (void)smarm::wait_readable(pipe.out).value();
      got = pipe.take();
    });
    second = smarm::wait_readable_for(pipe.out, 1h).error();
    pipe.put('w');
    (void)first.join();
  });
  BOOST_TEST((second == smarm::errc::already_waiting));
  BOOST_TEST(got == 'w');
}

BOOST_AUTO_TEST_CASE(a_deadline_leaves_the_descriptor_usable) {
  error_code late;
  bool early = false;
  std::string after;
  smarm::run([&] {
    const ends pipe;
    const auto begin = std::chrono::steady_clock::now();
    late = smarm::wait_readable_for(pipe.out, 3ms).error();
    early = std::chrono::steady_clock::now() - begin < 3ms;
    after = usable(pipe);
  });
  BOOST_TEST((late == smarm::errc::timed_out));
  BOOST_TEST(!early);
  BOOST_TEST(after == "u");
}

// The deadline has passed, and its timer fired; but before the actor had its turn, there was a byte.
BOOST_AUTO_TEST_CASE(what_is_ready_by_the_time_the_actor_runs_wins_over_the_deadline) {
  error_code late(EINVAL, boost::system::system_category());
  smarm::runtime(quiet(1)).run([&] {
    const ends pipe;
    auto reader = waiting([&] { late = smarm::wait_readable_for(pipe.out, 2ms).error(); });
    bool written = false;
    const auto write_when_it_is_woken = [&] {
      while (parked(reader.id())) {
        smarm::this_actor::yield();
      }
      if (!std::exchange(written, true)) {
        pipe.put('x');
      }
    };
    // Of two, one is in the queue, in front of the reader, when the timer fires.
    auto other = smarm::spawn(write_when_it_is_woken);
    write_when_it_is_woken();
    (void)reader.join();
    (void)other.join();
  });
  BOOST_TEST(!late);
}

BOOST_AUTO_TEST_CASE(a_stopped_waiter_leaves_the_descriptor_usable) {
  recorder seen;
  std::string after;
  smarm::run([&] {
    const ends pipe;
    auto h = waiting([&] {
      const noted_end unwound(seen, "unwound");
      (void)smarm::wait_readable(pipe.out);
      seen.note("never");
    });
    smarm::request_stop(h.id());
    (void)h.join();
    after = usable(pipe);
  });
  CHECK_LIST(seen.all(), {"unwound"});
  BOOST_TEST(after == "u");
}

BOOST_AUTO_TEST_CASE(a_stop_of_one_waiter_leaves_the_other_direction_alone) {
  recorder seen;
  smarm::run([&] {
    const ends pair(true);
    std::vector<char> block(4096, 'x');
    while (::write(pair.out, block.data(), block.size()) > 0) {
    }
    for (const bool reader_is_stopped : {true, false}) {
      auto reader = waiting([&] {
        const noted_end over(seen, "reader gone");
        (void)smarm::wait_readable(pair.out).value();
        seen.note("readable");
      });
      auto writer = waiting([&] {
        const noted_end over(seen, "writer gone");
        (void)smarm::wait_writable(pair.out).value();
        seen.note("writable");
      });
      auto& stopped = reader_is_stopped ? reader : writer;
      auto& other = reader_is_stopped ? writer : reader;
      smarm::request_stop(stopped.id());
      (void)stopped.join();
      seen.note(parked(other.id()) ? "the other waits" : "the other is gone");
      if (reader_is_stopped) {
        while (::read(pair.in, block.data(), block.size()) > 0) {
        }
      } else {
        pair.put('r');
      }
      (void)other.join();
      while (::write(pair.out, block.data(), block.size()) > 0) {
      }
    }
  });
  CHECK_LIST(seen.all(), {"reader gone", "the other waits", "writable", "writer gone",
                          "writer gone", "the other waits", "readable", "reader gone"});
}

BOOST_AUTO_TEST_CASE(a_shutdown_ends_a_hundred_who_wait_for_silent_sockets) {
  recorder seen;
  std::size_t shut_down = 0;
  smarm::runtime rt({.schedulers = 2});
  rt.start();
  std::vector<ends> pairs;
  std::vector<smarm::join_handle> all;
  for (int i = 0; i < 50; ++i) {
    pairs.emplace_back(true);
    for (const int fd : {pairs.back().out, pairs.back().in}) {
      all.push_back(rt.handle().spawn([&seen, fd] {
        const noted_end unwound(seen, "unwound");
        (void)smarm::wait_readable(fd);
        seen.note("never");
      }));
    }
  }
  const auto state = smarm::detail::runtime_access::state(rt.handle()).lock();
  for (const auto& h : all) {
    wait_until([&] { return parked(*state, h.id()); });
  }
  BOOST_TEST(rt.shutdown(1h).empty());
  for (auto& h : all) {
    shut_down += h.join().kind() == smarm::exit_kind::shutdown;
  }
  BOOST_TEST(shut_down == 100u);
  BOOST_TEST(seen.all() == strings(100, "unwound"), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_run_ends_though_a_stopped_waiter_was_never_woken) {
  smarm::runtime rt({.schedulers = 2});
  const ends pipe;
  rt.run([&] {
    auto h = waiting([&] { (void)smarm::wait_readable(pipe.out); });
    smarm::request_stop(h.id());
    (void)h.join();
  });
  rt.run([&] { // nor one that the shutdown of the run ends
    waiting([&] { (void)smarm::wait_readable(pipe.out); }).detach();
  });
}

BOOST_AUTO_TEST_CASE(what_is_no_descriptor_is_an_error_and_the_next_wait_is_right) {
  error_code closed, negative, reads, writes;
  std::string after;
  smarm::run([&] {
    int gone = -1;
    {
      const ends pipe;
      gone = pipe.out;
    }
    closed = smarm::wait_readable(gone).error();
    negative = smarm::wait_writable_for(-1, 1h).error();
    char c = 0;
    reads = smarm::read(gone, &c, 1).error();
    writes = smarm::write(-1, &c, 1).error();
    const ends pipe;
    after = usable(pipe);
  });
  BOOST_TEST((closed == bad_descriptor));
  BOOST_TEST((negative == bad_descriptor));
  BOOST_TEST((reads == bad_descriptor));
  BOOST_TEST((writes == bad_descriptor));
  BOOST_TEST(after == "u");
}

BOOST_AUTO_TEST_CASE(a_file_on_a_disk_is_always_ready) {
  bool readable = false;
  std::size_t got = 0;
  smarm::run([&] {
    const int fd = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    readable = smarm::wait_readable(fd).has_value();
    char room[4];
    got = smarm::read(fd, room, sizeof room).value();
    ::close(fd);
  });
  BOOST_TEST(readable);
  BOOST_TEST(got == 4u);
}

BOOST_AUTO_TEST_CASE(closing_wakes_who_waits) {
  error_code reader, writer, again;
  bool closed = false;
  smarm::run([&] {
    ends pair(true);
    std::vector<char> block(4096, 'x');
    while (::write(pair.out, block.data(), block.size()) > 0) {
    }
    auto r = waiting([&] { reader = smarm::wait_readable(pair.out).error(); });
    auto w = waiting([&] { writer = smarm::write(pair.out, "x", 1).error(); });
    const int fd = std::exchange(pair.out, -1);
    closed = smarm::close(fd).has_value();
    (void)r.join();
    (void)w.join();
    again = smarm::close(fd).error();
  });
  BOOST_TEST(closed);
  BOOST_TEST((reader == smarm::errc::closed));
  BOOST_TEST((writer == smarm::errc::closed));
  BOOST_TEST((again == bad_descriptor));
}

// Somebody closes by the system's close while one waits, and the number comes back as another file. Its
// other direction can be waited for, and the stranded waiter can be stopped.
BOOST_AUTO_TEST_CASE(a_number_that_is_used_again_is_another_descriptor) {
  recorder seen;
  smarm::run([&] {
    ends first(true);
    const int number = first.out;
    auto stranded = waiting([&] {
      const noted_end unwound(seen, "stranded");
      (void)smarm::wait_readable(number);
    });
    first.close_out();
    const ends second(true);
    const int again = ::dup2(second.out, number);
    std::vector<char> block(4096, 'x');
    while (::write(again, block.data(), block.size()) > 0) {
    }
    auto writer = waiting([&] {
      (void)smarm::wait_writable(again).value();
      seen.note("writable");
    });
    while (::read(second.in, block.data(), block.size()) > 0) {
    }
    (void)writer.join();
    smarm::request_stop(stranded.id());
    (void)stranded.join();
    auto reader = waiting([&] {
      (void)smarm::wait_readable(again).value();
      char c = ' ';
      (void)!::read(again, &c, 1);
      seen.note(std::string(1, c));
    });
    second.put('n');
    (void)reader.join();
    ::close(again);
  });
  CHECK_LIST(seen.all(), {"writable", "stranded", "n"});
}

BOOST_AUTO_TEST_CASE(a_descriptor_may_be_asios_as_well) {
  std::string after;
  smarm::run([&] {
    ends pipe;
    boost::asio::posix::stream_descriptor asios(smarm::this_actor::get_executor(), pipe.out);
    after = usable(pipe);
    pipe.put('v');
    char c = ' ';
    asios.async_read_some(boost::asio::buffer(&c, 1), smarm::await);
    after += c;
    after += usable(pipe);
    (void)asios.release();
  });
  BOOST_TEST(after == "uvu");
}

BOOST_AUTO_TEST_CASE(plain_threads_block) {
  const ends pipe;
  BOOST_TEST((smarm::wait_readable_for(pipe.out, 1ms).error() == smarm::errc::timed_out));
  BOOST_TEST((smarm::wait_readable(-1).error() == bad_descriptor));
  std::thread writes([&] { pipe.put('t'); });
  char c = ' ';
  BOOST_TEST(smarm::read(pipe.out, &c, 1).value() == 1u);
  writes.join();
  BOOST_TEST(c == 't');
}

BOOST_AUTO_TEST_CASE(in_scheduler_context_nothing_waits) {
  error_code there;
  smarm::run([&] {
    const ends pipe;
    smarm::this_actor::run_on_thread_stack(
        [&] { there = smarm::wait_readable(pipe.out).error(); });
  });
  BOOST_TEST((there == smarm::errc::would_block_scheduler));
}

// Each sees its own bytes and all of them, on several schedulers, with deadlines that race.
BOOST_AUTO_TEST_CASE(many_wait_while_deadlines_race) {
  constexpr int pairs = 16, each = 200;
  std::atomic<int> right{0}, wrong{0};
  smarm::runtime({.schedulers = 3}).run([&] {
    std::vector<ends> pipes;
    for (int p = 0; p < pairs; ++p) {
      pipes.emplace_back();
    }
    std::vector<smarm::join_handle> all;
    for (int p = 0; p < pairs; ++p) {
      all.push_back(smarm::spawn([&, p] {
        for (int i = 0; i < each;) {
          const auto ready =
              smarm::wait_readable_for(pipes[p].out, std::chrono::microseconds(i * 31 % 90));
          if (ready) {
            (pipes[p].take() == static_cast<char>('a' + p) ? right : wrong)++;
            ++i;
          } else if (ready.error() != smarm::errc::timed_out) {
            ++wrong;
            return;
          }
        }
      }));
      all.push_back(smarm::spawn([&, p] {
        for (int i = 0; i < each; ++i) {
          pipes[p].put(static_cast<char>('a' + p));
          if (i % 3 == 0) {
            smarm::this_actor::sleep_for(50us);
          } else {
            smarm::this_actor::yield();
          }
        }
      }));
    }
    join_all(all);
  });
  BOOST_TEST(right == pairs * each);
  BOOST_TEST(wrong == 0);
}

// Numbers come back at once as other connections', on several schedulers, while some are closed under their
// waiters: each waiter sees its own byte, or that it was closed, and nothing else.
BOOST_AUTO_TEST_CASE(numbers_that_come_back_under_load_are_told_apart) {
  constexpr int actors = 6, each = 700;
  std::atomic<int> right{0}, closed{0}, wrong{0};
  smarm::runtime({.schedulers = 3}).run([&] {
    std::vector<smarm::join_handle> all;
    for (int a = 0; a < actors; ++a) {
      all.push_back(smarm::spawn([&, a] {
        for (int i = 0; i < each; ++i) {
          ends pair(true);
          const char mine = static_cast<char>('A' + (a * 7 + i) % 50);
          auto reader = smarm::spawn([&, number = pair.out] {
            char c = 0;
            const auto got = smarm::read(number, &c, 1);
            if (got) {
              (*got == 1 && c == mine ? right : wrong)++;
            } else {
              (got.error() == smarm::errc::closed ? closed : wrong)++;
            }
          });
          for (int turn = i % 4; turn > 0; --turn) {
            smarm::this_actor::yield();
          }
          if (i % 3 == 0) {
            until([&] { return parked(reader.id()); });
            (void)smarm::close(std::exchange(pair.out, -1));
          } else {
            pair.put(mine);
          }
          (void)reader.join();
        }
      }));
    }
    join_all(all);
  });
  BOOST_TEST(wrong == 0);
  BOOST_TEST(right + closed == actors * each);
  BOOST_TEST(closed > 0);
}

BOOST_AUTO_TEST_CASE(ten_thousand_can_be_waited_for) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  const int count = static_cast<int>(std::min<rlim_t>(5000, (limit.rlim_cur - 100) / 2));
  if (count < 5000) {
    BOOST_TEST_MESSAGE("this process may open " << limit.rlim_cur << ": waits for " << 2 * count);
  }
  std::atomic<int> woken{0};
  smarm::runtime({.schedulers = 2, .stack_size = 16 * 1024}).run([&] {
    std::vector<ends> pipes;
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < count; ++i) {
      pipes.emplace_back(true);
    }
    for (const ends& p : pipes) {
      for (const int fd : {p.out, p.in}) {
        all.push_back(smarm::spawn([&woken, fd] { woken += smarm::wait_readable(fd).has_value(); }));
      }
    }
    for (const auto& h : all) {
      until([&] { return parked(h.id()); });
    }
    for (const ends& p : pipes) {
      p.put('x');
      (void)!::write(p.out, "y", 1);
    }
    join_all(all);
  });
  BOOST_TEST(woken == 2 * count);
}

BOOST_AUTO_TEST_SUITE_END()
