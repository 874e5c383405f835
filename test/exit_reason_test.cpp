// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Exit reasons: what is clean, what is kept of a failure, and how it reads.

#include <smarm/exit_reason.hpp>

#define BOOST_TEST_MODULE exit_reason
#include <boost/test/unit_test.hpp>

#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

using smarm::exit_kind;
using smarm::exit_reason;

namespace {

template <class Exception>
exit_reason failed_with(Exception exception) {
  return exit_reason::failed(std::make_exception_ptr(std::move(exception)));
}

struct not_an_exception {};

} // namespace

static_assert(sizeof(exit_reason) == 16);
static_assert(std::is_nothrow_copy_constructible_v<exit_reason>);
static_assert(std::is_nothrow_move_assignable_v<exit_reason>);

BOOST_AUTO_TEST_CASE(a_reason_that_was_given_nothing_is_normal) {
  BOOST_TEST(exit_reason() == exit_kind::normal);
  BOOST_TEST((exit_reason().exception() == nullptr));
}

BOOST_AUTO_TEST_CASE(normal_and_shutdown_are_clean_and_nothing_else) {
  BOOST_TEST(exit_reason(exit_kind::normal).is_clean());
  BOOST_TEST(exit_reason(exit_kind::shutdown).is_clean());
  BOOST_TEST(!exit_reason(exit_kind::failed).is_clean());
  BOOST_TEST(!exit_reason(exit_kind::stopped).is_clean());
  BOOST_TEST(!exit_reason(exit_kind::no_process).is_clean());
}

BOOST_AUTO_TEST_CASE(a_failure_keeps_the_exception_it_was_given) {
  const exit_reason reason = failed_with(std::out_of_range("row 7"));
  BOOST_TEST(reason == exit_kind::failed);
  BOOST_CHECK_THROW(std::rethrow_exception(reason.exception()), std::out_of_range);
}

BOOST_AUTO_TEST_CASE(a_failure_says_what_was_thrown) {
  BOOST_TEST(failed_with(std::out_of_range("row 7")).text() == "failed: std::out_of_range: row 7");
  BOOST_TEST(failed_with(std::string("by hand")).text() == "failed: by hand");
  BOOST_TEST(failed_with(static_cast<const char*>("literal")).text() == "failed: literal");
  BOOST_TEST(failed_with(static_cast<const char*>(nullptr)).text() == "failed: null");
  BOOST_TEST(failed_with(not_an_exception()).text().find("not_an_exception") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_failure_that_was_no_exception_is_given_one) {
  const exit_reason reason = exit_reason::failed("stack overflow");
  BOOST_TEST(reason.text() == "failed: stack overflow");
  BOOST_CHECK_EXCEPTION(std::rethrow_exception(reason.exception()), std::runtime_error,
                        [](const auto& e) { return std::string(e.what()) == "stack overflow"; });
}

BOOST_AUTO_TEST_CASE(reasons_are_equal_when_kind_and_exception_object_are) {
  const exit_reason one = failed_with(1);
  const exit_reason other = failed_with(1);
  const exit_reason copy = one;
  BOOST_TEST((one == copy));
  BOOST_TEST((one != other));
  BOOST_TEST((exit_reason(exit_kind::stopped) == exit_reason(exit_kind::stopped)));
  BOOST_TEST((exit_reason(exit_kind::stopped) != exit_reason(exit_kind::shutdown)));
}

BOOST_AUTO_TEST_CASE(every_kind_has_a_name) {
  const auto name = [](exit_kind kind) { return std::string(to_string(kind)); };
  BOOST_TEST(name(exit_kind::normal) == "normal");
  BOOST_TEST(name(exit_kind::failed) == "failed");
  BOOST_TEST(name(exit_kind::stopped) == "stopped");
  BOOST_TEST(name(exit_kind::shutdown) == "shutdown");
  BOOST_TEST(name(exit_kind::no_process) == "no_process");
}

BOOST_AUTO_TEST_CASE(a_reason_prints_as_its_text) {
  std::ostringstream out;
  out << exit_reason(exit_kind::stopped) << ' ' << failed_with(std::string("x"));
  BOOST_TEST(out.str() == "stopped failed: x");
}
