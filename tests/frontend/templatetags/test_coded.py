from frontend.templatetags.coded import coded


def test_names_between_backticks_are_set_apart_and_nothing_else_is_markup() -> None:
    assert coded("As `next` has <it>, `a<b`.") == "As <code>next</code> has &lt;it&gt;, <code>a&lt;b</code>."
    assert coded("One ` alone.") == "One ` alone."
