// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/timer_id.hpp>

#include <smarm/detail/stops_later.hpp>
#include <smarm/detail/timed_delivery.hpp>

namespace smarm {

timer_id::timer_id(const timer_id& other) noexcept : delivery_(other.delivery_) {
  if (delivery_ != nullptr) {
    delivery_->add_share();
  }
}

timer_id::~timer_id() {
  if (delivery_ != nullptr) {
    delivery_->drop_share();
  }
}

bool timer_id::pending() const noexcept {
  return delivery_ != nullptr && !delivery_->state.ended();
}

bool cancel(const timer_id& id) noexcept {
  // The id may lie in what the timer carries, and is not touched any more once that is destroyed.
  detail::timed_delivery* const d = id.delivery_;
  if (d == nullptr) {
    return false;
  }
  switch (d->state.cancel(d->repeats, [d] { return detail::timer_set::disarm(*d); })) {
  case detail::cancellation::none: return false;
  case detail::cancellation::left_to_it: return true;
  case detail::cancellation::ours: break;
  }
  const detail::stops_later masked; // none could leave the destructor of what it carries
  d->finish();
  return true;
}

} // namespace smarm
