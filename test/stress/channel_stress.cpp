// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Channels whose ends go while the others use them, and deadlines that come with the messages: every
// message is received, refused or destroyed, exactly once, and nobody waits for ever.

#define BOOST_TEST_MODULE channel_stress
#include <boost/test/unit_test.hpp>

#include <smarm/channel.hpp>
#include <smarm/detail/spin.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace {

using smarm::errc;
using std::chrono::steady_clock;

std::atomic<long> alive{0};

// Not assignable, so that giving it back is the hard way; counts those that hold something.
class parcel {
public:
  explicit parcel(long content) noexcept : content_(content) { ++alive; }
  parcel(parcel&& other) noexcept : content_(std::exchange(other.content_, 0)) {}
  ~parcel() {
    if (content_ != 0) {
      --alive;
    }
  }
  [[nodiscard]] long content() const noexcept { return content_; }

private:
  long content_;
};

struct outcome {
  long sent = 0;
  long refused = 0;
  long lost = 0; // refused, and the value was gone
  long received = 0;
};

using ends = std::pair<smarm::sender<parcel>, smarm::receiver<parcel>>;

ends make_channel(long round) {
  switch (round % 5) {
  case 0: return smarm::channel<parcel>({.capacity = 1});
  case 1: return smarm::channel<parcel>({.capacity = 1, .when_full = smarm::overflow::drop_oldest});
  default: return smarm::channel<parcel>();
  }
}

// One side sends twice and lets go, the other takes what it finds and lets go, both at once, in one
// channel after the other.
class close_against_send {
public:
  explicit close_against_send(std::size_t channels) {
    for (std::size_t i = 0; i < channels; ++i) {
      auto made = make_channel(static_cast<long>(i));
      senders_.push_back(std::move(made.first));
      receivers_.push_back(std::move(made.second));
    }
  }

  void send() {
    for (std::size_t i = 0; i < senders_.size(); ++i) {
      meet(i, sender_at_, receiver_at_);
      const auto tx = std::move(senders_[i]);
      for (long n = 1; n <= 2; ++n) {
        parcel value(n);
        if (tx.send(std::move(value))) {
          ++result.sent;
        } else {
          ++result.refused;
          result.lost += value.content() != n;
        }
      }
    }
  }

  void receive() {
    std::minstd_rand pick(static_cast<unsigned>(receivers_.size()));
    for (std::size_t i = 0; i < receivers_.size(); ++i) {
      meet(i, receiver_at_, sender_at_);
      auto rx = std::move(receivers_[i]);
      switch (pick() % 4) {
      case 0: break;
      case 1: result.received += rx.try_recv().has_value(); break;
      case 2: result.received += rx.recv().has_value(); break;
      case 3: // to the end
        while (rx.recv()) {
          ++result.received;
        }
      }
    }
  }

  outcome result; // each side writes its own part

private:
  // Both come to the same channel at about the same time.
  static void meet(std::size_t i, std::atomic<std::size_t>& mine,
                   const std::atomic<std::size_t>& other) {
    mine.store(i, std::memory_order_release);
    smarm::detail::spin_until<smarm::detail::std_atomics>(
        [&] { return other.load(std::memory_order_acquire) + 1 >= i; });
  }

  std::vector<smarm::sender<parcel>> senders_;
  std::vector<smarm::receiver<parcel>> receivers_;
  alignas(128) std::atomic<std::size_t> sender_at_{0};
  alignas(128) std::atomic<std::size_t> receiver_at_{0};
};

constexpr std::size_t rounds_at_once = 2000;

#if SMARM_ASAN || SMARM_TSAN || SMARM_VALGRIND
constexpr int batches = 5;
#else
constexpr int batches = 250; // twice, so that there are a million rounds
#endif

void check(const outcome& all) {
  BOOST_TEST(all.sent + all.refused == 2L * batches * static_cast<long>(rounds_at_once));
  BOOST_TEST(all.lost == 0);
  BOOST_TEST(all.received <= all.sent);
  BOOST_TEST(alive == 0);
}

void add(outcome& all, const outcome& one) {
  all.sent += one.sent;
  all.refused += one.refused;
  all.lost += one.lost;
  all.received += one.received;
}

} // namespace

BOOST_AUTO_TEST_CASE(threads_close_against_send) {
  outcome all;
  for (int batch = 0; batch < batches; ++batch) {
    close_against_send channels(rounds_at_once);
    std::thread sending([&] { channels.send(); });
    channels.receive();
    sending.join();
    add(all, channels.result);
  }
  check(all);
}

BOOST_AUTO_TEST_CASE(actors_close_against_send) {
  outcome all;
  smarm::runtime rt({.schedulers = 2});
  rt.run([&] {
    for (int batch = 0; batch < batches; ++batch) {
      close_against_send channels(rounds_at_once);
      // They spin for each other, so each has a scheduler to itself.
      auto sending = smarm::spawn({.pinned_to = 1}, [&] { channels.send(); });
      auto receiving = smarm::spawn({.pinned_to = 0}, [&] { channels.receive(); });
      (void)receiving.join();
      (void)sending.join();
      add(all, channels.result);
    }
  });
  check(all);
}

BOOST_AUTO_TEST_CASE(deadlines_against_messages) {
  constexpr long messages = 100'000;
  std::atomic<bool> early{false};
  for (const bool bounded : {false, true}) {
    long received = 0;
    long timed_out = 0;
    smarm::runtime rt({.schedulers = 4});
    rt.run([&] {
      auto [tx, rx] = bounded ? smarm::channel<long>({.capacity = 2}) : smarm::channel<long>();
      std::vector<smarm::join_handle> all;
      for (unsigned s = 0; s < 4; ++s) {
        all.push_back(smarm::spawn([s, out = tx] {
          std::minstd_rand pick(s + 1);
          for (long i = 0; i < messages / 4;) {
            i += out.send_for(1, std::chrono::nanoseconds(pick() % 20'000)).has_value();
            if (pick() % 8 == 0) {
              smarm::this_actor::sleep_for(std::chrono::nanoseconds(pick() % 4000));
            }
          }
        }));
      }
      tx = {};
      std::minstd_rand pick(9);
      for (long round = 0;; ++round) {
        const auto limit = std::chrono::nanoseconds(pick() % 8000);
        const auto got = round % 3 == 0 ? rx.recv_match_for([](long) { return true; }, limit)
                                        : rx.recv_for(limit);
        if (got) {
          ++received;
        } else if (got.error() == errc::closed) {
          break;
        } else {
          ++timed_out;
          if (timed_out % 512 == 0) { // what a sender may have left must not end this
            const auto begin = steady_clock::now();
            smarm::this_actor::sleep_for(std::chrono::microseconds(100));
            early = early || steady_clock::now() - begin < std::chrono::microseconds(100);
          }
        }
      }
      for (auto& h : all) {
        (void)h.join();
      }
    });
    BOOST_TEST(received == messages);
  }
  BOOST_TEST(!early);
}
