// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Where the servers of a partition supervisor are found, each at its number; and where one waits for one
// that is being started anew.

#ifndef SMARM_DETAIL_PARTITION_PLACES_HPP
#define SMARM_DETAIL_PARTITION_PLACES_HPP

#include <smarm/condition_variable.hpp>
#include <smarm/detail/current_ref.hpp>
#include <smarm/error.hpp>
#include <smarm/mutex.hpp>
#include <smarm/server_ref.hpp>
#include <smarm/this_actor.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace smarm::detail {

template <class S>
class partition_places {
public:
  explicit partition_places(std::size_t count) : refs_(count) {}

  [[nodiscard]] std::size_t size() const noexcept { return refs_.size(); }
  [[nodiscard]] server_ref<S> operator[](std::size_t index) const noexcept {
    return refs_[index].get();
  }

  // In the supervisor's actor, which is not to be stopped in the middle of a start. Who waits has the
  // lock for as long as it looks, or has begun to wait: it sees the fresh one, or is notified.
  void set(std::size_t index, server_ref<S> fresh) {
    refs_[index].set(std::move(fresh));
    const disable_stop whole;
    { const std::lock_guard looked(looking_); }
    changed_.notify_all();
  }

  // The server there, as soon as it takes requests.
  template <class Rep, class Period>
  [[nodiscard]] boost::system::result<server_ref<S>>
  wait(std::size_t index, const std::chrono::duration<Rep, Period>& limit) const {
    server_ref<S> now = refs_[index].get();
    if (takes_requests(now)) {
      return now;
    }
    std::unique_lock looking(looking_);
    const bool found = changed_.wait_for(looking, limit, [&] {
      now = refs_[index].get();
      return takes_requests(now);
    });
    return found ? boost::system::result<server_ref<S>>(std::move(now))
                 : make_error_code(errc::timed_out);
  }

private:
  [[nodiscard]] static bool takes_requests(const server_ref<S>& one) noexcept {
    const auto* const core = server_ref_access::core(one);
    return core != nullptr && !core->inbox.closed();
  }

  std::vector<current_ref<server_ref<S>>> refs_;
  mutable mutex looking_;
  mutable condition_variable changed_;
};

} // namespace smarm::detail

#endif
