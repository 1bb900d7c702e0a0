from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openvenus.action import Point
from openvenus.errors import StaleFrame
from openvenus.screen import Frame
from tests.action.actions import points

sizes = st.integers(1, 8000)
ratios = st.sampled_from([1.0, 1.25, 1.5, 1.75, 2.0, 2.625, 3.0, 3.5])
origins = st.tuples(st.integers(-8000, 8000), st.integers(-8000, 8000))
fractions = st.tuples(st.floats(0, 1), st.floats(0, 1))
FRAME = Frame("f", 1280, 800, 1280, 800)


@st.composite
def frames(draw: st.DrawFn) -> Frame:
    """Screens of any size, ratio and place; the image has whole pixels, the device may not."""
    width, height, ratio = draw(sizes), draw(sizes), draw(ratios)
    return Frame(
        "f",
        width,
        height,
        width / ratio,
        height / ratio,
        origin=tuple(float(v) for v in draw(origins)),  # type: ignore[arg-type]
        rotation=draw(st.sampled_from([0, 90, 180, 270])),
        pixel_ratio=ratio,
    )


def near(a: tuple[float, float], b: tuple[float, float], most: float) -> bool:
    return abs(a[0] - b[0]) <= most and abs(a[1] - b[1]) <= most


@given(frames(), fractions)
def test_image_pixels_come_back(frame: Frame, part: tuple[float, float]) -> None:
    pixel = (part[0] * (frame.width - 1), part[1] * (frame.height - 1))
    assert near(frame.to_image(frame.from_image(*pixel)), pixel, 0.5)


@given(frames(), fractions)
def test_image_pixels_come_back_from_the_device(frame: Frame, part: tuple[float, float]) -> None:
    pixel = (round(part[0] * (frame.width - 1)), round(part[1] * (frame.height - 1)))
    device = frame.to_device(frame.from_image(*pixel))
    assert near(frame.to_image(frame.from_device(*device)), pixel, 0.5)


@given(frames(), fractions)
def test_device_units_come_back(frame: Frame, part: tuple[float, float]) -> None:
    # The last unit of a side counts as its own start, as the last pixel of an image does.
    place = (
        frame.origin[0] + part[0] * max(0.0, frame.device_width - 1),
        frame.origin[1] + part[1] * max(0.0, frame.device_height - 1),
    )
    assert near(frame.to_device(frame.from_device(*place)), place, 0.5)


@given(frames(), st.tuples(sizes, sizes), fractions)
def test_model_pixels_come_back(
    frame: Frame, size: tuple[int, int], part: tuple[float, float]
) -> None:
    pixel = (part[0] * (size[0] - 1), part[1] * (size[1] - 1))
    assert near(frame.to_model(frame.from_model(*pixel, size), size), pixel, 0.5)


@given(frames(), points)
def test_every_point_lands_on_the_screen(frame: Frame, point: Point) -> None:
    x, y = frame.to_image(point)
    assert 0 <= x <= frame.width - 1
    assert 0 <= y <= frame.height - 1
    x, y = frame.to_device(point)
    assert frame.origin[0] <= x < frame.origin[0] + frame.device_width
    assert frame.origin[1] <= y < frame.origin[1] + frame.device_height


@given(frames(), points)
def test_a_point_moves_less_than_a_pixel_on_its_way(frame: Frame, point: Point) -> None:
    back = frame.from_device(*frame.to_device(point))
    assert abs(back.x - point.x) / 1000 * frame.width <= 1 + 1e-6
    assert abs(back.y - point.y) / 1000 * frame.height <= 1 + 1e-6


