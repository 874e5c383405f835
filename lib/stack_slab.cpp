// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The system calls behind stacks.

#include "stack_slab.hpp"

#include <smarm/error.hpp>

#include <sys/mman.h>
#include <sys/prctl.h>

#include <bit>
#include <cerrno>
#include <new>

#if SMARM_VALGRIND
#include <valgrind/valgrind.h>
#endif

// There if the program has a leak checker, which otherwise takes what only a parked context points
// to for lost.
extern "C" {
[[gnu::weak]] void __lsan_register_root_region(const void* begin, std::size_t size);
[[gnu::weak]] void __lsan_unregister_root_region(const void* begin, std::size_t size);
}

namespace smarm::detail {
namespace {

#if defined(MADV_GUARD_INSTALL)
constexpr int install_guard = MADV_GUARD_INSTALL;
#else
constexpr int install_guard = 102;
#endif

// Odd strides keep the tops of stacks, and their page table entries, from sharing cache and
// translation sets; colours do the same inside a page.
constexpr std::uint32_t colours = 16;
constexpr std::size_t colour_step = 64;

std::size_t stride_for(const stack_shape& shape) noexcept {
  const std::size_t sum = shape.reserve + shape.guard;
  return sum / page_size() % 2 == 0 ? sum + page_size() : sum;
}

// The errno, 0 if the guard is there.
int put_guard(std::byte* at, std::size_t bytes, guard_choice& guards) noexcept {
  if (guards.used.load(std::memory_order_relaxed) != guard_method::mapping) {
    if (::madvise(at, bytes, install_guard) == 0) {
      if (guards.used.load(std::memory_order_relaxed) == guard_method::automatic) {
        guards.used.store(guard_method::guard_region, std::memory_order_relaxed);
      }
      return 0;
    }
    if (errno != EINVAL || guards.wanted != guard_method::automatic) return errno;
    guards.used.store(guard_method::mapping, std::memory_order_relaxed);
  }
  return ::mprotect(at, bytes, PROT_NONE) == 0 ? 0 : errno;
}

boost::system::error_code refusal(int why) noexcept {
  if (why == ENOMEM || why == EAGAIN) return make_error_code(errc::out_of_stacks);
  return {why, boost::system::system_category()};
}

} // namespace

stack_slab::stack_slab(const stack_shape& shape, std::size_t count, bool pooled)
    : shape_(shape), count_(count), stride_(stride_for(shape)), pooled_(pooled),
      cold_(count), bare_(count) {
#if SMARM_VALGRIND
  valgrind_ids_.resize(count);
#endif
}

boost::system::result<std::unique_ptr<stack_slab>> stack_slab::map(const stack_shape& shape,
                                                                  std::size_t count, bool pooled) {
  std::unique_ptr<stack_slab> slab(new stack_slab(shape, count, pooled));
  const std::size_t below = pooled ? moat : 0;
  const std::size_t bytes = below + count * slab->stride_;
  void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (at == MAP_FAILED) return refusal(errno);
  slab->mapping_ = static_cast<std::byte*>(at);
  slab->mapped_ = bytes;
  slab->first_ = slab->mapping_ + below;
  slab->colour_ = static_cast<std::uint32_t>(
      reinterpret_cast<std::uintptr_t>(slab->first_) / page_size() * 0x9e3779b97f4a7c15u >> 60);
  // A huge page would make every stack as big. Refused where the kernel has none.
  (void)::madvise(at, bytes, MADV_NOHUGEPAGE);
#if defined(PR_SET_VMA) && defined(PR_SET_VMA_ANON_NAME)
  (void)::prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, at, bytes, "smarm stacks");
#endif
  if (below != 0 && ::mprotect(at, below, PROT_NONE) != 0) return refusal(errno);
  slab->record_ = add_guards({slab->first_, count, slab->stride_, shape});
  return slab;
}

void index_set::insert(std::uint32_t index) noexcept {
  const std::size_t word = index / 64;
  bits[word] |= std::uint64_t{1} << index % 64;
  if (count++ == 0 || word < first_word) first_word = word;
}

std::uint32_t index_set::take() noexcept {
  while (bits[first_word] == 0) ++first_word;
  const auto bit = static_cast<std::uint32_t>(std::countr_zero(bits[first_word]));
  bits[first_word] &= bits[first_word] - 1;
  --count;
  return static_cast<std::uint32_t>(first_word * 64) + bit;
}

stack_slab::place stack_slab::take_guarded_place() noexcept { return {cold_.take(), true}; }

stack_slab::place stack_slab::take_new_place() noexcept {
  return {bare_.count != 0 ? bare_.take() : carved_++, false};
}

void stack_slab::give(place back) noexcept { (back.guarded ? cold_ : bare_).insert(back.index); }

boost::system::result<stack*> stack_slab::make(place where, guard_choice& guards) noexcept {
  std::byte* const low = low_of(where.index);
  if (!where.guarded) {
    std::byte* const guard = guard_of(where.index);
    if (int const why = put_guard(guard, static_cast<std::size_t>(low - guard), guards); why != 0) {
      return refusal(why);
    }
    if (__lsan_register_root_region != nullptr) {
      __lsan_register_root_region(low, shape_.reserve);
    }
#if SMARM_VALGRIND
    valgrind_ids_[where.index] = VALGRIND_STACK_REGISTER(low, low + shape_.reserve);
#endif
  }
  const std::size_t colour = (where.index + colour_) % colours * colour_step;
  return ::new (low + shape_.reserve - colour - sizeof(stack))
      stack(*this, where.index, low, pooled_);
}

stack_slab::place stack_slab::drop(stack* of_no_use) noexcept {
  const stack_slab& slab = of_no_use->slab();
  const place where{of_no_use->index(), true};
  (void)::madvise(of_no_use->low(), slab.shape_.reserve, MADV_DONTNEED);
  return where;
}

bool stack_slab::unmap() noexcept {
  if (mapping_ == nullptr) return true;
  if (::munmap(mapping_, mapped_) != 0) {
    for (std::uint32_t i = 0; i < carved_; ++i) {
      (void)::madvise(low_of(i), shape_.reserve, MADV_DONTNEED);
    }
    return false;
  }
  remove_guards(record_);
  for (std::uint32_t i = 0; i < carved_; ++i) {
    if (bare_.contains(i)) continue;
    if (__lsan_unregister_root_region != nullptr) {
      __lsan_unregister_root_region(low_of(i), shape_.reserve);
    }
#if SMARM_VALGRIND
    VALGRIND_STACK_DEREGISTER(valgrind_ids_[i]);
#endif
  }
  mapping_ = nullptr;
  return true;
}

// Where the kernel refuses, the address space stays: it cost nothing but itself by now.
stack_slab::~stack_slab() { (void)unmap(); }

} // namespace smarm::detail
