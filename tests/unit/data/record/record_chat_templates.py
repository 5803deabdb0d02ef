"""Records what transformers renders from chat templates.

    pip install torch==2.13.0 transformers==5.6.0 jinja2==3.1.6
    python3 record_chat_templates.py ../data/chat_templates

Writes recorded.json: for each *.jinja beside it and each conversation the text, or "error" where
transformers raises; and the same for the short pieces below.
"""
import datetime
import json
import pathlib
import sys

from transformers.utils import chat_template_utils

CALL = {"role": "assistant", "content": "", "tool_calls": [
    {"id": "abcdefghi", "type": "function", "function": {
        "name": "get_weather", "arguments": {"city": "Tromsø", "days": [1, 2], "exact": True, "none": None}}}]}
TOOL = {"type": "function", "function": {"name": "get_weather", "description": "It's \"the\" <weather> & more",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}}


def say(role, content, **more):
    return {"role": role, "content": content, **more}


TALKS = {
    "one": dict(messages=[say("user", "Hello")], add_generation_prompt=True),
    "turns": dict(messages=[say("system", " Be brief. "), say("user", "  Grüße 世界 🎉\n"), say("assistant", "\n\nHi."),
                            say("user", "More?"), say("assistant", "No.")], add_generation_prompt=False),
    "thinking": dict(messages=[say("user", "Why?"), say("assistant", "<think>\nhm\n</think>\n\nSo."), say("user", "And?"),
                               say("assistant", "<think>\nwell\n</think>\n\nThus.")], add_generation_prompt=True),
    "not_thinking": dict(messages=[say("system", "/no_think Be kind."), say("user", "Hi")], add_generation_prompt=True,
                         enable_thinking=False),
    "tools": dict(messages=[say("user", "Weather?"), CALL, say("tool", "3 °C", tool_call_id="abcdefghi"),
                            say("tool", "dry", tool_call_id="abcdefghi"), say("assistant", "Cold."),
                            say("user", "Thanks")], tools=[TOOL, TOOL], add_generation_prompt=True),
    "system_tools": dict(messages=[say("system", "Help."), say("user", "Weather?")], tools=[TOOL],
                         tools_in_user_message=False, add_generation_prompt=True),
    "twice_user": dict(messages=[say("user", "a"), say("user", "b")], add_generation_prompt=True),
    "parts": dict(messages=[say("user", [{"type": "text", "text": " part "}, {"type": "image"}])],
                  add_generation_prompt=True),
    "none": dict(messages=[], add_generation_prompt=True),
}

VARIABLES = {"a": 5, "b": 2, "f": 1.5, "t": "Hello, World", "u": "naïve Straße ☕ Ωmega", "e": "", "yes": True, "n": None,
             "l": [3, 1, 2, 1], "w": ["b", "A", "c", "a"], "d": {"x": 1, "y": [1, "z"], "items": 7, "k": {"deep": "v"}},
             "p": [{"name": "n1", "v": 2, "on": True}, {"name": "N0", "v": 1, "on": False}, {"name": "n2", "v": 2}],
             "q": "it's \"so\"\\\n\té\u0001\u200b", "s": "  pad\n", "lines": "one\ntwo\n\nthree\n", "m": [[1, 2], [3, 4]]}

