// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A rate limiter: so many permits at once, refilled by a timer. Whoever finds none is answered when
// there is one again, in the order of asking; who has given up by then takes none.
//
// prints: ^at once: 2 of 5$
// prints: ^after a refill: 3, and nobody has given up$
// prints: ^after another one: 4, since one has given up$
// prints: ^in time: 6 of 6$

//[rate_limiter_program
#include <smarm.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <utility>
#include <vector>

using namespace std::chrono_literals;

//[rate_limiter_class
class rate_limiter : public smarm::gen_server<rate_limiter> {
public:
  struct acquire {};
  struct refill {};

  rate_limiter(int at_once, std::chrono::nanoseconds each)
      : most_(at_once), permits_(at_once), each_(each) {}

  void handle_call(acquire, smarm::reply_to<void> caller) {
    if (permits_ > 0) {
      --permits_;
      caller.reply();
    } else {
      waiting_.push_back(std::move(caller)); // answered later
    }
    if (!refilling_) {
      refilling_ = true;
      arm_after(each_, refill{});
    }
  }

  void handle_timer(refill) {
    add_permit();
    refilling_ = permits_ < most_;
    if (refilling_) {
      arm_after(each_, refill{});
    }
  }

  void handle_call(refill) { add_permit(); } // by hand

private:
  void add_permit() {
    permits_ = std::min(permits_ + 1, most_);
    while (!waiting_.empty() && permits_ > 0) {
      if (!waiting_.front().abandoned()) {
        --permits_;
      }
      waiting_.front().reply();
      waiting_.pop_front();
    }
  }

  const int most_;
  int permits_;
  const std::chrono::nanoseconds each_;
  bool refilling_ = false;
  std::deque<smarm::reply_to<void>> waiting_;
};
//]

using replies = std::vector<smarm::pending_reply<void>>;

auto granted(const replies& asked) {
  return std::count_if(asked.begin(), asked.end(), [](const auto& one) { return one.ready(); });
}

int main() {
  bool right = true;
  smarm::run([&right] {
    //[rate_limiter_use
    // An hour each: what happens here is not a matter of time.
    auto limiter = smarm::start_server<rate_limiter>(2, 1h).value();
    replies asked;
    for (int i = 0; i < 5; ++i) {
      asked.push_back(limiter.send_request(rate_limiter::acquire{}).value());
    }
    (void)asked[1].recv().value(); // the first two are answered in the order of asking
    //]
    right = granted(asked) == 2;
    std::cout << "at once: " << granted(asked) << " of 5\n";

    (void)limiter.call(rate_limiter::refill{}).value();
    right &= granted(asked) == 3;
    std::cout << "after a refill: " << granted(asked) << ", and nobody has given up\n";

    asked.erase(asked.begin() + 3); // gives up
    (void)limiter.call(rate_limiter::refill{}).value();
    right &= granted(asked) == 4;
    std::cout << "after another one: " << granted(asked) << ", since one has given up\n";

    auto quick = smarm::start_server<rate_limiter>(2, 1ms).value();
    int in_time = 0;
    for (int i = 0; i < 6; ++i) {
      in_time += quick.call(rate_limiter::acquire{}).has_value();
    }
    right &= in_time == 6;
    std::cout << "in time: " << in_time << " of 6\n";
  });
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
//]
