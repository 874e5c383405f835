// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A function whose frame is larger than a default stack and its guard together.

void use(char* first);

int FRAME() {
  char frame[512 * 1024];
  use(frame);
  return frame[0];
}
