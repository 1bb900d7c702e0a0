"""What the embedded policy sees: matches, order, rows, the past; never more than it may."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from openvenus.action import Click, Point
from openvenus.episode import Decision
from openvenus.policy.embedded import KINDS, featurize, field_features
from openvenus.policy.embedded._features import MAX_ELEMENTS
from openvenus.policy.embedded._instruction import read_instruction
from openvenus.policy.embedded._labels import nearby_labels
from openvenus.policy.embedded._layout import lay_out
from openvenus.policy.embedded._match import match_label
from tests.policy.embedded.screens import element, situation, step


def test_a_label_that_is_quoted_is_found() -> None:
    task = read_instruction('Click on the "Log in" button, not on Help.')
    login = match_label(element("a", "button", 0, 0, name="Log In"), task)
    assert login.full == 1 and login.quoted == 1 and login.exact == 0
    other = match_label(element("b", "button", 0, 0, name="Log out"), task)
    assert other.full == 0 and 0 < other.share < 1


def test_a_suggestion_is_found_by_its_beginning_and_end() -> None:
    task = read_instruction('Enter an item that starts with "Zim" and ends with "we".')
    match = match_label(element("a", "option", 0, 0, name="Zimbabwe"), task)
    assert (match.prefix, match.suffix, match.ends) == (1, 1, 1)
    half = match_label(element("a", "option", 0, 0, name="Zimmer"), task)
    assert (half.prefix, half.suffix, half.ends) == (1, 0, 0)


def test_ordinals_compare_with_the_numbers_of_the_task() -> None:
    fields = tuple(element(f"f{i}", "textbox", 0, 100 * i) for i in range(3))
    layout = lay_out(fields, 500, 500)
    named = layout.ordinals(read_instruction("Focus into the 2nd input textbox."))[:, 5]
    assert named.tolist() == [0, 1, 0]


def test_hidden_elements_do_not_count_in_the_order() -> None:
    hidden = element("h", "textbox", 0, 0, visible=False, point=None)
    layout = lay_out((hidden, element("a", "textbox", 0, 100)), 500, 500)
    assert layout.order.tolist()[1] == 1


def test_the_value_next_to_a_fields_name_stands_out() -> None:
    s = situation(
        'Enter the username "ann" and the password "x1".',
        element("u", "textbox", 0, 0, name="Username"),
        element("p", "textbox", 0, 100, name="Password"),
    )
    f = featurize(s)
    texts = [f.instruction.span_text(i) for i in range(len(f.instruction.span_start))]
    user, password = field_features(f, 0)[:, 0], field_features(f, 1)[:, 0]
    assert user[texts.index("ann")] > user[texts.index("x1")]
    assert password[texts.index("x1")] > password[texts.index("ann")]


def test_a_date_suits_a_date_field() -> None:
    s = situation(
        "Enter 04/12/2015 as the date and hit submit.",
        element("d", "textbox", 0, 0, name="", kind="date"),
        element("t", "textbox", 0, 100, name="", kind="text"),
    )
    f = featurize(s)
    texts = [f.instruction.span_text(i) for i in range(len(f.instruction.span_start))]
    suits = field_features(f, 0)[:, 6]
    assert [t for t, yes in zip(texts, suits, strict=True) if yes] == ["04/12/2015"]
    assert not field_features(f, 1)[:, 6].any()


def test_a_nameless_field_is_called_by_the_text_beside_it() -> None:
    genre = element("t1", "text", 0, 100, text="Genre")
    year = element("t2", "text", 0, 200, text="Year")
    first = element("f1", "textbox", 110, 100)
    second = element("f2", "textbox", 110, 200)
    named = element("f3", "textbox", 110, 300, name="Director")
    found = nearby_labels((genre, first, year, second, named))
    assert found == ("", "Genre", "", "Year", "")


def test_a_text_far_away_names_nothing() -> None:
    far = element("t", "text", 800, 800, text="Genre")
    assert nearby_labels((far, element("f", "textbox", 0, 0))) == ("", "")


def test_what_was_clicked_is_remembered() -> None:
    s = situation("Click all", element("a", "button", 0, 0), element("b", "button", 0, 100))
    plain = featurize(s).arrays.values
    clicked = step(s, Decision(Click(point=Point(50, 20)), target="a"))
    after = featurize(situation("Click all", *s.observation.elements, history=(clicked,)))
    changed = np.any(after.arrays.values != plain, axis=1)
    assert changed[0]
    assert after.arrays.context[0] > 0


def test_what_had_no_effect_is_not_repeated_on_the_same_screen() -> None:
    s = situation("Do it", element("a", "button", 0, 0), element("b", "button", 0, 100))
    click = KINDS.index("click")
    nothing = step(s, Decision(Click(point=Point(50, 20)), target="a"), changed=False)
    after = featurize(situation("Do it", *s.observation.elements, history=(nothing,)))
    assert after.arrays.allowed[click].tolist() == [False, True]
    something = step(s, Decision(Click(point=Point(50, 120)), target="b"), changed=True)
    later = featurize(situation("Do it", *s.observation.elements, history=(nothing, something)))
    assert later.arrays.allowed[click].tolist() == [True, True]


def test_kinds_need_something_to_act_on() -> None:
    arrays = featurize(situation("Do it", element("a", "button", 0, 0, name="Go"))).arrays
    possible = {k for k, yes in zip(KINDS, arrays.kinds, strict=True) if yes}
    assert "click" in possible and "type" not in possible and "scroll" not in possible


def test_a_device_that_cannot_drag_is_not_asked_to() -> None:
    s = situation("Do it", element("a", "button", 0, 0, name="Go"))
    limited = type(s)(task=s.task, observation=s.observation, actions=frozenset({"click"}))
    arrays = featurize(limited).arrays
    assert {k for k, yes in zip(KINDS, arrays.kinds, strict=True) if yes} == {"click"}


@given(st.integers(0, 200), st.text(max_size=60))
def test_any_screen_and_any_instruction_give_finite_arrays(count: int, text: str) -> None:
    elements = [element(f"e{i}", "button", i % 900, i * 4 % 900, name=text) for i in range(count)]
    arrays = featurize(situation(text, *elements)).arrays
    assert len(arrays.labels) == min(count, MAX_ELEMENTS)
    assert np.isfinite(arrays.values).all() and np.isfinite(arrays.context).all()
    size = 1 + len(arrays.token_ids) + len(arrays.labels)
    assert arrays.relations.shape == (size, size)
