// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Room for one pending Asio handler of the library's own, so that starting its operation cannot fail
// for want of memory: Asio takes the memory of an operation from its handler's associated allocator,
// and has given it back by the time it calls the handler.

#ifndef SMARM_LIB_HANDLER_STORAGE_HPP
#define SMARM_LIB_HANDLER_STORAGE_HPP

#include <smarm/detail/config.hpp>

#include <cstddef>
#include <utility>

namespace smarm::detail {

class handler_storage {
public:
  handler_storage() = default;
  handler_storage(const handler_storage&) = delete;
  handler_storage& operator=(const handler_storage&) = delete;

  template <class T>
  class allocator {
  public:
    using value_type = T;

    explicit allocator(handler_storage& from) noexcept : from_(&from) {}
    template <class U>
    allocator(const allocator<U>& other) noexcept : from_(other.from_) {}

    [[nodiscard]] T* allocate([[maybe_unused]] std::size_t n) noexcept {
      static_assert(sizeof(T) <= size && alignof(T) <= alignof(std::max_align_t));
      SMARM_ASSERT(n == 1);
      return reinterpret_cast<T*>(from_->room_);
    }
    void deallocate(T*, std::size_t) noexcept {}

    friend bool operator==(const allocator& a, const allocator& b) noexcept {
      return a.from_ == b.from_;
    }

  private:
    template <class>
    friend class allocator;
    handler_storage* from_;
  };

private:
  static constexpr std::size_t size = 256;
  alignas(std::max_align_t) std::byte room_[size];
};

// A handler whose operation lies in the storage.
template <class Handler>
class stored_handler {
public:
  using allocator_type = handler_storage::allocator<void>;

  stored_handler(handler_storage& in, Handler handler) noexcept
      : in_(&in), handler_(std::move(handler)) {}
  [[nodiscard]] allocator_type get_allocator() const noexcept { return allocator_type(*in_); }
  template <class... Args>
  void operator()(Args&&... args) {
    handler_(std::forward<Args>(args)...);
  }

private:
  handler_storage* in_;
  Handler handler_;
};

} // namespace smarm::detail

#endif