PIECES = [
    # white space
    "a\n{% if yes %}\nb\n{% endif %}\nc\n", "a\n  {% if yes %}\n  b\n  {% endif %}\nc\n\n", "  {%- if yes -%}  x  {%- endif -%}  y",
    "x {{- ' a ' -}} y", "x  {{ 1 }}  \n y", "{# c #}\nq", "a {#- c -#} b", "  {# c #}  \n z", "{%+ if yes %}\nz{% endif +%}\nq",
    "a\n  {%+ if yes %}b{%+ endif %}", "{% raw %}\n {{ x }} {% if %}{% endraw %}\nq", "{%- raw -%}  {{ x }}  {%- endraw -%} q",
    "a\r\nb\rc\n\n", "\n{{ 1 }}\n", "\n\n  {% set x = 1 %}  \n\n{{ x }}", "{{ '{{' }}{{ \"%}\" }}", "{{ {'a': {'b': 1}} }}", "",
    # literals
    "{{ 'a\\n\\t\\\\\\'\\\"\\x41\\u00e9\\q' }}", "{{ 'a' 'b' \"c\" }}", "{{ 1_000 }} {{ 1.5e3 }} {{ 2e-7 }} {{ 10 // 3 }}",
    "{{ [1, 'a', none, true, 1.0, (1,), {}] }}", "{{ (1, 2) }} {{ () }} {{ {'a': 1, 'a': 2, 1: 3} }}", "{{ q }} {{ [q] }}",
    "{{ u }} {{ [u] }} {{ n }} {{ yes }} {{ f }} {{ d }}", "{{ 1, 2 }}", "{{ [\"it's\", 'say \"x\"'] }}", "{{ 1e22 }} {{ 1e16 }} {{ 100000.0 }}",
    # operators
    "{{ a + b }} {{ a - b }} {{ a * b }} {{ a / b }} {{ a // b }} {{ a % b }} {{ a ** b }} {{ -a // b }} {{ -a % b }}",
    "{{ 1 + 2 * 3 - 4 / 2 }} {{ 2 ** 3 ** 2 }} {{ -2 ** 2 }} {{ (1 + 2) * 3 }} {{ +a }} {{ - a }}", "{{ f + 1 }} {{ 7 // 2.0 }} {{ -7.5 % 2 }}",
    "{{ t ~ 1 ~ none ~ [1] }} {{ 'ab' * 3 }} {{ [1] + [2] }} {{ 1 + yes }}", "{{ 1 < 2 < 3 }} {{ 1 < 3 > 2 }} {{ 'a' < 'b' }} {{ [1, 2] < [1, 3] }}",
    "{{ 1 == 1.0 }} {{ yes == 1 }} {{ 'a' == 1 }} {{ n == none }} {{ l == [3, 1, 2, 1] }} {{ (1,) == [1] }} {{ x == y }}",
    "{{ 1 in l }} {{ 9 not in l }} {{ 'ell' in t }} {{ 'x' in d }} {{ 'z' in x }}", "{{ not yes }} {{ yes and 0 }} {{ e or 'q' }} {{ n or e }} {{ not x }}",
    "{{ 'y' if yes else 'z' }}{{ 'y' if n }}|{{ 1 if 0 else 2 if 0 else 3 }}", "{{ not a in l }} {{ a == 5 and b != 2 or yes }}",
    "{{ 1 / 0 }}", "{{ 'a' + 1 }}", "{{ t - 1 }}", "{{ x + 'a' }}", "{{ 'a' < 1 }}", "{{ none + 1 }}",
    # members
    "{{ d.x }} {{ d['y'][1] }} {{ d.k.deep }} {{ d.nope }} {{ d['items'] }} {{ l[0] }} {{ l[-1] }} {{ l[9] }} {{ t[0] }} {{ u[2] }} {{ t[-1] }}",
    "{{ x.y }}", "{{ x['y'] }}", "{{ d.nope.more }}", "{{ x }}|{{ x is defined }}", "{{ l.0 }}", "{{ d.get('x') }} {{ d.get('q') }} {{ d.get('q', 4) }}",
    "{{ l[1:] }} {{ l[:-1] }} {{ l[::-1] }} {{ l[::2] }} {{ t[1:5] }} {{ u[::-1] }} {{ l[5:] }} {{ l[-2:1:-1] }} {{ t[:3] }} {{ l[:] }}",
    "{{ d.keys() | list }} {{ d.values() | list | length }}",
    "{{ l.index(2) }} {{ l.count(1) }} {{ d.x.y }}", "{{ l.append(1) }}", "{{ d.update({}) }}", "{{ t.__class__ }}",
    # texts
    "{{ s.strip() }}|{{ s.lstrip() }}|{{ s.rstrip() }}|{{ 'xxaxx'.strip('x') }}|{{ 'abcab'.lstrip('ab') }}",
    "{{ t.upper() }} {{ t.lower() }} {{ u.upper() }} {{ u.lower() }} {{ u.title() }} {{ u.capitalize() }} {{ \"it's x1y\".title() }}",
    "{{ t.split() }} {{ t.split(', ') }} {{ 'a,b,c'.split(',', 1) }} {{ 'a b  c'.split(none, 1) }} {{ 'a,b,c'.rsplit(',', 1) }} {{ ''.split() }} {{ ''.split(',') }}",
    "{{ lines.splitlines() }} {{ t.replace('l', 'L') }} {{ t.replace('l', 'L', 1) }} {{ 'ab'.replace('', '-') }}",
    "{{ t.startswith('He') }} {{ t.endswith('x') }} {{ t.startswith(('x', 'H')) }} {{ t.find('o') }} {{ u.find('☕') }} {{ t.rfind('o') }} {{ t.find('z') }} {{ t.count('l') }}",
    "{{ ', '.join(w) }} {{ '12'.isdigit() }} {{ 'ab'.isalpha() }} {{ 'AB'.isupper() }} {{ ''.islower() }} {{ ' '.isspace() }} {{ 'prefix'.removeprefix('pre') }} {{ 'a.b'.removesuffix('.b') }}",
    # filters
    "{{ s | trim }} {{ t | upper }} {{ t | lower }} {{ \"it's a-b (c) x\" | title }} {{ 'aBC' | capitalize }} {{ t | length }} {{ u | count }} {{ l | length }} {{ d | length }} {{ x | length }}",
    "{{ l | first }} {{ l | last }} {{ e | first }}|{{ x | default('q') }} {{ n | default('q') }} {{ n | default('q', true) }} {{ e | d('w', boolean=true) }} {{ x | d }}",
    "{{ l | join }} {{ l | join('-') }} {{ p | join(', ', attribute='name') }} {{ t | replace('l', 'L') }} {{ t | list }} {{ 5 | string + 'a' }} {{ '5' | int + 1 }} {{ 'x' | int }} {{ '3.9' | int }} {{ '2' | float }} {{ -3 | abs }}",
    "{{ l | sort }} {{ w | sort }} {{ w | sort(case_sensitive=true) }} {{ l | sort(reverse=true) }} {{ p | sort(attribute='v') | map(attribute='name') | list }} {{ l | unique | list }} {{ w | unique | list }} {{ l | reverse | list }} {{ t | reverse }}",
    "{{ p | map(attribute='v') | list }} {{ p | map(attribute='on', default=9) | list }} {{ w | map('upper') | join }} {{ l | map('string') | list }} {{ m | map('sum') | list }} {{ m | map('join', '+') | list }}",
    "{{ p | selectattr('on') | list | length }} {{ p | rejectattr('on', 'defined') | list | length }} {{ p | selectattr('v', 'equalto', 2) | map(attribute='name') | list }} {{ l | select('gt', 1) | list }} {{ l | reject('odd') | list }} {{ l | select | list }}",
    "{{ l | sum }} {{ p | sum(attribute='v') }} {{ l | min }} {{ w | max }} {{ d | items | list }} {{ d | dictsort | list | length }} {{ {'b': 1, 'A': 2} | dictsort }} {{ x | items | list }}",
    "{{ lines | indent }}|{{ lines | indent(2, true) }}|{{ lines | indent(2, blank=true) }}|{{ lines | indent('> ') }}|{{ t | safe }}",
    "{{ d | tojson }} {{ u | tojson }} {{ q | tojson }} {{ [n, yes, f, 1e22] | tojson }} {{ d | tojson(indent=2) }} {{ d | tojson(sort_keys=true) }} {{ d | tojson(separators=(',', ':')) }} {{ u | tojson(ensure_ascii=true) }}",
    "{{ '<a>' | tojson }} {{ t | nope }}", "{{ x | tojson }}", "{{ 1 | length }}", "{{ a | join }}", "{{ -1 | abs }} {{ l | first | string ~ 'a' }}",
    # tests
    "{{ a is number }} {{ a is integer }} {{ f is float }} {{ yes is boolean }} {{ yes is integer }} {{ t is string }} {{ d is mapping }} {{ l is sequence }} {{ l is iterable }} {{ t is iterable }} {{ 5 is iterable }} {{ n is none }} {{ x is none }} {{ x is undefined }} {{ yes is true }} {{ 1 is true }} {{ x is iterable }}",
    "{{ a is odd }} {{ a is even }} {{ 6 is divisibleby(3) }} {{ 6 is divisibleby 4 }} {{ a is eq 5 }} {{ a is ne(5) }} {{ a is gt 4 }} {{ a is lt 4 }} {{ a is in l }} {{ 3 is in(l) }} {{ n is sameas none }} {{ a is not none and yes }} {{ 'A' is upper }} {{ 'a1' is lower }} {{ x is not defined or no }}",
    "{{ a is nope }}", "{{ a is defined is true }}",
    # statements
    "{% for i in l %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.cycle('x', 'y') }}{{ loop.previtem }}-{{ loop.nextitem }};{% endfor %}",
    "{% for k, v in d.items() if k != 'k' %}{{ k }}={{ v }},{{ loop.length }};{% else %}none{% endfor %}", "{% for i in [] %}x{% else %}none{% endfor %}{% for i in x %}{% else %}u{% endfor %}",
    "{% for k in d %}{{ k }}{% endfor %}{% for c in u %}{{ c }}.{% endfor %}{% for a, b in m %}{{ a * b }},{% endfor %}{{ a }}",
    "{% for i in l %}{% if i == 2 %}{% break %}{% endif %}{% if i == 1 %}{% continue %}{% endif %}{{ i }}{% endfor %}", "{% for i in l %}{% for j in m %}{{ loop.depth }}{{ loop.index }}{% endfor %}{{ loop.index }}{% endfor %}",
    "{% set y = 1 %}{% for i in l %}{% set y = i %}{{ y }}{% endfor %}{{ y }}", "{% for i in [1, 2] %}{{ z is defined }}{% set z = 1 %}{% endfor %}", "{% if yes %}{% set y = 2 %}{% endif %}{{ y }}",
    "{% set ns = namespace(c=0) %}{% for i in l %}{% set ns.c = ns.c + i %}{% set ns.q = i %}{% endfor %}{{ ns.c }}{{ ns.q }}{{ ns.none }}", "{% set a, b = b, a %}{{ a }}{{ b }}", "{% set y %}x{{ a }}\n{% endset %}[{{ y }}]",
    "{% macro f(x, y=2, z=y) %}<{{ x }},{{ y }},{{ z }},{{ w is defined }},{{ a }}>{% endmacro %}{{ f(1) }}{{ f(1, z=5) }}{{ f(y=3, x='q') }}{{ f() }}",
    "{% macro f(n) %}{{ n }}{% if n > 0 %}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(4) }}", "{% macro f() %}{{ y }}{% endmacro %}{% set y = 3 %}{{ f() }}{% for i in [1] %}{% set y = 9 %}{{ f() }}{% endfor %}",
    "{% for i in l if i is odd %}{{ loop.index }}{{ i }}{% endfor %}", "{% for i in l %}{{ loop.changed(i > 1) }}{% endfor %}", "{% if a > 4 and b < 3 %}A{% elif n %}B{% else %}C{% endif %}{% if n %}{% elif yes %}D{% endif %}",
    "{% generation %}g{% endgeneration %}", "{{ range(3) | list }}{{ range(1, 7, 2) | list }}{% for i in range(3, 0, -1) %}{{ i }}{% endfor %}", "{{ dict(a=1, b='c') }}", "{{ strftime_now('%d %b %Y %A %B %H:%M:%S %j %y %p %I %%') }}",
    "{{ raise_exception('no ' ~ t) }}", "{% for i in 5 %}{% endfor %}", "{% set x.y = 1 %}", "{% set d.y = 1 %}", "{{ nope() }}", "{{ t() }}", "{{ f(1) }}",
    # what is no Jinja
    "{% if %}", "{% if yes %}", "{{ 1 + }}", "{{ a", "{% endif %}", "{% for in l %}{% endfor %}", "{{ 'a }}", "{# a", "{% break %}", "{{ (1 }}", "{{ 1 ] }}", "{% set %}", "{{ a b }}", "{{ | upper }}", "{% macro %}{% endmacro %}", "{% nope %}",
    "{{ {1} }}", "{{ a ? b }}", "{{ f(a=1, 2) }}", "{{ ! a }}", "{% else %}", "{{ }}", "{% for i in l %}{% endif %}", "{{ 'a' 'b' 1 }}",
]


class Day(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls(2026, 11, 5, 9, 7, 3)


def rendered(source, variables):
    try:
        return chat_template_utils._compile_jinja_template.__wrapped__(source).render(**variables)
    except Exception as error:  # whatever transformers has against it
        return {"error": f"{type(error).__name__}: {error}"[:90]}


def main():
    chat_template_utils.datetime = Day
    folder = pathlib.Path(sys.argv[1])
    tokens = {"bos_token": "<s>", "eos_token": "</s>"}
    talks = {path.stem: {name: rendered(path.read_text(encoding="utf-8"), {"tools": None, **tokens, **talk})
                         for name, talk in TALKS.items()} for path in sorted(folder.glob("*.jinja"))}
    # transformers always passes tools, also when there are none.
    recorded = {"talks": {name: {"tools": None, **tokens, **talk} for name, talk in TALKS.items()}, "templates": talks,
                "variables": VARIABLES, "pieces": [[piece, rendered(piece, VARIABLES)] for piece in PIECES]}
    text = json.dumps(recorded, ensure_ascii=False, indent=0)
    (folder / "recorded.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
