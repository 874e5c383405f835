// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/async_presence.hpp>

#include <cstddef>
#include <utility>

namespace smarm::detail {
namespace {

class presence_service final : public boost::asio::execution_context::service {
public:
  using key_type = presence_service;
  static boost::asio::execution_context::id id;

  explicit presence_service(boost::asio::execution_context& owner)
      : service(owner), presence(std::make_shared<async_presence>()) {}

  const std::shared_ptr<async_presence> presence;

private:
  void shutdown() override { presence->end(); }
};

boost::asio::execution_context::id presence_service::id;

} // namespace

std::shared_ptr<async_presence> async_presence::of(boost::asio::execution_context& context) {
  return boost::asio::use_service<presence_service>(context).presence;
}

async_presence::place async_presence::enter(std::weak_ptr<guest> who) {
  const std::lock_guard guard(lock_);
  return guests_.insert(guests_.end(), std::move(who));
}

void async_presence::leave(place where) noexcept {
  const std::lock_guard guard(lock_);
  guests_.erase(where);
}

void async_presence::end() noexcept {
  std::size_t left = 0;
  {
    const std::lock_guard guard(lock_);
    gone_ = true; // nobody enters any more
    left = guests_.size();
  }
  for (; left > 0; --left) {
    std::shared_ptr<guest> one;
    {
      const std::lock_guard guard(lock_);
      if (guests_.empty()) {
        return; // they leave by themselves, some of them meanwhile
      }
      one = guests_.front().lock();
      guests_.splice(guests_.end(), guests_, guests_.begin());
    }
    if (one != nullptr) {
      one->abandon();
    }
  }
}

} // namespace smarm::detail
