"""How templates name a language and set its direction."""

from django import template

from campaigns.languages import language_direction, language_name

register = template.Library()
register.filter("language_name", language_name)
register.filter("language_direction", language_direction)
