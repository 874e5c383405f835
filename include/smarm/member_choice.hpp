// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Which member of a process group is chosen where one is wanted.

#ifndef SMARM_MEMBER_CHOICE_HPP
#define SMARM_MEMBER_CHOICE_HPP

namespace smarm {

enum class member_choice : unsigned char {
  round_robin, // each in turn, whoever asks
  random       // any, each as likely as another
};

} // namespace smarm

#endif
