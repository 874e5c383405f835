// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Records are reused and never freed, so that a handler can walk them at any moment.

#include "guard_map.hpp"

#include <atomic>
#include <mutex>
#include <new>

namespace smarm::detail {

class guard_record {
public:
  // Even: the fields are whole; odd: they are being changed. Written under the mutex: release on
  // the way out pairs with the acquire of find_guard.
  std::atomic<unsigned> version{0};
  // Written between the two changes of version, read between two looks at it.
  std::atomic<const std::byte*> base{nullptr};
  std::atomic<std::size_t> count{0};
  std::atomic<std::size_t> stride{0};
  std::atomic<std::size_t> reserve{0};
  std::atomic<std::size_t> guard{0};
  // Set before the record is linked.
  guard_record* next = nullptr;
  // Under the mutex.
  guard_record* next_free = nullptr;
};

namespace {

// The newest record. Written under the mutex, release; find_guard reads it with acquire.
constinit std::atomic<guard_record*> records{nullptr};
constinit guard_record* free_records = nullptr;
constinit std::mutex mutex;

void write(guard_record& record, const guard_range& range) noexcept {
  const unsigned before = record.version.load(std::memory_order_relaxed);
  record.version.store(before + 1, std::memory_order_relaxed);
  // Release: whoever reads one of these values also reads the odd version after it.
  record.base.store(range.base, std::memory_order_release);
  record.count.store(range.count, std::memory_order_release);
  record.stride.store(range.stride, std::memory_order_release);
  record.reserve.store(range.shape.reserve, std::memory_order_release);
  record.guard.store(range.shape.guard, std::memory_order_release);
  record.version.store(before + 2, std::memory_order_release);
}

} // namespace

guard_record* add_guards(const guard_range& range) noexcept {
  const std::lock_guard lock(mutex);
  guard_record* record = free_records;
  if (record != nullptr) {
    free_records = record->next_free;
    write(*record, range);
    return record;
  }
  record = new (std::nothrow) guard_record;
  if (record == nullptr) return nullptr;
  write(*record, range);
  record->next = records.load(std::memory_order_relaxed);
  records.store(record, std::memory_order_release);
  return record;
}

void remove_guards(guard_record* record) noexcept {
  if (record == nullptr) return;
  const std::lock_guard lock(mutex);
  write(*record, {});
  record->next_free = free_records;
  free_records = record;
}

guard_hit find_guard(const void* address) noexcept {
  const auto* const byte = static_cast<const std::byte*>(address);
  for (guard_record* record = records.load(std::memory_order_acquire); record != nullptr;
       record = record->next) {
    const unsigned version = record->version.load(std::memory_order_acquire);
    const std::byte* const base = record->base.load(std::memory_order_acquire);
    const std::size_t count = record->count.load(std::memory_order_acquire);
    const std::size_t stride = record->stride.load(std::memory_order_acquire);
    const stack_shape shape{record->reserve.load(std::memory_order_acquire),
                            record->guard.load(std::memory_order_acquire)};
    if (version % 2 != 0 || record->version.load(std::memory_order_relaxed) != version) continue;
    if (byte < base || byte >= base + count * stride) continue;
    const auto offset = static_cast<std::size_t>(byte - base);
    const std::size_t guarded = stride - shape.reserve;
    if (offset % stride >= guarded) return {};
    return {base + offset / stride * stride + guarded, shape};
  }
  return {};
}

} // namespace smarm::detail
