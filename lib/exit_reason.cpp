// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The text forms of an exit reason, and the exception behind a failure that was none.

#include <smarm/exit_reason.hpp>

#include <boost/core/demangle.hpp>

#include <cxxabi.h>

#include <exception>
#include <ostream>
#include <stdexcept>
#include <string>
#include <typeinfo>

namespace smarm {
namespace {

// Stands in for the exception of a failure that was none.
struct reported_failure : std::runtime_error {
  using runtime_error::runtime_error;
};

// Catches what it is given again, since that is the only way to look into an exception_ptr.
std::string describe(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const reported_failure& e) {
    return e.what();
  } catch (const std::exception& e) {
    return boost::core::demangle(typeid(e).name()) + ": " + e.what();
  } catch (const std::string& e) {
    return e;
  } catch (const char* e) {
    return e != nullptr ? e : "null";
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    return type != nullptr ? boost::core::demangle(type->name()) : "unknown exception";
  }
}

} // namespace

exit_reason exit_reason::failed(const std::string& text) {
  return failed(std::make_exception_ptr(reported_failure(text)));
}

std::string exit_reason::text() const {
  std::string result = to_string(kind_);
  if (exception_ != nullptr) {
    result += ": " + describe(exception_);
  }
  return result;
}

std::ostream& operator<<(std::ostream& out, const exit_reason& reason) {
  return out << reason.text();
}

const char* to_string(exit_kind kind) noexcept {
  switch (kind) {
  case exit_kind::normal: return "normal";
  case exit_kind::failed: return "failed";
  case exit_kind::stopped: return "stopped";
  case exit_kind::shutdown: return "shutdown";
  case exit_kind::no_process: return "no_process";
  }
  return "unknown";
}

std::ostream& operator<<(std::ostream& out, exit_kind kind) { return out << to_string(kind); }

} // namespace smarm
