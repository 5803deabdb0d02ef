// Functions that chat templates call by name.
#include <array>

#include <fmt/format.h>

#include "base/error.h"
#include "data/jinja/call.h"
#include "data/jinja/limits.h"
#include "formats/text_encoding.h"

namespace hone::data::jinja {

namespace {

constexpr std::array<std::string_view, 7> kDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                   "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

// One directive of strftime.
std::string dated(char directive, const std::tm& now, const Call& call) {
  const std::string_view day = kDays[static_cast<std::size_t>(now.tm_wday)];
  const std::string_view month = kMonths[static_cast<std::size_t>(now.tm_mon)];
  constexpr int kFirstYear = 1900;
  switch (directive) {
    case 'd':
      return fmt::format("{:02d}", now.tm_mday);
    case 'm':
      return fmt::format("{:02d}", now.tm_mon + 1);
    case 'Y':
      return fmt::format("{}", now.tm_year + kFirstYear);
    case 'y':
      return fmt::format("{:02d}", now.tm_year % 100);
    case 'b':
      return std::string(month.substr(0, 3));
    case 'B':
      return std::string(month);
    case 'a':
      return std::string(day.substr(0, 3));
    case 'A':
      return std::string(day);
    case 'H':
      return fmt::format("{:02d}", now.tm_hour);
    case 'I':
      return fmt::format("{:02d}", (now.tm_hour + 11) % 12 + 1);
    case 'M':
      return fmt::format("{:02d}", now.tm_min);
    case 'S':
      return fmt::format("{:02d}", now.tm_sec);
    case 'p':
      return now.tm_hour < 12 ? "AM" : "PM";
    case 'j':
      return fmt::format("{:03d}", now.tm_yday + 1);
    case '%':
      return "%";
    default:
      call.refuse(fmt::format("the directive %{}, which is not there", directive));
  }
}

Value now_as_text(const Call& call, const std::tm& now, Store& store) {
  call.allow({"format"});
  const std::string& format = call.text(0, "format");
  std::string text;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      text += format[i];
      continue;
    }
    const bool short_form = format[i + 1] == '-' && i + 2 < format.size();
    std::string part = dated(format[i + (short_form ? 2 : 1)], now, call);
    if (short_form && part.size() > 1 && part[0] == '0') part.erase(0, 1);
    text += part;
    i += short_form ? 2 : 1;
  }
  return store.text(std::move(text), call.line);
}

Value range(const Call& call, Store& store) {
  call.allow({"start", "stop", "step"});
  const std::size_t given = call.arguments.size();
  if (given == 0) call.refuse("no arguments");
  const std::int64_t start = given == 1 ? 0 : call.whole(0, "start", 0);
  const std::int64_t stop = call.whole(given == 1 ? 0 : 1, "stop", 0);
  const std::int64_t step = call.whole(2, "step", 1);
  if (step == 0) call.refuse("steps of 0");
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  for (const std::int64_t number : {start, stop, step}) {
    if (number > kExact || number < -kExact) call.refuse("numbers beyond 2^53");
  }
  const double count =
      (static_cast<double>(stop) - static_cast<double>(start)) / static_cast<double>(step);
  if (count > static_cast<double>(kLongestRange)) {
    call.refuse(fmt::format("more than {} numbers", kLongestRange));
  }
  std::vector<Value> items;
  for (std::int64_t i = 0; static_cast<double>(i) < count; ++i) {
    items.emplace_back(start + i * step);
  }
  return store.list(std::move(items), call.line);
}

Value space_of(const Call& call, Store& store) {
  Value space = store.space(call.line);
  auto& members = space.space().members;
  for (const Value& from : call.arguments) {
    if (!from.is(Value::Kind::dict)) call.refuse("an argument without a name");
    for (const auto& [key, value] : from.dict().items) {
      members.emplace_back(to_text(key), value);
    }
  }
  for (const auto& [name, value] : call.named) members.emplace_back(name, value);
  return space;
}

Value dict_of(const Call& call, Store& store) {
  std::vector<std::pair<Value, Value>> items;
  if (!call.arguments.empty()) {
    call.allow({});
  }
  for (const auto& [name, value] : call.named) items.emplace_back(Value(name), value);
  return store.dict(std::move(items), call.line);
}

}  // namespace

bool is_global(std::string_view name) {
  return name == "raise_exception" || name == "strftime_now" || name == "namespace" ||
         name == "range" || name == "dict";
}

Value call_global(const Call& call, const std::tm& now, Store& store) {
  if (call.name == "strftime_now") return now_as_text(call, now, store);
  if (call.name == "namespace") return space_of(call, store);
  if (call.name == "range") return range(call, store);
  if (call.name == "dict") return dict_of(call, store);
  call.allow({"message"});
  const Value& message = call.need(0, "message");
  throw UserError(
      {fmt::format("the model's chat template, line {}", call.line),
       fmt::format("it refuses the conversation: {}", formats::printable(to_text(message))),
       "change the conversation, or name a template with template: NAME"});
}

}  // namespace hone::data::jinja
