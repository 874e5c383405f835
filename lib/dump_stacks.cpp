// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/dump_stacks.hpp>

#include "no_signals.hpp"

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/parked_stack.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/runtime_list.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/stack.hpp>
#include <smarm/detail/survey.hpp>
#include <smarm/detail/utf8_text.hpp>
#include <smarm/error.hpp>

#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <mutex>
#include <ostream>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace smarm {
namespace detail {
namespace {

template <class Frames>
void put_frames(std::ostream& out, const Frames& frames) {
  std::size_t number = 0;
  for (const auto& frame : frames) {
    out << "    #" << number++ << ' ';
    if constexpr (std::is_pointer_v<std::decay_t<decltype(frame)>>) {
      out << frame_text(frame);
    } else {
      out << frame;
    }
    out << '\n';
  }
  if (number == 0) {
    out << "    (its stack cannot be seen)\n";
  }
}

void put_name(std::ostream& out, slot& s, std::uint32_t generation) {
  out << "actor " << pid(s.index, generation);
  if (const std::string label = label_of(s); !label.empty()) {
    out << " \"" << printable_text(label) << '"';
  }
}

void put_scheduler(std::ostream& out, runtime_state& runtime, scheduler& s) {
  out << "scheduler " << s.id << ' ';
  if (!s.online.load(std::memory_order_acquire)) {
    out << "has ended\n";
    return;
  }
  slot& current = *s.current.load();
  if (s.is_actor(&current)) {
    out << "runs ";
    put_name(out, current, current.word.snapshot().generation);
    out << '\n';
  } else {
    out << "runs no actor\n";
  }
  if (current_scheduler() == &s) {
    put_frames(out, frames_here());
  } else {
    put_frames(out, runtime.backtrace_on(s));
  }
}

bool is_running(const runtime_state& runtime, const slot& s) noexcept {
  for (const auto& candidate : runtime.schedulers) {
    if (candidate->current == &s) {
      return true;
    }
  }
  return false;
}

void put_actor(std::ostream& out, runtime_state& runtime, slot& s) {
  slot_snapshot word = s.word.snapshot();
  if (s.word.status(word.generation) != slot_status::live || is_running(runtime, s)) {
    return; // it is with its scheduler
  }
  std::string doing;
  frame_addresses frames;
  bool has_stack = false;
  {
    const held_actor held(s);
    if (held) {
      word = held.was();
      doing = wait_text(runtime, s, word.state);
      const fcontext_t saved = s.context;
      const stack* const on = s.stack;
      has_stack = saved != nullptr && on != nullptr;
      if (has_stack) {
        const auto used = static_cast<std::size_t>(on->top() - static_cast<std::byte*>(saved));
        doing += "; " + std::to_string(used) + " of " + std::to_string(on->size()) +
                 " bytes of stack in use";
        frames = frames_of(saved);
      } else {
        doing += "; it needs no stack for that";
      }
    }
  }
  put_name(out, s, word.generation);
  if (doing.empty()) {
    doing = word.state == slot_state::running ? "is ready to run, or in run_on_thread_stack"
                                              : "is ready to run";
  }
  out << ' ' << doing << '\n';
  if (has_stack) {
    put_frames(out, frames);
  }
}

void put_runtime(std::ostream& out, runtime_state& runtime) {
  out << "runtime " << runtime.number_in_process;
  const runtime_state::visit here(runtime);
  if (!here.open()) {
    out << " does not run\n";
    return;
  }
  const runtime_stats counts = runtime.stats();
  out << ": " << counts.schedulers << " schedulers, "
      << static_cast<std::int64_t>(counts.spawned - counts.ended) << " actors\n";
  for (const auto& s : runtime.schedulers) {
    put_scheduler(out, runtime, *s);
  }
  const std::size_t used = runtime.slots.used();
  for (std::uint32_t i = 0; i < used; ++i) {
    put_actor(out, runtime, *runtime.slots.find(i));
  }
}

// ---- By a signal

std::atomic<int> asked_by{-1}; // an eventfd that the handler writes to
// Handlers that may be about to: it is closed when there are none. Seq_cst, as asked_by where it is
// taken away: either the handler finds none there, or it was counted before.
std::atomic<int> handlers{0};

// The counter of the eventfd: below that the signals that came, above it the end.
constexpr std::uint64_t end_of_asking = std::uint64_t{1} << 32;

void add_to_counter(std::uint64_t what) {
  [[maybe_unused]] const auto written =
      ::write(asked_by.load(std::memory_order_relaxed), &what, sizeof what);
}

void ask(int) {
  const int saved = errno;
  handlers.fetch_add(1, std::memory_order_seq_cst);
  if (asked_by.load(std::memory_order_seq_cst) >= 0) {
    add_to_counter(1);
  }
  handlers.fetch_sub(1, std::memory_order_release);
  errno = saved;
}

class signal_dumper {
public:
  // Throws std::system_error.
  signal_dumper(int signal, int to) : signal_(signal), event_(::eventfd(0, EFD_CLOEXEC)) {
    if (event_ < 0) {
      throw std::system_error(errno, std::system_category());
    }
    asked_by.store(event_, std::memory_order_relaxed);
    try {
      {
        const no_signals until_it_runs; // none is to end up there
        thread_ = std::thread([this, to] { serve(to); });
      }
      struct sigaction handler = {};
      handler.sa_handler = &ask;
      handler.sa_flags = SA_RESTART | SA_ONSTACK;
      ::sigemptyset(&handler.sa_mask);
      if (::sigaction(signal, &handler, &before_) != 0) {
        throw std::system_error(errno, std::system_category());
      }
    } catch (...) {
      end();
      throw;
    }
  }
  signal_dumper(const signal_dumper&) = delete;
  signal_dumper& operator=(const signal_dumper&) = delete;
  ~signal_dumper() {
    ::sigaction(signal_, &before_, nullptr);
    end();
  }

private:
  void serve(int to) {
    ::pthread_setname_np(::pthread_self(), "smarm-dump");
    for (;;) {
      std::uint64_t asked = 0;
      if (::read(event_, &asked, sizeof asked) < 0 && errno != EINTR) {
        return;
      }
      try {
        if (asked % end_of_asking != 0) {
          dump_stacks(to);
        }
      } catch (...) { // no memory: there will be no stacks this time
      }
      if (asked >= end_of_asking) {
        return;
      }
    }
  }

