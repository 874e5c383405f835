// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Links: which steps are taken, and in which order, so that each signal comes exactly once or not at
// all. X and Y are two actors, and X/y is the half that X keeps of the link with Y.
//
//   link by Y     puts Y/x there, then attends X and puts X/y there. If X is dead it takes Y/x away
//                 again and, if that was still there, gives itself the signal.
//   unlink by Y   takes Y/x away, then X/y. If Y/x was not there, waits for signals under way to Y.
//   the end of X  takes all of X's halves; for each, takes Y/x away and, if that was there, signals Y.
//
// A link against a death: either attending comes first, then X's end finds X/y, and Y/x, which was put
// there before; or it comes too late, and Y sees that. Whoever of the two takes Y/x away gives the
// signal, so there is one. An unlink against a death: whoever takes Y/x away first has won. If it is
// the death, the signal is given before the unlink returns: that one waits for it, which takes a few
// instructions of a thread that waits for nobody. Two deaths at once: each has its own halves taken out
// first, so at most one of them finds the other's, whose signal then goes to a dead actor, which is
// nothing. A link against an unlink or a second link may leave one half alone: that is no link, the
// next one completes it, and it goes with its actor.

#ifndef SMARM_DETAIL_LINK_STEPS_HPP
#define SMARM_DETAIL_LINK_STEPS_HPP

namespace smarm::detail {

// What each step does to the halves of one actor is a matter of the place, which does it under that
// actor's lock and no other:
//
//   bool put(at, peer)             false: `at` is dead. A half that is there already is enough.
//   bool take(at, peer, pending)   true: it was there. Else says whether signals are under way to `at`.
//   void await_signals(at)         until none is.
//   bool take_to_signal(at, peer)  as take; if it was there, a signal is under way from now on.
//   void signal(at, peer)          gives it, and then it is no longer under way.
template <class Place>
struct link_steps {
  // `from` has ended, which had its half of a link with `to`.
  template <class Id>
  static void signal(Place& place, Id to, Id from) {
    if (place.take_to_signal(to, from)) {
      place.signal(to, from);
    }
  }

  template <class Id>
  static void link(Place& place, Id self, Id other) {
    (void)place.put(self, other); // the caller is alive
    if (!place.put(other, self)) {
      signal(place, self, other);
    }
  }

  template <class Id>
  static void unlink(Place& place, Id self, Id other) {
    bool pending = false;
    while (!place.take(self, other, pending) && pending) {
      place.await_signals(self);
    }
    (void)place.take(other, self, pending);
  }
};

} // namespace smarm::detail

#endif
