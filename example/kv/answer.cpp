// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "answer.hpp"

#include "config_table.hpp"
#include "number.hpp"
#include "resp_writer.hpp"
#include "set_options.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

namespace kv {

namespace {

std::string unknown_subcommand(std::string_view command, std::string_view name) {
  std::string text = "ERR unknown subcommand '";
  text.append(name.substr(0, 128)).append("'. Try ").append(command).append(" HELP.");
  return text;
}

// As Redis: letters that people can see.
bool is_client_name(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= '!' && c <= '~'; });
}
constexpr const char* bad_client_name =
    "ERR Client names cannot contain spaces, newlines or special characters.";

std::string client_line(const session& c) {
  const auto age =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - c.began);
  std::string text = "id=";
  append_number(text, static_cast<std::int64_t>(c.id));
  text.append(" addr=").append(c.address).append(" laddr=").append(c.own_address);
  text.append(" name=").append(c.name).append(" age=");
  append_number(text, age.count());
  text.append(" db=0 sub=");
  append_number(text, static_cast<std::int64_t>(c.channels));
  text.append(" psub=");
  append_number(text, static_cast<std::int64_t>(c.patterns));
  text.append(" multi=");
  append_number(text, c.queued);
  text.append(" cmd=client|info resp=");
  append_number(text, static_cast<std::int64_t>(c.form));
  return text += '\n';
}

void answer_client(const arguments& words, session& client, std::string& reply) {
  struct subcommand {
    std::string_view name, full;
    std::size_t words;
  };
  static constexpr subcommand known[] = {{"ID", "CLIENT|ID", 2},
                                         {"INFO", "CLIENT|INFO", 2},
                                         {"GETNAME", "CLIENT|GETNAME", 2},
                                         {"SETNAME", "CLIENT|SETNAME", 3}};
  const auto* const found =
      std::find_if(std::begin(known), std::end(known),
                   [&](const subcommand& s) { return is_word(words[1], s.name); });
  if (found == std::end(known)) {
    return write_error(reply, unknown_subcommand("CLIENT", words[1]));
  }
  if (words.size() != found->words) {
    return write_error(reply, wrong_arity(found->full));
  }
  if (found->name == "ID") {
    write_integer(reply, static_cast<std::int64_t>(client.id));
  } else if (found->name == "INFO") {
    write_verbatim(reply, client_line(client), client.form);
  } else if (found->name == "SETNAME") {
    if (!is_client_name(words[2])) {
      return write_error(reply, bad_client_name);
    }
    client.name = words[2];
    write_ok(reply);
  } else if (client.name.empty()) {
    write_null(reply, client.form);
  } else {
    write_bulk(reply, client.name);
  }
}

void answer_config(const arguments& words, const session& client, const server_context& server,
                   std::string& reply) {
  if (!is_word(words[1], "GET")) {
    return write_error(reply, unknown_subcommand("CONFIG", words[1]));
  }
  if (words.size() < 3) {
    return write_error(reply, wrong_arity("CONFIG|GET"));
  }
  const auto found = find_config(server.how, server.port, std::span(words).subspan(2));
  write_map(reply, found.size(), client.form);
  for (const auto& [name, value] : found) {
    write_bulk(reply, name);
    write_bulk(reply, value);
  }
}

void answer_command(const arguments& words, const session& client, std::string& reply) {
  if (words.size() == 1 || is_word(words[1], "LIST")) {
    write_array(reply, 0);
  } else if (is_word(words[1], "COUNT")) {
    words.size() == 2 ? write_integer(reply, static_cast<std::int64_t>(command_count()))
                      : write_error(reply, wrong_arity("COMMAND|COUNT"));
  } else if (is_word(words[1], "DOCS")) {
    write_map(reply, 0, client.form);
  } else if (is_word(words[1], "INFO")) {
    write_array(reply, words.size() - 2);
    for (std::size_t i = 2; i < words.size(); ++i) {
      write_null(reply, client.form);
    }
  } else {
    write_error(reply, unknown_subcommand("COMMAND", words[1]));
  }
}

} // namespace

std::string unknown_command(const arguments& words) {
  std::string text = "ERR unknown command '", given;
  for (std::size_t i = 1; i < words.size() && given.size() < 128; ++i) {
    const std::size_t left = 128 - given.size();
    given.append("'").append(words[i].substr(0, left)).append("' ");
  }
  text.append(words[0].substr(0, 128)).append("', with args beginning with: ").append(given);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\r' || c == '\n'; }, ' ');
  return text;
}

std::string wrong_arity(std::string_view name) {
  std::string text = "ERR wrong number of arguments for '";
  for (const char c : name) {
    text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text.append("' command");
}

void answer(const command& what, const arguments& words, session& client, server_context& server,
            std::string& reply) {
  switch (what.what) {
  case verb::ping:
    if (words.size() > 2) {
      write_error(reply, wrong_arity(what.name));
    } else if (words.size() == 2) {
      write_bulk(reply, words[1]);
    } else {
      write_simple(reply, "PONG");
    }
    break;
  case verb::echo: write_bulk(reply, words[1]); break;
  case verb::select: {
    const auto index = number<int>(words[1]);
    if (index == 0) {
      write_ok(reply);
    } else {
      write_error(reply, index ? "ERR DB index is out of range" : not_an_integer);
    }
    break;
  }
  case verb::command: answer_command(words, client, reply); break;
  case verb::client: answer_client(words, client, reply); break;
  case verb::config: answer_config(words, client, server, reply); break;
  case verb::info: write_info(words, client, server, reply); break;
  default: write_error(reply, unknown_subcommand(what.name, words.size() > 1 ? words[1] : ""));
  }
}

std::string greet(const arguments& words, session& client) {
  std::optional<std::string_view> name;
  protocol form = client.form;
  if (words.size() > 1) {
    const auto version = number<long long>(words[1]);
    if (!version) {
      return "ERR Protocol version is not an integer or out of range";
    }
    if (*version != 2 && *version != 3) {
      return "NOPROTO unsupported protocol version";
    }
    form = static_cast<protocol>(*version);
  }
  for (std::size_t i = 2; i < words.size();) {
    const std::size_t left = words.size() - i - 1;
    if (is_word(words[i], "AUTH") && left >= 2) {
      // There is one user, who needs no password, and so may say any.
      if (words[i + 1] != "default") {
        return "WRONGPASS invalid username-password pair or user is disabled.";
      }
      i += 3;
    } else if (is_word(words[i], "SETNAME") && left >= 1) {
      if (!is_client_name(words[i + 1])) {
        return bad_client_name;
      }
      name = words[i + 1];
      i += 2;
    } else {
      std::string text = "ERR Syntax error in HELLO option '";
      return text.append(words[i]).append("'");
    }
  }
  client.form = form;
  if (name) {
    client.name = *name;
  }
  return {};
}

void write_greeting(const session& client, std::string& reply) {
  write_map(reply, 7, client.form);
  write_bulk(reply, "server");
  write_bulk(reply, "kv");
  write_bulk(reply, "version");
  write_bulk(reply, "1.0.0");
  write_bulk(reply, "proto");
  write_integer(reply, static_cast<std::int64_t>(client.form));
  write_bulk(reply, "id");
  write_integer(reply, static_cast<std::int64_t>(client.id));
  write_bulk(reply, "mode");
  write_bulk(reply, "standalone");
  write_bulk(reply, "role");
  write_bulk(reply, "master");
  write_bulk(reply, "modules");
  write_array(reply, 0);
}

} // namespace kv
