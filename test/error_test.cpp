// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The error codes: stable, each with a text and, where there is one, a general condition.

#include <smarm/error.hpp>

#define BOOST_TEST_MODULE error
#include <boost/test/unit_test.hpp>

#include <boost/system/errc.hpp>
#include <boost/system/result.hpp>

#include <set>
#include <string>
#include <system_error>

using smarm::errc;

namespace {

// Every code with the number it must keep for ever.
// clang-format off
constexpr struct {
  errc code;
  int number;
} numbers[] = {
    {errc::too_many_actors, 1},   {errc::too_many_schedulers, 2},    {errc::out_of_stacks, 3},
    {errc::out_of_memory, 4},     {errc::too_many_children, 5},      {errc::out_of_threads, 6},
    {errc::invalid_config, 20},
    {errc::not_supported, 21},    {errc::not_in_actor, 22},          {errc::would_block_scheduler, 23},
    {errc::nested_run, 24},       {errc::calling_self, 25},          {errc::would_deadlock, 26},
    {errc::already_waiting, 27},  {errc::owner_ended, 28},           {errc::count_out_of_range, 29},
    {errc::wrong_state, 30},      {errc::already_answered, 31},       {errc::nested_blocking, 32},
    {errc::no_process, 40},       {errc::unresolved, 41},
    {errc::no_channel, 42},       {errc::no_member, 43},             {errc::name_taken, 44},
    {errc::no_child, 45},         {errc::closed, 60},                {errc::empty, 61},
    {errc::queue_full, 62},       {errc::timed_out, 63},             {errc::expired, 64},
    {errc::dropped, 65},
    {errc::server_down, 80},      {errc::runtime_down, 81},          {errc::start_ignored, 82},
    {errc::start_failed, 83},     {errc::already_started, 84},
    {errc::already_present, 85},  {errc::child_restarting, 86},
};
// clang-format on

std::string text(errc code) { return make_error_code(code).message(); }

} // namespace

BOOST_AUTO_TEST_CASE(every_code_keeps_its_number) {
  for (const auto& [code, number] : numbers) {
    BOOST_TEST(static_cast<int>(code) == number);
  }
}

BOOST_AUTO_TEST_CASE(every_code_has_a_text_of_its_own) {
  std::set<std::string> texts;
  for (const auto& entry : numbers) {
    BOOST_TEST(text(entry.code) != "unknown smarm error");
    texts.insert(text(entry.code));
  }
  BOOST_TEST(texts.size() == std::size(numbers));
}

BOOST_AUTO_TEST_CASE(the_table_has_no_code_that_the_test_does_not_know) {
  std::set<int> known;
  for (const auto& entry : numbers) {
    known.insert(entry.number);
  }
  for (int value = -1; value != 1000; ++value) {
    const bool named = smarm::error_category().message(value) != "unknown smarm error";
    BOOST_TEST(named == known.contains(value), "value " << value);
  }
}

BOOST_AUTO_TEST_CASE(zero_is_success_and_every_code_a_failure) {
  BOOST_TEST(!boost::system::error_code(0, smarm::error_category()).failed());
  for (const auto& entry : numbers) {
    BOOST_TEST(make_error_code(entry.code).failed());
  }
}

BOOST_AUTO_TEST_CASE(the_category_is_named_smarm) {
  BOOST_TEST(std::string(smarm::error_category().name()) == "smarm");
  BOOST_TEST((make_error_code(errc::empty).category() == smarm::error_category()));
}

BOOST_AUTO_TEST_CASE(texts_name_the_remedy) {
  BOOST_TEST(text(errc::out_of_stacks).find("vm.max_map_count") != std::string::npos);
  BOOST_TEST(text(errc::too_many_actors).find("max_actors") != std::string::npos);
  BOOST_TEST(text(errc::would_block_scheduler).find("smarm::blocking") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(codes_match_the_general_condition_where_there_is_one) {
  namespace generic = boost::system::errc;
  BOOST_TEST((make_error_code(errc::timed_out) == generic::timed_out));
  BOOST_TEST((make_error_code(errc::expired) == generic::timed_out));
  BOOST_TEST((make_error_code(errc::no_process) == generic::no_such_process));
  BOOST_TEST((make_error_code(errc::closed) == generic::broken_pipe));
  BOOST_TEST((make_error_code(errc::queue_full) == generic::no_buffer_space));
  BOOST_TEST((make_error_code(errc::calling_self) == generic::resource_deadlock_would_occur));
  BOOST_TEST((make_error_code(errc::timed_out) != generic::broken_pipe));
}

BOOST_AUTO_TEST_CASE(a_code_without_a_general_condition_keeps_its_own) {
  const auto condition = make_error_code(errc::server_down).default_error_condition();
  BOOST_TEST((condition.category() == smarm::error_category()));
  BOOST_TEST(condition.value() == static_cast<int>(errc::server_down));
}

BOOST_AUTO_TEST_CASE(a_code_converts_to_the_standard_one) {
  const std::error_code code = make_error_code(errc::timed_out);
  BOOST_TEST((code == std::errc::timed_out));
  BOOST_TEST(std::string(code.category().name()) == "smarm");
}

BOOST_AUTO_TEST_CASE(a_result_takes_a_code_and_compares_with_it) {
  const boost::system::result<int> nothing = errc::empty;
  BOOST_TEST(nothing.has_error());
  BOOST_TEST((nothing.error() == errc::empty));
  BOOST_CHECK_EXCEPTION((void)nothing.value(), boost::system::system_error,
                        [](const auto& e) { return e.code() == errc::empty; });
}
