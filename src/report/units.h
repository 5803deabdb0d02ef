// Quantities as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace hone::report {

// Binary units, three significant digits from KiB on: "512 B", "1.66 GiB", "23.4 MiB", "138 GiB".
std::string bytes_text(std::uint64_t bytes);

// Thousands separated: "134,515,008", "-1,024".
std::string count_text(std::int64_t count);

// Hours, minutes, seconds, fractions cut off: "0:01:23", "1 day, 2:03:04", "12 days, 0:00:00", as
// Python prints a timedelta. Negative counts as 0; "?" when not finite.
std::string clock_text(double seconds);

// A short time with its unit, three significant digits: "85.2 us", "1.23 ms", "4.5 s", "182 s".
std::string short_time_text(double seconds);

// At most `digits` significant digits and no trailing zeros, as C's %g: "5e-05", "1.234", "0.333".
// "not finite" for what is no number: such a value is never shown as one.
std::string number_text(double value, int digits = 4);

// A rate without unit: "0.45", "8.31", "84.2", "301", "12,345".
std::string rate_text(double per_second);

// A whole multiple of a share: 0.4 -> "40 %"; one decimal below ten: 0.0123 -> "1.2 %".
std::string share_text(double share);

}  // namespace hone::report
