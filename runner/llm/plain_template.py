"""Plain template: the chat template of a base model, whose file has none.

A base model continues a text and does not end its turn. So its answer begins inside a JSON code fence, and ends with it.
"""

PLAIN_TEMPLATE = """\
{%- for message in messages -%}
{%- if message.role == 'assistant' %}Answer:
```json
{{ message.content }}
```

{% else -%}
{%- if message.role == 'user' %}Question:
{% endif -%}
{{ message.content }}

{% endif -%}
{% endfor -%}
{%- if add_generation_prompt %}Answer:
```json
{% endif -%}
"""

PLAIN_STOP = "```"
"""The text that ends an answer in the plain template."""
