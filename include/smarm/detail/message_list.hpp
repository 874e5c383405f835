// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Messages that have one owner: a single one, and a list of them.

#ifndef SMARM_DETAIL_MESSAGE_LIST_HPP
#define SMARM_DETAIL_MESSAGE_LIST_HPP

#include <smarm/detail/message_node.hpp>
#include <smarm/detail/trace.hpp>

#include <boost/system/result.hpp>

#include <typeinfo>
#include <utility>

namespace smarm::detail {

template <class T>
class message_box {
public:
  explicit message_box(message_node<T>& node) noexcept : node_(&node) {}
  message_box(message_box&& other) noexcept : node_(other.release()) {}
  message_box& operator=(message_box&&) = delete;
  ~message_box() {
    if (node_ != nullptr) {
      message_node<T>::destroy(node_);
    }
  }

  [[nodiscard]] T& value() noexcept { return node_->value; }
  [[nodiscard]] message_node<T>* release() noexcept { return std::exchange(node_, nullptr); }

private:
  message_node<T>* node_;
};

// The messages that a selective receive has passed over, or is about to look at. First in, first out; and
// out of the middle.
template <class T>
class message_list {
public:
  using node = message_node<T>;

  message_list() noexcept = default;
  message_list(const message_list&) = delete;
  message_list& operator=(const message_list&) = delete;
  ~message_list() { clear(); }

  [[nodiscard]] node* first() const noexcept { return first_; }

  void append(node& added) noexcept {
    added.set_following(nullptr);
    if (last_ != nullptr) {
      last_->set_following(&added);
    } else {
      first_ = &added;
    }
    last_ = &added;
  }

  // Null stands for the place before the first.
  [[nodiscard]] node* after(const node* position) const noexcept {
    return position != nullptr ? position->following() : first_;
  }

  // There is one. If its move throws, it stays.
  [[nodiscard]] boost::system::result<T> take_after(node* position) {
    node* taken = after(position);
    boost::system::result<T> value(boost::system::in_place_value, std::move(taken->value));
    if (is_tracing()) {
      trace_message(event_kind::receive, taken, typeid(T).name());
    }
    node* next = taken->following();
    (position != nullptr ? position->set_following(next) : void(first_ = next));
    if (last_ == taken) {
      last_ = position;
    }
    node::destroy(taken);
    return value;
  }

  void clear() noexcept {
    while (node* gone = first_) {
      first_ = gone->following();
      if (first_ == nullptr) {
        last_ = nullptr;
      }
      node::destroy(gone);
    }
  }

private:
  node* first_ = nullptr;
  node* last_ = nullptr;
};

} // namespace smarm::detail

#endif
