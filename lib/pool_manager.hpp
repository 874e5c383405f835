// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The server that knows which worker of a pool is idle, and who waits for one. It never waits itself.
//
// A worker of which it hears nothing does not exist for it: each start is told (joined), each end is
// watched. So after a worker's end there is nothing to be done but to forget it.

#ifndef SMARM_LIB_POOL_MANAGER_HPP
#define SMARM_LIB_POOL_MANAGER_HPP

#include <smarm/any_server.hpp>
#include <smarm/child_spec.hpp>
#include <smarm/detail/lent_worker.hpp>
#include <smarm/detail/pool_control.hpp>
#include <smarm/detail/pool_node.hpp>
#include <smarm/down.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/init_result.hpp>
#include <smarm/pid.hpp>
#include <smarm/reply_to.hpp>
#include <smarm/worker_pool.hpp>

#include <boost/system/result.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iosfwd>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace smarm::detail {

struct pool_settings {
  std::size_t size = 0, max_overflow = 0, max_waiting = 0;
  std::chrono::nanoseconds linger{};
  child_spec permanent, overflow;
};

// A request that is the manager's.
class pool_work {
public:
  explicit pool_work(pool_node& node) noexcept : node_(&node) {}
  pool_work(pool_work&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  pool_work& operator=(pool_work&& other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~pool_work() {
    if (node_ != nullptr) {
      node_->resolve(node_, nullptr, request_step::refuse);
    }
  }
  [[nodiscard]] pool_node& node() const noexcept { return *node_; }
  pool_node& release() noexcept { return *std::exchange(node_, nullptr); }

private:
  pool_node* node_; // null: moved from
};

class pool_manager final : public gen_server<pool_manager> {
public:
  using lending = boost::system::result<lent_worker>;

  struct check_out {
    pid borrower; // none: nobody whose end could be heard of
  };
  struct joined {
    any_server worker;
    bool overflow;
  };
  struct returned {
    pid worker;
    std::uint64_t number;
  };
  struct overflow_failed {};
  struct borrower_gone {
    pid who;
  };
  struct statistics {};
  struct linger_over {
    pid worker;
    std::uint64_t number;
  };

  pool_manager(std::shared_ptr<pool_control> control, std::shared_ptr<const pool_settings> settings)
      : control_(std::move(control)), settings_(std::move(settings)) {}

  init_result init();
  void describe(std::ostream& out) const;

  void handle_call(check_out request, reply_to<lending> caller);
  worker_pool_statistics handle_call(statistics) const;
  void handle_cast(pool_work work);
  void handle_cast(joined what);
  void handle_cast(returned what);
  void handle_cast(overflow_failed);
  void handle_cast(borrower_gone what);
  void handle_down(const down& d);
  void handle_timer(linger_over what);

private:
  struct borrowing {
    reply_to<lending> caller;
    pid borrower;
  };
  using request = std::variant<borrowing, pool_work>;

  struct worker {
    any_server ref;
    std::uint64_t number = 0; // of its lendings
    pid borrower;             // none: it is idle, or handles a request
    server_timer linger = server_timer::none;
    bool overflow = false;
    bool busy = false;
  };

  void serve(request r);
  // False: the worker has ended, and the request is as it was. Else the worker is busy with it, or has
  // refused it.
  [[nodiscard]] bool lend(worker& to, request& r);
  void is_idle(worker& w);
  void begin_overflow();
  void release_borrower(worker& w) noexcept;
  [[nodiscard]] worker* find(pid actor) noexcept;
  [[nodiscard]] worker* take_idle() noexcept;
  [[nodiscard]] std::vector<pid>& idle_like(const worker& w) noexcept {
    return idle_[w.overflow ? 1 : 0];
  }
  [[nodiscard]] static bool given_up(const request& r) noexcept;
  static void refuse(request r);

  const std::shared_ptr<pool_control> control_;
  const std::shared_ptr<const pool_settings> settings_;
  any_server me_;
  boost::unordered_flat_map<pid, worker> workers_;
  boost::unordered_flat_map<pid, std::size_t> borrowers_; // how many each has
  // Who was busy last works next, and those that are always there before the others, so that these can
  // go.
  std::vector<pid> idle_[2];
  std::deque<request> waiting_; // empty if anybody is idle
  std::size_t overflow_ = 0;    // that run
  std::size_t starting_ = 0;    // more of them
  worker_pool_statistics counts_;
};

} // namespace smarm::detail

#endif
