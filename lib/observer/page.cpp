// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "answers.hpp"

namespace smarm::observer_http_detail {
namespace {

// Each file is a raw string, so that no tool is needed to put it here.
constexpr std::string_view html =
#include "page.html.inc"
    ;
constexpr std::string_view style =
#include "page.css.inc"
    ;
constexpr std::string_view script =
#include "page.js.inc"
    ;

void put(std::string& into, std::string_view mark, std::string_view what) {
  into.replace(into.find(mark), mark.size(), what);
}

} // namespace

std::string page() {
  std::string all(html);
  put(all, "@STYLE@", style);
  put(all, "@SCRIPT@", script);
  return all;
}

} // namespace smarm::observer_http_detail
