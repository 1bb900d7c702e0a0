"""What is listed of a page, and how it is called."""

from __future__ import annotations

import pytest

from openvenus.device.web import Browser, WebOptions
from tests.device.web.hands import Hands
from tests.device.web.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("html", "role", "name"),
    [
        ("<button>Save</button>", "button", "Save"),
        ("<button aria-label='Close'>×</button>", "button", "Close"),
        ("<span id=t>Total</span><input aria-labelledby=t>", "textbox", "Total"),
        ("<label>City <input></label>", "textbox", "City"),
        ("<label for=c>Country</label><input id=c>", "textbox", "Country"),
        ("<input placeholder='Your name'>", "textbox", "Your name"),
        ("<input title='Postal code'>", "textbox", "Postal code"),
        ("<input type=submit>", "button", "Submit"),
        ("<input type=button value='Go on'>", "button", "Go on"),
        ("<img alt='A cat' width=20 height=20>", "image", "A cat"),
        ("<input type=image alt='Search' width=20 height=20>", "button", "Search"),
        ("<a href='#x'>More</a>", "link", "More"),
        ("<a href='#x'><img alt='Home' width=20 height=20></a>", "link", "Home"),
        ("<button><img alt='Print' width=20 height=20></button>", "button", "Print"),
        ("<button><svg width=20 height=20><title>Star</title><path d='M0 0h20v20z'/></svg>"
         "</button>", "button", "Star"),
        ("<label><input type=checkbox>I agree</label>", "checkbox", "I agree"),
        ("<input type=radio name=r> Red", "radio", "Red"),
        ("<div role=tab aria-selected=true>Files</div>", "tab", "Files"),
        ("<div role=switch aria-checked=false aria-label=Net>o</div>", "switch", "Net"),
        ("<div onclick='1'>Row</div>", "generic", "Row"),
        ("<div style='cursor:pointer'>Card</div>", "generic", "Card"),
        ("<div contenteditable aria-label=Body>x</div>", "textbox", "Body"),
        ("<textarea aria-label=Notes></textarea>", "textbox", "Notes"),
        ("<input type=range aria-label=Volume>", "slider", "Volume"),
        ("<details><summary>Details</summary>x</details>", "button", "Details"),
        ("<select aria-label=Size><option>S</select>", "combobox", "Size"),
        ("<progress aria-label=Copying value=0.5></progress>", "progressbar", "Copying"),
    ],
)  # fmt: skip
async def test_role_and_name(hands: Hands, html: str, role: str, name: str) -> None:
    await hands.show(html)
    assert name in [e.name for e in hands.every(role=role)], [
        (e.role, e.name, e.text) for e in hands.now.elements
    ]


async def test_values_and_states(hands: Hands) -> None:
    await hands.show("""
      <input aria-label=a value=one><textarea aria-label=b>two\nlines</textarea>
      <input aria-label=c type=checkbox checked><input aria-label=d type=radio>
      <input aria-label=e disabled><input aria-label=f readonly value=x>
      <button aria-label=g disabled>g</button><button aria-label=h aria-expanded=false>h</button>
      <div role=option aria-selected=true>i</div><details open><summary>j</summary>J</details>
      <div role=button aria-disabled=true>k</div>
      <input aria-label=l autofocus type=number value=7>
    """)
    assert (hands.one("a").value, hands.one("a").length) == ("one", 3)
    assert hands.one("b").value == "two\nlines"
    assert hands.one("c").checked is True
    assert hands.one("d").checked is False
    assert (hands.one("e").enabled, hands.one("e").editable) == (False, False)
    assert (hands.one("f").enabled, hands.one("f").editable) == (True, False)
    assert hands.one("g").enabled is False
    assert hands.one("h").expanded is False
    assert hands.one("i").selected is True
    assert hands.one("j", role="button").expanded is True
    assert hands.one("k").enabled is False
    assert (hands.one("l").focused, hands.one("l").value) == (True, "7")
    assert hands.one("a").focused is False


async def test_a_password_is_never_shown(hands: Hands) -> None:
    secret = "correct horse"
    seen = await hands.show(f"<input type=password aria-label=Password value='{secret}'>")
    field = hands.one("Password")
    assert (field.kind, field.value, field.length) == ("password", "", len(secret))
    assert secret not in repr(list(seen.elements))


