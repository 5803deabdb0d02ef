// What a person is told about an exception.
#pragma once

#include <exception>
#include <string>

namespace hone::cli {

// The text of the exception that is being handled, with what the doctor knows of it below, without
// "error: " in front.
std::string error_text();

}  // namespace hone::cli
