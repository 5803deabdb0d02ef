// Methods of texts, lists, dictionaries and loops.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "data/jinja/call.h"
#include "data/jinja/limits.h"
#include "data/jinja/text.h"

namespace hone::data::jinja {

namespace {

using Kind = Value::Kind;

constexpr std::array<std::string_view, 25> kTextMethods = {
    "strip",   "lstrip", "rstrip",     "upper",        "lower",        "title",    "capitalize",
    "split",   "rsplit", "splitlines", "replace",      "startswith",   "endswith", "find",
    "rfind",   "count",  "join",       "removeprefix", "removesuffix", "isdigit",  "isalpha",
    "isspace", "index",  "isupper",    "islower"};
constexpr std::array<std::string_view, 4> kDictMethods = {"items", "keys", "values", "get"};
constexpr std::array<std::string_view, 2> kListMethods = {"index", "count"};
constexpr std::array<std::string_view, 2> kLoopMethods = {"cycle", "changed"};

template <class Names>
bool has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Value texts(const std::vector<std::string>& parts, int line, Store& store) {
  std::vector<Value> items;
  for (const std::string& part : parts) items.push_back(store.text(part, line));
  return store.list(std::move(items), line);
}

Value strip(const std::string& self, const Call& call, Store& store, Side side) {
  call.allow({"chars"});
  const Value* chars = call.find(0, "chars");
  const bool given = chars != nullptr && !chars->is(Kind::none);
  const std::string* named = given ? &call.text(0, "chars") : nullptr;
  return store.text(std::string(stripped(self, side, named)), call.line);
}

Value split_from_left(const std::string& self, const Call& call, Store& store) {
  call.allow({"sep", "maxsplit"});
  const Value* separator = call.find(0, "sep");
  const std::int64_t most = call.whole(1, "maxsplit", -1);
  if (separator == nullptr || separator->is(Kind::none)) {
    return texts(split_at_spaces(self, most), call.line, store);
  }
  const std::string& text = call.text(0, "sep");
  if (text.empty()) call.refuse("an empty separator");
  return texts(split(self, text, most), call.line, store);
}

Value split_from_right(const std::string& self, const Call& call, Store& store) {
  call.allow({"sep", "maxsplit"});
  const std::int64_t most = call.whole(1, "maxsplit", -1);
  const std::string& separator = call.text(0, "sep");
  if (separator.empty()) call.refuse("an empty separator");
  std::vector<std::string> parts;
  std::string rest = self;
  while (most < 0 || static_cast<std::int64_t>(parts.size()) < most) {
    const std::size_t at = rest.rfind(separator);
    if (at == std::string::npos) break;
    parts.push_back(rest.substr(at + separator.size()));
    rest.resize(at);
  }
  parts.push_back(rest);
  std::reverse(parts.begin(), parts.end());
  return texts(parts, call.line, store);
}

// startswith and endswith take several texts as a tuple.
bool at_edge(const std::string& self, const Call& call, bool start) {
  call.allow({"prefix"});
  const auto fits = [&](const std::string& edge) {
    if (edge.size() > self.size()) return false;
    return self.compare(start ? 0 : self.size() - edge.size(), edge.size(), edge) == 0;
  };
  const Value& edges = call.need(0, "prefix");
  if (!edges.is(Kind::list)) return fits(call.text(0, "prefix"));
  return std::any_of(edges.list().items.begin(), edges.list().items.end(), [&](const Value& edge) {
    if (!edge.is(Kind::text)) call.refuse("a tuple of other things than texts");
    return fits(edge.text());
  });
}

// The place of a part, in characters; -1 when it is not there.
std::int64_t place_of(const std::string& self, const Call& call, bool last) {
  call.allow({"sub"});
  const std::string& part = call.text(0, "sub");
  const std::size_t at = last ? self.rfind(part) : self.find(part);
  if (at == std::string::npos) {
    if (call.name == "index") call.refuse("the part is not in the text");
    return -1;
  }
  return length(std::string_view(self).substr(0, at));
}

std::int64_t count_of(const std::string& self, const Call& call) {
  call.allow({"sub"});
  const std::string& part = call.text(0, "sub");
  if (part.empty()) return length(self) + 1;
  std::int64_t count = 0;
  for (std::size_t at = self.find(part); at != std::string::npos;
       at = self.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

Value replace(const std::string& self, const Call& call, Store& store) {
  call.allow({"old", "new", "count"});
  const std::string& old = call.text(0, "old");
  const std::string& with = call.text(1, "new");
  const auto copies =
      static_cast<std::int64_t>(old.empty() ? self.size() + 1 : self.size() / old.size());
  store.charge(copies * static_cast<std::int64_t>(with.size()), call.line);
  return store.text(replaced(self, old, with, call.whole(2, "count", -1)), call.line);
}

Value join(const std::string& self, const Call& call, Store& store) {
  call.allow({"iterable"});
  std::string joined;
  bool first = true;
  for (const Value& item : members_of(call.need(0, "iterable"), call.line, store)) {
    if (!item.is(Kind::text)) {
      call.refuse(fmt::format("{} among the texts to join", describe(item.kind())));
    }
    store.charge(static_cast<std::int64_t>(self.size() + item.text().size()), call.line);
    if (!first) joined += self;
    first = false;
    joined += item.text();
  }
  return store.text(std::move(joined), call.line);
}

Value without_edge(const std::string& self, const Call& call, Store& store, bool start) {
  if (!at_edge(self, call, start)) return store.text(self, call.line);
  const std::size_t cut = call.text(0, "prefix").size();
  return store.text(self.substr(start ? cut : 0, self.size() - cut), call.line);
}

// Whether there are characters, and all are of the class.
bool all_are(const std::string& self, bool (*of_class)(std::string_view)) {
  const std::vector<std::string_view> all = characters(self);
  return !all.empty() && std::all_of(all.begin(), all.end(), of_class);
}

// A text without any letter that has two cases is neither.
bool is_in_case(const std::string& self, bool upper_case) {
  return upper(self) != lower(self) && self == (upper_case ? upper(self) : lower(self));
}

Value ask_text(const std::string& self, const Call& call) {
  if (call.name == "startswith") return at_edge(self, call, true);
  if (call.name == "endswith") return at_edge(self, call, false);
  if (call.name == "find" || call.name == "index") return place_of(self, call, false);
  if (call.name == "rfind") return place_of(self, call, true);
  if (call.name == "count") return count_of(self, call);
  call.allow({});
  if (call.name == "isdigit") return all_are(self, is_digit);
  if (call.name == "isalpha") return all_are(self, is_letter);
  if (call.name == "isspace") return all_are(self, is_space);
  return is_in_case(self, call.name == "isupper");
}

Value call_text_method(const std::string& self, const Call& call, Store& store) {
  const std::string_view name = call.name;
  if (name == "strip") return strip(self, call, store, Side::both);
  if (name == "lstrip") return strip(self, call, store, Side::left);
  if (name == "rstrip") return strip(self, call, store, Side::right);
  if (name == "split") return split_from_left(self, call, store);
  if (name == "rsplit") return split_from_right(self, call, store);
  if (name == "replace") return replace(self, call, store);
  if (name == "join") return join(self, call, store);
  if (name == "removeprefix") return without_edge(self, call, store, true);
  if (name == "removesuffix") return without_edge(self, call, store, false);
  using Change = std::string (*)(std::string_view);
  constexpr std::pair<std::string_view, Change> kChanges[] = {
      {"upper", upper}, {"lower", lower}, {"title", titled}, {"capitalize", capitalized}};
  for (const auto& [known, change] : kChanges) {
    if (known != name) continue;
    call.allow({});
    return store.text(change(self), call.line);
  }
  if (name != "splitlines") return ask_text(self, call);
  call.allow({});
  return texts(split_lines(self), call.line, store);
}

Value call_dict_method(const Dict& self, const Call& call, Store& store) {
  if (call.name == "get") {
    call.allow({"key", "default"});
    const Value& key = call.need(0, "key");
    for (const auto& [name, value] : self.items) {
      if (equal(name, key)) return value;
    }
    const Value* usual = call.find(1, "default");
    return usual == nullptr ? Value(None{}) : *usual;
  }
  call.allow({});
  std::vector<Value> items;
  for (const auto& [key, value] : self.items) {
    if (call.name == "keys") {
      items.push_back(key);
    } else if (call.name == "values") {
      items.push_back(value);
    } else {
      items.push_back(store.list({key, value}, call.line, true));
    }
  }
  return store.list(std::move(items), call.line);
}

Value call_list_method(const List& self, const Call& call) {
  call.allow({"value"});
  const Value& wanted = call.need(0, "value");
  const auto found = [&](const Value& item) { return equal(item, wanted); };
  if (call.name == "count") {
    return static_cast<std::int64_t>(std::count_if(self.items.begin(), self.items.end(), found));
  }
  const auto at = std::find_if(self.items.begin(), self.items.end(), found);
  if (at == self.items.end()) call.refuse("the value is not in the list");
  return static_cast<std::int64_t>(at - self.items.begin());
}

Value call_loop_method(Loop& self, const Call& call) {
  if (!call.named.empty()) call.allow({});
  if (call.name == "cycle") {
    if (call.arguments.empty()) call.refuse("nothing to choose from");
    return call.arguments[self.index % call.arguments.size()];
  }
  const bool same =
      self.changed != nullptr && std::equal(self.changed->begin(), self.changed->end(),
                                            call.arguments.begin(), call.arguments.end(), equal);
  self.changed = std::make_shared<const std::vector<Value>>(call.arguments);
  return !same;
}

}  // namespace

bool is_method(const Value& value, std::string_view name) {
  switch (value.kind()) {
    case Kind::text:
      return has(kTextMethods, name);
    case Kind::dict:
      return has(kDictMethods, name);
    case Kind::list:
      return has(kListMethods, name);
    case Kind::loop:
      return has(kLoopMethods, name);
    default:
      return false;
  }
}

Value call_method(const Value& value, const Call& call, Store& store) {
  if (is_method(value, call.name)) {
    // Searching a text costs its length.
    store.charge(value.weight() / 8, call.line);
    switch (value.kind()) {
      case Kind::text:
        return call_text_method(value.text(), call, store);
      case Kind::dict:
        return call_dict_method(value.dict(), call, store);
      case Kind::list:
        return call_list_method(value.list(), call);
      default:
        return call_loop_method(value.loop(), call);
    }
  }
  if (value.is(Kind::undefined)) {
    refuse(call.line, fmt::format("{} is undefined", value.undefined_name()));
  }
  constexpr std::array<std::string_view, 10> kChanging = {
      "append", "extend", "insert",     "remove", "clear",
      "pop",    "update", "setdefault", "sort",   "reverse"};
  if ((value.is(Kind::list) || value.is(Kind::dict)) && has(kChanging, call.name)) {
    call.refuse(
        fmt::format("it changes {}, which chat templates must not", describe(value.kind())));
  }
  refuse(call.line, fmt::format("the method '{}' of {}, which is not there", call.name,
                                describe(value.kind())));
}

}  // namespace hone::data::jinja
