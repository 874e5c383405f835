// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What recv_match does to its receiver while it calls the predicate.

#ifndef SMARM_DETAIL_LENT_CHANNEL_HPP
#define SMARM_DETAIL_LENT_CHANNEL_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/channel_core.hpp>

#include <utility>

namespace smarm::detail {

// Has a receiver's channel while predicates run: nothing that they do to the receiver takes the
// channel from under the scan. Gives it back, or lets it go if the receiver has gone or got another.
template <class T>
class lent_channel {
public:
  // `kept` becomes false if the channel was let go in the end.
  lent_channel(receiver<T>& by, bool& kept) noexcept
      : owner_(&by), core_(std::exchange(by.core_, nullptr)), kept_(kept) {
    by.lent_ = this;
  }
  lent_channel(const lent_channel&) = delete;
  lent_channel& operator=(const lent_channel&) = delete;
  ~lent_channel() {
    if (owner_ != nullptr) {
      owner_->lent_ = nullptr;
      if (owner_->core_ == nullptr) {
        owner_->core_ = core_;
        return;
      }
    }
    kept_ = false;
    core_->drop_receiver();
  }

  [[nodiscard]] channel_core<T>& core() const noexcept { return *core_; }
  void owner_is_gone() noexcept { owner_ = nullptr; }

private:
  receiver<T>* owner_; // null: it was destroyed
  channel_core<T>* core_;
  bool& kept_;
};

} // namespace smarm::detail

#endif
