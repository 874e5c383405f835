// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A value that can be reached only with its mutex held, for state that several actors or threads
// share and that is not worth a server.
//
//     smarm::synchronized<std::map<int, std::string>> names;
//     names.with_lock([](auto& map) { map[1] = "one"; });
//     names->clear();

#ifndef SMARM_SYNCHRONIZED_HPP
#define SMARM_SYNCHRONIZED_HPP

#include <smarm/mutex.hpp>

#include <concepts>
#include <functional>
#include <mutex>
#include <type_traits>
#include <utility>

namespace smarm {

// The value, for as long as this lives and holds the mutex. Movable; one user at a time.
template <class T, class Mutex>
class locked_ptr {
public:
  [[nodiscard]] T& operator*() const noexcept { return *value_; }
  [[nodiscard]] T* operator->() const noexcept { return value_; }

  // The lock, for condition_variable::wait, or to be unlocked early.
  [[nodiscard]] std::unique_lock<Mutex>& as_lock() noexcept { return lock_; }
  [[nodiscard]] explicit operator bool() const noexcept { return lock_.owns_lock(); }

private:
  template <class, class>
  friend class synchronized;
  locked_ptr(T& value, std::unique_lock<Mutex> lock) noexcept
      : lock_(std::move(lock)), value_(&value) {}

  std::unique_lock<Mutex> lock_;
  T* value_;
};

// Copying or moving one takes the value, under the other's mutex; the mutex stays where it is.
// Whatever takes the mutex may suspend, is no stop point unless it has a limit, and has the errors
// of mutex::lock.
template <class T, class Mutex = mutex>
class synchronized {
public:
  using value_type = T;
  using mutex_type = Mutex;

  // The value is made of the arguments.
  synchronized() = default;
  template <class... Args>
    requires(sizeof...(Args) > 0 && std::constructible_from<T, Args...> &&
             !(sizeof...(Args) == 1 && (std::same_as<std::decay_t<Args>, synchronized> && ...)))
  explicit(sizeof...(Args) == 1) synchronized(Args&&... args)
      : value_(std::forward<Args>(args)...) {}
  synchronized(const synchronized& other) : value_(other.copy()) {}
  synchronized(synchronized&& other) : value_(other.take()) {}
  synchronized& operator=(const synchronized& other) {
    if (this != &other) {
      *this = other.copy();
    }
    return *this;
  }
  synchronized& operator=(synchronized&& other) {
    if (this != &other) {
      *this = other.take();
    }
    return *this;
  }
  synchronized& operator=(T value) {
    const std::scoped_lock guard(mutex_);
    value_ = std::move(value);
    return *this;
  }

  // Calls f with the value, and returns what it returns, which must not refer to the value: it is
  // somebody else's from then on. f may wait.
  template <std::invocable<T&> F>
  std::invoke_result_t<F, T&> with_lock(F&& f) {
    const std::scoped_lock guard(mutex_);
    return std::invoke(std::forward<F>(f), value_);
  }
  template <std::invocable<const T&> F>
  std::invoke_result_t<F, const T&> with_lock(F&& f) const {
    const std::scoped_lock guard(mutex_);
    return std::invoke(std::forward<F>(f), value_);
  }

  // The value, until what this returns is destroyed.
  [[nodiscard]] locked_ptr<T, Mutex> lock() { return {value_, std::unique_lock(mutex_)}; }
  [[nodiscard]] locked_ptr<const T, Mutex> lock() const {
    return {value_, std::unique_lock(mutex_)};
  }

  // Empty if the mutex is not free. Does not suspend.
  [[nodiscard]] locked_ptr<T, Mutex> try_lock() {
    return {value_, std::unique_lock(mutex_, std::try_to_lock)};
  }
  [[nodiscard]] locked_ptr<const T, Mutex> try_lock() const {
    return {value_, std::unique_lock(mutex_, std::try_to_lock)};
  }

  // For one expression.
  [[nodiscard]] locked_ptr<T, Mutex> operator->() { return lock(); }
  [[nodiscard]] locked_ptr<const T, Mutex> operator->() const { return lock(); }

  // A copy of the value.
  [[nodiscard]] T copy() const {
    const std::scoped_lock guard(mutex_);
    return value_;
  }

  // Exchanges the values.
  void swap(T& other) {
    const std::scoped_lock guard(mutex_);
    using std::swap;
    swap(value_, other);
  }

private:
  T take() {
    const std::scoped_lock guard(mutex_);
    return std::move(value_);
  }

  mutable Mutex mutex_;
  T value_{};
};

template <class T>
synchronized(T) -> synchronized<T>;

} // namespace smarm

#endif
