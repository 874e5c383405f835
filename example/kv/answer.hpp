// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Commands that no partition has to do with: what they are answered with, in Redis's words.

#ifndef KV_ANSWER_HPP
#define KV_ANSWER_HPP

#include "command.hpp"
#include "resp_parser.hpp"
#include "server_context.hpp"
#include "session.hpp"

#include <string>
#include <string_view>

namespace kv {

[[nodiscard]] std::string unknown_command(const arguments& words);
// Of that command, in capitals, or command|subcommand.
[[nodiscard]] std::string wrong_arity(std::string_view name);

// One that has no other effect than on the session. INFO asks the partitions, and waits for them.
void answer(const command& what, const arguments& words, session& client, server_context& server,
            std::string& reply);

// HELLO: empty, and what it says is so from now on; or what is wrong with it, and all is as before.
[[nodiscard]] std::string greet(const arguments& words, session& client);
void write_greeting(const session& client, std::string& reply);

void write_info(const arguments& words, const session& client, server_context& server,
                std::string& reply);

} // namespace kv

#endif