@given(frames(), st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_what_lies_outside_is_moved_to_the_edge(frame: Frame, x: float, y: float) -> None:
    for point in (frame.from_image(x, y), frame.from_device(x, y), frame.from_model(x, y, (7, 9))):
        assert 0 <= point.x <= 1000
        assert 0 <= point.y <= 1000


def test_zero_and_the_far_corner() -> None:
    frame = Frame("f", 1080, 2400, 360, 800, pixel_ratio=3.0)
    assert frame.to_image(Point(0, 0)) == (0, 0)
    assert frame.to_image(Point(1000, 1000)) == (1079, 2399)
    assert frame.to_device(Point(0, 0)) == (0, 0)
    assert frame.to_device(Point(1000, 1000)) == pytest.approx((360 - 1 / 3, 800 - 1 / 3))
    assert frame.from_image(0, 0) == (0, 0)


@pytest.mark.parametrize(
    ("native", "seen"),
    [
        # Longest side at most 2048.
        ((1080, 2400), (922, 2048)),
        ((1320, 2868), (943, 2048)),
        ((1080, 1920), (1080, 1920)),
        # A budget of tokens and of the longest side.
        ((922, 2048), (706, 1568)),
        ((1080, 1920), (819, 1456)),
    ],
)
def test_points_on_a_smaller_copy_hit_the_same_native_pixel(
    native: tuple[int, int], seen: tuple[int, int]
) -> None:
    frame = Frame("f", *native, *native)
    scale = (native[0] / seen[0], native[1] / seen[1])
    for pixel in ((0, 0), (seen[0] // 2, seen[1] // 3), (seen[0] - 1, seen[1] - 1), (17, 911)):
        image = frame.to_image(frame.from_model(*pixel, seen))
        # Half a pixel of the copy is `scale / 2` native ones.
        assert near(image, (pixel[0] * scale[0], pixel[1] * scale[1]), 1e-6)
        assert near(frame.to_model(frame.from_image(*image), seen), pixel, 0.5)


@pytest.mark.parametrize(
    ("bounds", "local", "everywhere"),
    [
        ((0, 0, 1512, 982), (12, 34), (12, 34)),
        ((1769, -1080, 1080, 1920), (120, 240), (1889, -840)),
        ((-151, -1080, 1920, 1080), (0, 0), (-151, -1080)),
        ((-1920, 0, 1920, 1080), (1919, 1079), (-1, 1079)),
        ((1512, 0, 1728, 1117), (864, 558), (2376, 558)),
    ],
)
def test_a_display_has_its_place_among_others(
    bounds: tuple[int, int, int, int], local: tuple[int, int], everywhere: tuple[int, int]
) -> None:
    x, y, width, height = bounds
    for ratio in (1, 2):
        frame = Frame("f", width * ratio, height * ratio, width, height, (x, y), 0, ratio)
        point = frame.from_image(local[0] * ratio, local[1] * ratio)
        assert frame.to_device(point) == pytest.approx(everywhere, abs=1e-6)
        assert frame.from_device(*everywhere) == pytest.approx(point, abs=1e-6)


@pytest.mark.parametrize(
    "now",
    [
        replace(FRAME, device_width=1024),
        replace(FRAME, device_height=799),
        replace(FRAME, origin=(-1280.0, 0.0)),
        replace(FRAME, rotation=90),
        replace(FRAME, pixel_ratio=2.0),
    ],
)
def test_another_geometry_makes_a_frame_stale(now: Frame) -> None:
    assert not FRAME.same_geometry(now)
    assert not now.same_geometry(FRAME)
    with pytest.raises(StaleFrame, match="1280x800 at") as caught:
        FRAME.require_geometry(now)
    assert now._geometry() in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    "now",
    [
        FRAME,
        replace(FRAME, id="later", image=b"other"),
        replace(FRAME, device_width=1280.2),
        # Captured in less detail, the same points mean the same places.
        replace(FRAME, width=640, height=400),
    ],
)
def test_the_same_geometry_is_not_stale(now: Frame) -> None:
    assert FRAME.same_geometry(now)
    FRAME.require_geometry(now)


def test_images_are_known_by_their_bytes() -> None:
    assert FRAME.digest() is None
    frame = replace(FRAME, image=b"abc")
    assert frame.digest() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert frame.without_image() == FRAME
