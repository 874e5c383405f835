// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The umbrella of what needs Boost.Asio.

#ifndef SMARM_ASIO_HPP
#define SMARM_ASIO_HPP

#include <smarm/accept.hpp>
#include <smarm/async_call.hpp>
#include <smarm/async_join.hpp>
#include <smarm/async_recv.hpp>
#include <smarm/await.hpp>
#include <smarm/executor.hpp>

#endif
