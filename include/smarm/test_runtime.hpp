// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A runtime for tests: one thread, a clock that moves only when nobody has anything else to do, and an
// order that a seed determines. What takes an hour takes a moment, and what failed once fails again.
//
//     smarm::test_runtime rt({.seed = 7});
//     rt.run([&] {
//       auto shop = smarm::start_server<shop_server>().value();
//       (void)shop.cast(close_in{1h});
//       rt.advance(59min);                        // every timer until then fires at its time
//       check(shop.call(is_open{}).value());
//     });
//
// Time. All of the runtime's actors, timers, deadlines and restart windows go by its clock. It begins at
// the world's steady clock and stands still while any actor can run. When none can, and none waits in
// run_until_idle, it moves to the next deadline at once. Timers go by whole microseconds. Deadlines that
// are points of time are reckoned from now(), not from std::chrono::steady_clock::now(). Other threads,
// those of blocking calls and of other runtimes too, have the world's clock: a deadline that they set here,
// or that is set in another runtime from here, is off by as much as the two clocks are apart.
//
// Order. With a seed that is not 0 it is chance, determined by the seed, which of the ready actors runs
// next; so runs with different seeds try different orders, and one seed always the same. Not determined
// are: when a checkpoint yields by itself, so that is turned off; threads of one's own; blocking calls,
// whose ends are waited for while the clock stands. Input and output take the world's time, and are
// refused: errc::not_supported.
//
// Ends. When no actor can go on, ever, run() does not hang: it stops the root, ends the others, and throws
// errc::would_deadlock with a line for each actor: what it waited for. If they wait where nobody can be
// stopped, as for a lock, the lines go to standard error, and the process is aborted. What other threads
// might bring, those of blocking calls excepted, is not waited for: let a blocking call wait for them.

#ifndef SMARM_TEST_RUNTIME_HPP
#define SMARM_TEST_RUNTIME_HPP

#include <smarm/config.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/runtime.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace smarm {

//[test_options_outline
struct test_options {
  // 0: who was ready first runs first, as it mostly is elsewhere. Else chance decides, determined by this.
  std::uint64_t seed = 0;

  // Keeps what is sent, for messages().
  bool record = false;

  // As for any runtime. Not used: schedulers, timeslice_cycles, poll_cycles, wake_slot, search_time,
  // timer_slack and watchdog.
  config settings = {};
};
//]

class test_runtime {
public:
  // Throws what the constructor of runtime throws.
  explicit test_runtime(test_options how = {});
  test_runtime(const test_runtime&) = delete;
  test_runtime& operator=(const test_runtime&) = delete;
  ~test_runtime();

  // As runtime::run, on the calling thread alone; also again and again, while the clock goes on. Throws
  // also boost::system::system_error: would_deadlock if nobody could go on, unless the body threw; and
  // if `record` is set, what trace::start says.
  template <class Body>
  void run(Body&& body) {
    const whole_run here(*this); // one of the actors may destroy all but this
    runtime_.run([&] {
      here.note_root();
      std::forward<Body>(body)();
    });
    here.check_end();
  }

  // ---- in its actors, one at a time: else boost::system::system_error, not_in_actor, already_waiting

  // Waits until every other actor waits for something, and no timer is due. Suspends. A stop point. An
  // actor that never waits keeps it waiting.
  void run_until_idle();

  // Moves the clock on by that, from one deadline to the next; all are run until idle at each, and at the
  // end. Suspends. A stop point.
  template <class Rep, class Period>
  void advance(const std::chrono::duration<Rep, Period>& by) {
    advance_to(detail::deadline_after(by));
  }

  // ---- from anywhere

  [[nodiscard]] std::chrono::steady_clock::time_point now() const noexcept;

  [[nodiscard]] runtime_handle handle() const noexcept { return runtime_.handle(); }
  [[nodiscard]] runtime_stats stats() const { return runtime_.stats(); }

  // What was sent in the present run, or the last, if `record` is set, and nothing else has been traced
  // since: a line each, in its order, with the time since the run began, and actors' labels:
  // "5 s: <0.1> casts shop: close_in". The newest, if they and the switches between are more than
  // trace::options::events_per_thread.
  // Throws std::bad_alloc.
  [[nodiscard]] std::vector<std::string> messages() const;

private:
  class world;
  // The calling thread's clock and chance are this runtime's meanwhile.
  struct whole_run {
    explicit whole_run(const test_runtime& of);
    whole_run(const whole_run&) = delete;
    whole_run& operator=(const whole_run&) = delete;
    ~whole_run();
    void note_root() const;
    void check_end() const;

    const std::shared_ptr<world> in;
    const bool records;
    void* before;
  };

  void advance_to(std::int64_t target);

  const bool record_;
  runtime runtime_;
  std::shared_ptr<world> world_;
};

} // namespace smarm

#endif
