// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A rate limiter: so many permits at once, refilled by a timer. Whoever finds none is answered when
// there is one again, in the order of asking; who has given up by then takes none.
//
// prints: ^4 of 4 granted$

//[rate_limiter_program
#include <smarm.hpp>

#include <chrono>
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
    ++permits_;
    while (!waiting_.empty() && permits_ > 0) {
      if (!waiting_.front().abandoned()) {
        --permits_;
      }
      waiting_.front().reply();
      waiting_.pop_front();
    }
    refilling_ = permits_ < most_;
    if (refilling_) {
      arm_after(each_, refill{});
    }
  }

private:
  const int most_;
  int permits_;
  const std::chrono::nanoseconds each_;
  bool refilling_ = false;
  std::deque<smarm::reply_to<void>> waiting_;
};
//]

int main() {
  smarm::run([] {
    //[rate_limiter_use
    auto limiter = smarm::start_server<rate_limiter>(2, 50ms).value();
    std::vector<smarm::pending_reply<void>> asked;
    for (int i = 0; i < 4; ++i) {
      asked.push_back(limiter.send_request(rate_limiter::acquire{}).value());
    }
    int granted = 0;
    for (auto& one : asked) {
      granted += one.recv().has_value(); // the third and the fourth take a while
    }
    std::cout << granted << " of " << asked.size() << " granted\n";
    //]
  });
}
//]
