// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Whether an execution context is there still, for those who will post to it when something comes about
// elsewhere, and who they are. A context that goes lets go of what they hold of it and of the handlers, as
// it does with operations of its own.

#ifndef SMARM_DETAIL_ASYNC_PRESENCE_HPP
#define SMARM_DETAIL_ASYNC_PRESENCE_HPP

#include <boost/asio/execution_context.hpp>

#include <list>
#include <memory>
#include <mutex>

namespace smarm::detail {

class async_presence {
public:
  class guest {
  public:
    // The context goes: nothing of it may be touched when this returns. Under no lock.
    virtual void abandon() noexcept = 0;

  protected:
    ~guest() = default;
  };
  using place = std::list<std::weak_ptr<guest>>::iterator;

  // That of a context. Throws std::bad_alloc.
  [[nodiscard]] static std::shared_ptr<async_presence> of(boost::asio::execution_context& context);

  // Throws std::bad_alloc.
  [[nodiscard]] place enter(std::weak_ptr<guest> who);
  void leave(place where) noexcept;

  // Calls f() unless the context goes or has gone, which waits for that; throws what f throws.
  template <class F>
  void unless_gone(F f) {
    const std::lock_guard guard(lock_);
    if (!gone_) {
      f();
    }
  }

  // By the context that goes.
  void end() noexcept;

private:
  // Taken by guests under locks of their own, never the other way round.
  std::mutex lock_;
  bool gone_ = false;
  std::list<std::weak_ptr<guest>> guests_;
};

} // namespace smarm::detail

#endif