async def test_what_is_not_shown_is_not_listed(hands: Hands) -> None:
    await hands.show("""
      <button style='display:none'>a</button><button style='visibility:hidden'>b</button>
      <button style='opacity:0'>c</button><div hidden><button>d</button></div>
      <input type=hidden value=e><script>1</script><template><button>f</button></template>
      <div style='visibility:hidden'><button style='visibility:visible'>g</button></div>
      <button>h</button>
    """)
    assert [e.name for e in hands.every(role="button")] == ["g", "h"]
    assert not hands.every(kind="hidden")


async def test_what_is_covered_has_no_point_and_says_by_what(hands: Hands) -> None:
    await hands.show("""
      <button style='position:absolute;left:10px;top:10px'>under</button>
      <button style='position:absolute;left:0;top:0;width:300px;height:200px'>over</button>
    """)
    under = hands.one("under")
    assert under.point is None
    assert under.covered_by == hands.one("over").id
    assert hands.one("over").point is not None


async def test_what_is_half_covered_is_pressed_where_it_is_free(hands: Hands) -> None:
    await hands.show("""
      <button style='position:absolute;left:0;top:0;width:400px;height:100px'>under</button>
      <div style='position:absolute;left:150px;top:0;width:600px;height:300px;background:red'></div>
    """)
    point = hands.one("under").point
    assert point is not None
    assert point.x < 150 / 800 * 1000


async def test_scrolled_away_is_listed_without_a_point(hands: Hands) -> None:
    await hands.show("<div style='height:2000px'>top</div><button>below</button>")
    below = hands.one("below")
    assert (below.visible, below.point) == (False, None)
    assert below.box.top > 1000


async def test_shadow_roots_in_shadow_roots(hands: Hands) -> None:
    await hands.show("""<my-box></my-box><script>
      class Inner extends HTMLElement { constructor() { super();
        this.attachShadow({mode: 'open'}).innerHTML = '<button>deep</button>'; } }
      customElements.define('my-inner', Inner);
      class Box extends HTMLElement { constructor() { super();
        this.attachShadow({mode: 'open'}).innerHTML =
          '<p>shallow</p><slot></slot><my-inner></my-inner>'; } }
      customElements.define('my-box', Box);
      document.querySelector('my-box').innerHTML = '<button>slotted</button>';
    </script>""")
    assert [e.name for e in hands.every(role="button")] == ["slotted", "deep"]
    assert hands.one("deep").point is not None
    assert hands.one("shallow").role == "paragraph"
    await hands.js(
        "document.querySelector('my-box').shadowRoot.querySelector('my-inner')"
        ".shadowRoot.querySelector('button').onclick = () => document.title = 'hit'"
    )
    await hands.click("deep")
    assert hands.now.title == "hit"


async def test_frames_of_the_same_origin_in_each_other(hands: Hands) -> None:
    inner = hands.site.add("<button onclick=\"top.document.title='hit'\">inner</button>")
    middle = hands.site.add(f"<p>middle</p><iframe name=two src='{inner}'></iframe>")
    await hands.show(f"<div style='height:50px'></div><iframe name=one src='{middle}'></iframe>")
    found = hands.one("inner")
    assert found.frame_path == "/one/two"
    assert found.point is not None
    await hands.click("inner")
    assert hands.now.title == "hit"


async def test_svg_shapes_have_colours(hands: Hands) -> None:
    await hands.show("""<svg width=300 height=200>
      <circle cx=30 cy=30 r=20 fill=red />
      <rect x=60 y=10 width=40 height=40 fill='rgb(0,0,255)' />
      <polygon points='120,50 140,10 160,50' fill='#00ff00' />
      <line x1=0 y1=100 x2=100 y2=150 stroke=black />
      <text x=10 y=180>seven</text></svg>""")
    shapes = {e.role: e for e in hands.now.elements}
    assert shapes["circle"].color == "#ff0000"
    assert shapes["rectangle"].color == "#0000ff"
    assert shapes["triangle"].color == "#00ff00"
    assert shapes["line"].color == "#000000"
    assert shapes["text"].text == "seven"
    assert all(shapes[r].clickable for r in ("circle", "rectangle", "triangle"))


async def test_a_native_list_shows_its_options(hands: Hands) -> None:
    await hands.show("""<label>Fruit <select><option>Apple<option selected>Pear
      <optgroup label=More><option disabled>Fig</optgroup></select></label>""")
    box = hands.one("Fruit", role="combobox")
    assert box.value == "Pear"
    options = hands.every(role="option")
    assert [o.name for o in options] == ["Apple", "Pear", "Fig"]
    assert [o.selected for o in options] == [False, True, False]
    assert [o.enabled for o in options] == [True, True, False]
    assert all(o.native and o.parent == box.id for o in options)