  void end() noexcept {
    add_to_counter(end_of_asking);
    if (thread_.joinable()) {
      thread_.join();
    }
    asked_by.store(-1, std::memory_order_seq_cst);
    while (handlers.load(std::memory_order_seq_cst) != 0) {
      std::this_thread::yield();
    }
    ::close(event_);
  }

  const int signal_;
  const int event_;
  struct sigaction before_ = {};
  std::thread thread_;
};

std::unique_ptr<signal_dumper>& present_dumper() {
  static auto& only = *new std::unique_ptr<signal_dumper>;
  return only;
}

} // namespace
} // namespace detail

void dump_stacks(std::ostream& out) {
  std::ostringstream text;
  {
    const detail::quiet_allocation quiet; // under a lock
    const std::lock_guard guard(detail::all_runtimes_lock);
    text << "smarm: the stacks of all actors of process " << ::getpid() << '\n';
    for (auto* r = detail::all_runtimes; r != nullptr; r = r->next_in_process) {
      detail::put_runtime(text, *r);
    }
    text << "smarm: end of the stacks\n";
  }
  out << std::move(text).str() << std::flush;
}

void dump_stacks(int descriptor) {
  std::ostringstream text;
  dump_stacks(text);
  const std::string all = std::move(text).str();
  for (std::size_t done = 0; done < all.size();) {
    const auto written = ::write(descriptor, all.data() + done, all.size() - done);
    if (written < 0 && errno != EINTR) {
      return;
    }
    done += written > 0 ? static_cast<std::size_t>(written) : 0;
  }
}

boost::system::result<void> dump_stacks_on(int signal, int descriptor) {
  auto& present = detail::present_dumper();
  if (present != nullptr) {
    return make_error_code(errc::already_waiting);
  }
  try {
    present = std::make_unique<detail::signal_dumper>(signal, descriptor);
  } catch (const std::system_error& e) {
    return boost::system::error_code(e.code());
  }
  return {};
}

void no_stack_dumps() noexcept { detail::present_dumper().reset(); }

} // namespace smarm
