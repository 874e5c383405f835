// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/watchdog.hpp>

#include "no_signals.hpp"
#include "watch.hpp"

#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/timers.hpp>
#include <smarm/error.hpp>
#include <smarm/runtime.hpp>

#include <boost/system/system_error.hpp>

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace smarm {

// The thread's, too, which may be the one that lets the watchdog go: then it goes on to its end by itself.
class watchdog::body {
public:
  body(std::weak_ptr<detail::runtime_state> of, const watchdog_options& how)
      : shared_(std::make_shared<shared>(std::move(of), detail::validated(how))) {
    const detail::no_signals until_it_runs; // handlers are to run elsewhere
    thread_ = std::thread([mine = shared_] { mine->serve(); });
  }
  body(const body&) = delete;
  body& operator=(const body&) = delete;
  ~body() {
    shared_->end();
    if (on_its_thread()) {
      thread_.detach();
    } else {
      thread_.join();
    }
  }

  [[nodiscard]] bool on_its_thread() const noexcept {
    return thread_.get_id() == std::this_thread::get_id();
  }

private:
  class shared {
  public:
    shared(std::weak_ptr<detail::runtime_state> of, const watchdog_options& how)
        : of_(std::move(of)), how_(how) {}

    void end() noexcept {
      {
        const std::lock_guard guard(lock_);
        over_ = true;
      }
      changed_.notify_all();
    }

    void serve() {
      ::pthread_setname_np(::pthread_self(), "smarm-watchdog");
      std::unique_ptr<detail::watch> eye;
      std::unique_lock lock(lock_);
      while (!over_) {
        const std::int64_t expected = detail::monotonic_now() + how_.interval.count();
        if (changed_.wait_for(lock, how_.interval, [this] { return over_; })) {
          return;
        }
        const std::int64_t now = detail::monotonic_now();
        const bool late =
            now - expected > std::max<std::int64_t>(how_.interval.count() / 2, 10'000'000);
        lock.unlock();
        look(eye, now, late);
        lock.lock();
      }
    }

  private:
    void look(std::unique_ptr<detail::watch>& eye, std::int64_t now, bool late) noexcept {
      const auto runtime = of_.lock();
      if (runtime == nullptr) {
        return;
      }
      try {
        if (eye == nullptr) {
          eye = std::make_unique<detail::watch>(how_, runtime->schedulers.size());
        }
        eye->look(*runtime, now, late);
      } catch (...) { // no memory: it looks again
      }
      if (eye == nullptr) {
        return;
      }
      // The run may end meanwhile, also because a sink sees to that.
      for (report& found : eye->take_reports()) {
        if (is_over()) {
          return;
        }
        runtime->tell(std::move(found));
      }
    }

    [[nodiscard]] bool is_over() noexcept {
      const std::lock_guard guard(lock_);
      return over_;
    }

    const std::weak_ptr<detail::runtime_state> of_;
    const watchdog_options how_;
    std::mutex lock_;
    std::condition_variable changed_;
    bool over_ = false; // under the lock
  };

  const std::shared_ptr<shared> shared_;
  std::thread thread_;
};

watchdog::watchdog(const runtime_handle& of, const watchdog_options& how)
    : body_(std::make_unique<body>(detail::runtime_access::state(of), how)) {}

bool watchdog::on_its_thread() const noexcept { return body_ != nullptr && body_->on_its_thread(); }

watchdog::~watchdog() = default;
watchdog::watchdog(watchdog&&) noexcept = default;
watchdog& watchdog::operator=(watchdog&&) noexcept = default;

namespace detail {

std::shared_ptr<void> make_watchdog(const std::shared_ptr<runtime_state>& of) {
  return std::make_shared<watchdog>(runtime_access::handle(of), *of->settings.watchdog);
}

bool on_thread_of(const std::shared_ptr<void>& dog) noexcept {
  return dog != nullptr && static_cast<const watchdog*>(dog.get())->on_its_thread();
}

} // namespace detail

} // namespace smarm
