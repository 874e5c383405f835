// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/parked_stack.hpp>

#include <smarm/detail/slot.hpp>
#include <smarm/detail/wake.hpp>

#include <boost/core/demangle.hpp>

#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <sstream>

namespace smarm::detail {

// ---- Holding -----------------------------------------------------------------------------------

held_actor::held_actor(slot& s) noexcept : slot_(s), held_(s.word.hold(was_)) {
  if (held_) {
    s.held_as.store(was_.state, std::memory_order_release);
  }
}

held_actor::~held_actor() {
  if (!held_) {
    return;
  }
  slot_.held_as.store(slot_state::running, std::memory_order_release);
  // As a scheduler publishes a park; whoever woke or stopped the actor meanwhile left that to us.
  slot_word& word = slot_.word;
  const stop_word& stop = slot_.stop;
  bool goes_on = false;
  switch (was_.state) {
  case slot_state::parked:
    goes_on = !word.park(false) || stop.after_park(was_.generation, word);
    break;
  case slot_state::parked_unless_urgent:
    goes_on = !word.park_unless_urgent() || stop.after_park_unless_urgent(was_.generation, word);
    break;
  default: goes_on = !word.park(true); break;
  }
  if (goes_on) {
    make_ready(slot_);
  }
}

// ---- Walking -----------------------------------------------------------------------------------

namespace {

constexpr int frames_at_most = 128;

#if defined(__x86_64__) && !defined(__ILP32__)

// Where the frames begin: the registers that a function saves for its caller, as they will be when
// the context is resumed. The assembler below knows the order.
struct start_of_frames {
  std::uint64_t rbx, rbp, r12, r13, r14, r15, rip, cfa;
};

#define SMARM_CAN_WALK 1

// Calls backtrace(), and is described to the unwinder as having been called from where `start` says:
// each register is to be found there, by an expression on %rbx (register 3, so DW_OP_breg3 is 0x73).
asm(R"(
    .text
    .p2align 4
    .globl smarm_walk_from
    .hidden smarm_walk_from
    .type smarm_walk_from, @function
smarm_walk_from:
    .cfi_startproc
    endbr64
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rbx, 0
    movq %rdi, %rbx
    movq %rsi, %rdi
    movl %edx, %esi
    .cfi_remember_state
    .cfi_escape 0x0f, 3, 0x73, 56, 0x06 # CFA: what is at 56
    .cfi_escape 0x10, 3, 2, 0x73, 0     # rbx
    .cfi_escape 0x10, 6, 2, 0x73, 8     # rbp
    .cfi_escape 0x10, 12, 2, 0x73, 16   # r12
    .cfi_escape 0x10, 13, 2, 0x73, 24   # r13
    .cfi_escape 0x10, 14, 2, 0x73, 32   # r14
    .cfi_escape 0x10, 15, 2, 0x73, 40   # r15
    .cfi_escape 0x10, 16, 2, 0x73, 48   # the return address
    call backtrace@PLT
    .cfi_restore_state
    popq %rbx
    .cfi_adjust_cfa_offset -8
    .cfi_restore %rbx
    ret
    .cfi_endproc
    .size smarm_walk_from, . - smarm_walk_from
)");

// What Boost.Context leaves at the saved stack pointer (jump_x86_64_sysv_elf_gas.S): control words,
// 8 bytes for a stack guard, r12 to r15, rbx, rbp, the address to go on at.
start_of_frames start_at(fcontext_t saved) noexcept {
  std::array<std::uint64_t, 9> at;
  std::memcpy(at.data(), saved, sizeof at);
  start_of_frames out{at[6], at[7], at[2], at[3], at[4], at[5], at[8],
                      reinterpret_cast<std::uintptr_t>(saved) + sizeof at};
  // The jump of context.hpp lands below a red zone that it skips first thing: before that the unwinder
  // would take the frame for another size than it is.
  constexpr std::array<unsigned char, 4> landing_pad{0xf3, 0x0f, 0x1e, 0xfa};
  constexpr std::array<unsigned char, 8> skip{0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0};
  const auto* code = reinterpret_cast<const unsigned char*>(out.rip);
  if (std::memcmp(code, landing_pad.data(), landing_pad.size()) == 0) {
    code += landing_pad.size();
  }
  if (std::memcmp(code, skip.data(), skip.size()) == 0) {
    out.rip = reinterpret_cast<std::uintptr_t>(code + skip.size());
    out.cfa += 128;
  }
  return out;
}

#elif defined(__aarch64__)

struct start_of_frames {
  std::array<std::uint64_t, 10> x19_to_x28;
  std::uint64_t fp, pc, cfa;
};

#define SMARM_CAN_WALK 1

// As above, by expressions on x19 (DW_OP_breg19 is 0x83).
asm(R"(
    .text
    .p2align 2
    .globl smarm_walk_from
    .hidden smarm_walk_from
    .type smarm_walk_from, %function
smarm_walk_from:
    .cfi_startproc
    stp x29, x30, [sp, #-32]!
    .cfi_def_cfa_offset 32
    .cfi_offset 29, -32
    .cfi_offset 30, -24
    str x19, [sp, #16]
    .cfi_offset 19, -16
    mov x19, x0
    mov x0, x1
    mov w1, w2
    .cfi_remember_state
    .cfi_escape 0x0f, 4, 0x83, 0xe0, 0, 0x06  // CFA: what is at 96
    .cfi_escape 0x10, 19, 2, 0x83, 0
    .cfi_escape 0x10, 20, 2, 0x83, 8
    .cfi_escape 0x10, 21, 2, 0x83, 16
    .cfi_escape 0x10, 22, 2, 0x83, 24
    .cfi_escape 0x10, 23, 2, 0x83, 32
    .cfi_escape 0x10, 24, 2, 0x83, 40
    .cfi_escape 0x10, 25, 2, 0x83, 48
    .cfi_escape 0x10, 26, 2, 0x83, 56
    .cfi_escape 0x10, 27, 3, 0x83, 0xc0, 0
    .cfi_escape 0x10, 28, 3, 0x83, 0xc8, 0
    .cfi_escape 0x10, 29, 3, 0x83, 0xd0, 0
    .cfi_escape 0x10, 30, 3, 0x83, 0xd8, 0
    bl backtrace
    .cfi_restore_state
    ldr x19, [sp, #16]
    ldp x29, x30, [sp], #32
    .cfi_restore 19
    .cfi_restore 29
    .cfi_restore 30
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc
    .size smarm_walk_from, . - smarm_walk_from
)");

// jump_arm64_aapcs_elf_gas.S: d8 to d15, x19 to x28, the frame pointer, the link register, and the
// address to go on at, in 0xb0 bytes.
start_of_frames start_at(fcontext_t saved) noexcept {
  std::array<std::uint64_t, 22> at;
  std::memcpy(at.data(), saved, sizeof at);
  start_of_frames out;
  std::memcpy(out.x19_to_x28.data(), &at[8], sizeof out.x19_to_x28);
  out.fp = at[18];
  out.pc = at[20];
  out.cfa = reinterpret_cast<std::uintptr_t>(saved) + sizeof at;
  return out;
}

#else
#define SMARM_CAN_WALK 0
#endif

} // namespace

#if SMARM_CAN_WALK
extern "C" int smarm_walk_from(const void* start, void** frames, int most);
#endif

frame_addresses frames_of([[maybe_unused]] fcontext_t saved) {
  frame_addresses out;
#if SMARM_CAN_WALK
  const start_of_frames start = start_at(saved);
  out.resize(frames_at_most);
  const int count = smarm_walk_from(&start, out.data(), frames_at_most);
  out.resize(static_cast<std::size_t>(count));
  if (!out.empty()) {
    out.erase(out.begin()); // smarm_walk_from itself
  }
#endif
  return out;
}

SMARM_NOINLINE frame_addresses frames_here(std::size_t skipped) {
  frame_addresses out(frames_at_most);
  out.resize(static_cast<std::size_t>(::backtrace(out.data(), frames_at_most)));
  const std::size_t own = std::min(skipped + 1, out.size());
  out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(own));
  return out;
}

std::string frame_text(void* address) {
  std::ostringstream text;
  Dl_info about{};
  // A return address: its call is before it, and may be the last of its function.
  const bool known = ::dladdr(static_cast<char*>(address) - 1, &about) != 0;
  const auto distance = [address](const void* from) {
    return static_cast<char*>(address) - static_cast<const char*>(from);
  };
  if (known && about.dli_sname != nullptr) {
    text << boost::core::demangle(about.dli_sname) << " + 0x" << std::hex
         << distance(about.dli_saddr) << ' ';
  }
  if (known && about.dli_fname != nullptr) {
    text << '(' << about.dli_fname << "+0x" << std::hex << distance(about.dli_fbase) << ')';
  } else {
    text << address;
  }
  return std::move(text).str();
}

} // namespace smarm::detail
