// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "query.hpp"

#include <charconv>
#include <cstdint>
#include <utility>

namespace smarm::observer_http_detail {
namespace {

int digit(char c) noexcept {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

std::string decoded(std::string_view from) {
  std::string out;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] == '+') {
      out += ' ';
    } else if (from[i] != '%') {
      out += from[i];
    } else {
      const int high = i + 2 < from.size() ? digit(from[i + 1]) : -1;
      const int low = i + 2 < from.size() ? digit(from[i + 2]) : -1;
      if (high < 0 || low < 0) {
        throw bad_request("a % is followed by two hexadecimal digits");
      }
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

template <class Number>
bool parse(std::string_view from, Number& to) {
  const auto [end, error] = std::from_chars(from.data(), from.data() + from.size(), to);
  return error == std::errc() && end == from.data() + from.size();
}

} // namespace

query::query(std::string_view target) {
  if (target.empty() || target.front() != '/') {
    throw bad_request("the target of a request is a path");
  }
  const std::size_t mark = target.find('?');
  path_ = decoded(target.substr(0, mark));
  if (mark == std::string_view::npos) {
    return;
  }
  std::string_view rest = target.substr(mark + 1);
  while (!rest.empty()) {
    const std::size_t end = rest.find('&');
    const std::string_view field = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    const std::size_t equals = field.find('=');
    std::string name = decoded(field.substr(0, equals));
    std::string value =
        equals == std::string_view::npos ? std::string() : decoded(field.substr(equals + 1));
    if (!fields_.emplace(std::move(name), std::move(value)).second) {
      throw bad_request("a field is given twice");
    }
  }
}

std::string query::text(const char* name) {
  const auto found = fields_.find(std::string_view(name));
  if (found == fields_.end()) {
    return {};
  }
  std::string value = std::move(found->second);
  fields_.erase(found);
  return value;
}

std::size_t query::number(const char* name, std::size_t otherwise, std::size_t most) {
  const std::string value = text(name);
  std::size_t number = otherwise;
  if (!value.empty() && (!parse(value, number) || number > most)) {
    throw bad_request(std::string(name) + " is a number, not above " + std::to_string(most));
  }
  return number;
}

bool query::flag(const char* name) {
  const std::string value = text(name);
  if (!value.empty() && value != "0" && value != "1") {
    throw bad_request(std::string(name) + " is 0 or 1");
  }
  return value == "1";
}

std::optional<pid> query::actor(const char* name) {
  const std::string value = text(name);
  if (value.empty()) {
    return std::nullopt;
  }
  const std::size_t dot = value.find('.');
  std::uint32_t index = 0, generation = 0;
  if (dot == std::string::npos || !parse(std::string_view(value).substr(0, dot), index) ||
      !parse(std::string_view(value).substr(dot + 1), generation)) {
    throw bad_request(std::string(name) + " is a pid, index.generation");
  }
  return pid(index, generation);
}

void query::done() const {
  if (!fields_.empty()) {
    throw bad_request("unknown field: " + fields_.begin()->first);
  }
}

} // namespace smarm::observer_http_detail