async def test_texts_headings_cells_and_items(hands: Hands) -> None:
    await hands.show("""<h2>Title</h2><p>Some <b>bold</b> words</p><ul><li>item</li></ul>
      <table><tr><th>Name</th><td>Ann</td></tr></table>""")
    assert hands.one("Title").role == "heading"
    assert [e.text for e in hands.now.elements][1:4] == ["Some", "bold", "words"]
    assert hands.one("item").role == "listitem"
    assert hands.one("Name").role == "columnheader"
    assert hands.one("Ann").role == "cell"


async def test_scroll_areas_say_which_sides_go_on(hands: Hands) -> None:
    await hands.show("""<div id=s style='width:200px;height:100px;overflow:auto'>
      <div style='width:500px;height:500px'>long</div></div>""")
    area = hands.one(role="scrollarea")
    assert set(area.scrolls) == {"d", "r"}
    await hands.js("document.getElementById('s').scrollTo(50, 50)")
    await hands.look()
    assert set(hands.one(role="scrollarea").scrolls) == {"u", "d", "l", "r"}


async def test_hints_are_words_of_the_developer(hands: Hands) -> None:
    await hands.show("<button id=saveAll class='icon-trash primary' title='Delete it'>x</button>")
    assert {"save", "all", "icon", "trash", "primary", "delete", "it"} == set(
        hands.one(role="button").hint.split()
    )


async def test_colours_are_effective_ones(hands: Hands) -> None:
    await hands.show("""<div style='background:#112233;color:#ffeedd'><p><span>text</span></p></div>
      <div style='width:30px;height:30px;background:#abcdef'></div>""")
    assert (hands.one("text").background, hands.one("text").color) == ("#112233", "#ffeedd")
    assert [e.color for e in hands.every(role="generic")] == ["#abcdef"]


async def test_the_same_thing_keeps_its_id(hands: Hands) -> None:
    await hands.show("<button id=a>A</button><button id=b>B</button>")
    first, second = hands.one("A").id, hands.one("B").id
    await hands.js("document.body.prepend(document.getElementById('b'))")
    await hands.look()
    assert (hands.one("A").id, hands.one("B").id) == (first, second)


async def test_no_id_names_something_in_two_documents(hands: Hands) -> None:
    before = await hands.show("<button>A</button><button>B</button>")
    after = await hands.show("<button>C</button><button>D</button>")
    assert not {e.id for e in before.elements} & {e.id for e in after.elements}


async def test_more_than_the_limit_keeps_what_is_visible_and_usable(
    browser: Browser, site: Site
) -> None:
    assert await _limited(browser, site, 3) == (["text 0", "text 1", "near"], 7)
    names, truncated = await _limited(browser, site, 9)
    assert ("near" in names, "far" in names, truncated) == (True, False, 1)


async def _limited(browser: Browser, site: Site, limit: int) -> tuple[list[str], int]:
    device = await browser.new_device(WebOptions(width=800, height=600, max_elements=limit))
    try:
        rows = "".join(f"<p>text {i}</p>" for i in range(8))
        below = "<div style='height:3000px'></div><button>far</button>"
        await device.open(site.add(rows + "<button>near</button>" + below))
        seen = await device.observe(image=False)
    finally:
        await device.close()
    return [e.name or e.text for e in seen.elements], seen.elements.truncated


async def test_labels_leave_out_what_their_fields_hold(hands: Hands) -> None:
    await hands.show("""<label>Fruit <select><option>Apple<option>Pear</select></label>
      <label>Notes <textarea>long text</textarea></label>""")
    assert hands.one("Fruit", role="combobox").value == "Apple"
    assert hands.one("Notes", role="textbox").value == "long text"


async def test_disabled_by_what_is_around(hands: Hands) -> None:
    await hands.show("""<fieldset disabled><input aria-label=a><button>b</button>
      <select aria-label=c><option>d</select></fieldset>""")
    assert not any(hands.one(n).enabled for n in ("a", "b", "c", "d"))


async def test_links_around_floats_and_colours_of_newer_notations(hands: Hands) -> None:
    await hands.show("""<a href='#x'><img style='float:left' alt=Logo width=50 height=50></a>
      <p style='clear:both;color:oklch(0.628 0.2577 29.23)'>red</p>
      <p style='color:color(srgb 0 0 1)'>blue</p>""")
    assert hands.one("Logo", role="link").point is not None
    assert hands.one("red").color == "#ff0000"
    assert hands.one("blue").color == "#0000ff"
