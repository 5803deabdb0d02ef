// What chat templates cannot do here: said with the line, and soon.
#include <gtest/gtest.h>

#include "base/error.h"
#include "data/jinja/chat_template.h"
#include "unit/data/tokenizer/tokenizer_fixture.h"

namespace hone::data::jinja {
namespace {

std::string refused(const std::string& source, const Limits& limits = {}) {
  const formats::Value variables = formats::Object{{"l", formats::Array{1, 2}}, {"t", "text"}};
  return refusal([&] { ChatTemplate(source, limits).render(variables); });
}

void expect_found(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(JinjaRefusals, NameTheLineAndWhatIsNotThere) {
  expect_found(refused("\n\n{% include 'x' %}"), "the model's chat template, line 3");
  expect_found(refused("{% include 'x' %}"), "the tag 'include', which is not there");
  expect_found(refused("{% include 'x' %}"), "name a template with template: NAME");
  expect_found(refused("a\n{{ t | urlize }}"), "line 2");
  expect_found(refused("{{ t | urlize }}"), "the filter 'urlize', which is not there");
  expect_found(refused("{{ t is prime }}"), "the test 'prime', which is not there");
  expect_found(refused("{{ t.encode() }}"), "the method 'encode' of a text, which is not there");
  expect_found(refused("{{ lipsum() }}"), "the function 'lipsum', which is not there");
  expect_found(refused("{{ l.append(1) }}"), "append: it changes a list");
  expect_found(refused("{{ t.upper }}"), "the method 'upper' without a call");
  expect_found(refused("{% for i in l recursive %}{% endfor %}"), "a recursive loop");
  expect_found(refused("{{ t.split(maxsplits=1) }}"), "split: the argument 'maxsplits'");
  expect_found(refused("{{ x.y }}"), "'x' is undefined");
  expect_found(refused("{{ x + 'a' }}"), "'+': 'x' is undefined");
  expect_found(refused("{% set f = range %}{{ f(1) }}"), "a function by another name");
  expect_found(refused("{{ strftime_now('%Q') }}"), "strftime_now: the directive %Q");
  expect_found(refused("{% set t.x = 1 %}"), "'t.x' is set, where 't' is no namespace");
  expect_found(refused("{% if t %}\nx"), "the end, where a tag 'endif' belongs");
  expect_found(refused("{% raw"), "a tag without its end %}");
  expect_found(refused("{{ '\\N{DASH}' }}"), "the escape \\N in a text");
}

TEST(JinjaRefusals, PassOnWhatTheTemplateHasAgainstAConversation) {
  const std::string text = refused("\n{{ raise_exception('roles take\nturns') }}");
  expect_found(text, "the model's chat template, line 2");
  expect_found(text, "it refuses the conversation: roles take");
  expect_found(text, "change the conversation");
}

TEST(JinjaRefusals, BoundWorkAndMemory) {
  expect_found(refused("{{ 'a' * 999999999999 }}"), "more than 256 MiB of texts and lists");
  expect_found(refused("{{ range(100000000) }}"), "range: more than 100000 numbers");
  expect_found(refused("{% for a in range(9999) %}{% for b in range(9999) %}{{ 1 }}{% endfor %}"
                       "{% endfor %}"),
               "for one text");
  expect_found(refused("{% set n = namespace(x='ab') %}{% for a in range(99) %}"
                       "{% set n.x = n.x ~ n.x %}{% endfor %}"),
               "MiB of texts and lists");
  expect_found(refused("{% set n = namespace(x=[]) %}{% for a in range(999) %}"
                       "{% set n.x = [n.x] %}{% endfor %}{{ n.x }}"),
               "lists nested more than 100 deep");
  expect_found(refused("{% set n = namespace(x=[1]) %}{% for a in range(60) %}"
                       "{% set n.x = [n.x, n.x] %}{% endfor %}{{ n.x == n.x }}"),
               "a list that says more than 256 MiB");
  expect_found(refused("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"),
               "macros that call each other more than 30 deep");
  expect_found(refused("{{ 9223372036854775807 + 1 }}"), "a whole number beyond 64 bits");
  expect_found(refused("{{ (0 - 9223372036854775807 - 1) // -1 }}"), "beyond 64 bits");
  expect_found(refused("{{ 2 ** 999 }}"), "beyond 64 bits");
  expect_found(refused("{{ 99999999999999999999 }}"), "which is not read");
  expect_found(refused("x", {.template_bytes = 0}), "more than a chat template may have (0)");
}

TEST(JinjaRefusals, BoundNesting) {
  const auto repeated = [](const std::string& part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
  };
  constexpr int kMany = 30000;
  const auto deep = [&](const std::string& begin, const std::string& part) {
    return refused("{{ " + begin + repeated(part, kMany) + " }}");
  };
  const std::string brackets = repeated("(", kMany) + "1" + repeated(")", kMany);
  expect_found(refused("{{ " + brackets + " }}"), "more than 100 levels of nesting");
  const std::string lists = repeated("[", kMany) + repeated("]", kMany);
  expect_found(refused("{{ " + lists + " }}"), "more than 100 levels of nesting");
  expect_found(deep("", "not "), "more than 100 levels of nesting");
  expect_found(deep("", "-"), "more than 100 levels of nesting");
  expect_found(refused(repeated("{% if t %}", kMany)), "more than 100 levels of nesting");
  expect_found(deep("1", " + 1"), "parts in each other");
  expect_found(deep("t", "|trim"), "parts in each other");
  expect_found(deep("t", ".x"), "parts in each other");
  expect_found(deep("t", " if t"), "parts in each other");
  expect_found(deep("t", " if t else t"), "more than 100 levels");
  expect_found(refused("{{ t is string is string }}"), "'is' twice");
}

TEST(JinjaRefusals, AnyBeginningOfATemplateIsRenderedOrRefused) {
  const std::string source =
      "{#- c -#}{% set n = namespace(a=[1, 'x\\n']) %}{%- for i in l if i is odd -%}{{ i ~ t[1:] | "
      "upper }}{% else %}{% endfor %}{% macro f(a, b=2) %}{{ a }}{% endmacro %}{{ f(1, b={'a': "
      "2.5e3}) if t == 'text' else -l[0] // 2 }}{% raw %}{{{% endraw %}";
  const formats::Value variables = formats::Object{{"l", formats::Array{1, 2}}, {"t", "text"}};
  int whole = 0;
  for (std::size_t size = 0; size <= source.size(); ++size) {
    for (const char* tail : {"", "}}", "%}", "\xff", "(", "'"}) {
      try {
        ChatTemplate(source.substr(0, size) + tail).render(variables);
        ++whole;
      } catch (const UserError&) {
      }
    }
  }
  EXPECT_GT(whole, 10);
}

}  // namespace
}  // namespace hone::data::jinja
