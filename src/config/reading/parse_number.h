// Numbers as YAML 1.2 and Python write them: 1e-5, 1E-5, 1.0e-5, 1.e-5, +1e-5, .00001, 5.e-6, -3,
// 1_000.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hone::config {

// Whether it is digits after a zero, such as 012, which YAML 1.1 reads as 10 and others as 12.
bool looks_octal(std::string_view text);

// The nearest f64; nothing for anything else, words such as nan and inf included. YAML's .nan and
// .inf (and what is beyond f64) come out as they are: ranges refuse them.
std::optional<double> parse_number(std::string_view text);

// The same where the number is whole and at most 2^53 in size, so that 1e3 is 1000 exactly.
std::optional<std::int64_t> parse_whole(std::string_view text);

// 8GiB, 1.5 GB, 800MiB, 8G (binary), or a bare number of MiB. Nothing for anything else, and for
// amounts beyond 2^53 bytes.
std::optional<std::int64_t> parse_bytes(std::string_view text);

// The shortest text with at most three decimals that parse_bytes reads as exactly these bytes:
// "1.1 GiB", "8 GB", "512 MiB", "1048577 B". `bytes` is at least 0 and at most 2^53.
std::string bytes_text(std::int64_t bytes);

}  // namespace hone::config
