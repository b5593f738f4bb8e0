"""Draws synthetic number plates in the style of many countries, and other text, onto photos."""

from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
_DIGITS = "0123456789"
_PATTERNS = ("AA 00 AAA", "A-AA 0000", "AA-000-AA", "00 AA 000", "AAA 0000", "0AAA000", "AA00AA0000", "A00-00A", "AAA-000", "00 A 00000")
_TWO_ROWS = (("AA 00", "0000"), ("AAA", "000"), ("A0", "AA 00"), ("AA 00 A", "0000"))
_HEIGHT = 120
_SHORTEST_PX = 12.0
# Background and text: white, yellow, black, blue, green, grey, reddish.
_COLOURS = (
    (0.50, (232, 232, 228), (25, 25, 30)),
    (0.06, (232, 232, 228), (150, 20, 25)),
    (0.06, (225, 228, 230), (20, 50, 130)),
    (0.18, (238, 196, 48), (20, 20, 20)),
    (0.08, (28, 28, 30), (225, 225, 220)),
    (0.04, (30, 70, 150), (235, 235, 235)),
    (0.04, (40, 130, 80), (240, 240, 240)),
    (0.04, (170, 172, 170), (30, 30, 30)),
)


@dataclass(frozen=True)
class Place:
    """Location of a plate: centre and width in pixels."""

    x: float
    y: float
    width: float


def paste_plate(pixels: np.ndarray, mask: np.ndarray, place: Place, fonts: list[str], rng: np.random.Generator) -> None:
    """Draws a plate into `pixels` (RGB) and its outline into `mask` (255), in place."""
    plate = _plate(fonts, rng)
    rows, columns = plate.shape[:2]
    quad = _quad(place, rows / columns, rng)
    if np.linalg.norm(quad[1] - quad[0]) < _SHORTEST_PX:
        return
    size = pixels.shape[1], pixels.shape[0]
    shrink = max(1.0, columns / max(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[3] - quad[0]), 1.0))
    if shrink > 1.5:
        # A warp alone would skip most of the drawing's pixels and alias.
        plate = cv2.resize(plate, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
        rows, columns = plate.shape[:2]
    corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    alpha = cv2.warpPerspective(np.full((rows, columns), 255, np.uint8), matrix, size, flags=cv2.INTER_LINEAR)
    if not alpha.any():
        return
    surroundings = cv2.dilate((alpha > 0).astype(np.uint8), np.ones((15, 15), np.uint8)) > 0
    light = np.clip(pixels[surroundings].mean() / 120, 0.3, 1.1) * rng.uniform(0.75, 1.2)
    drawn = cv2.warpPerspective(plate, matrix, size, flags=cv2.INTER_LINEAR).astype(np.float32) * light
    if rng.random() < 0.4:
        drawn *= _gradient(size, rng)[..., None]
    share = (alpha.astype(np.float32) / 255)[..., None]
    if rng.random() < 0.5:
        share = cv2.GaussianBlur(share, (3, 3), 0)[..., None]
    pixels[:] = (pixels * (1 - share) + drawn * share).clip(0, 255).astype(np.uint8)
    cv2.fillConvexPoly(mask, quad.round().astype(np.int32), 255)


def write_words(pixels: np.ndarray, fonts: list[str], rng: np.random.Generator) -> None:
    """Draws text other than plates: camera dates, watermarks, badges. In place."""
    height, width = pixels.shape[:2]
    words = ("2019/08/14 11:37", "14.08.2021", "alamy stock photo", "HYBRID", "TURBO", "4x4", "www.cars.example", "1.6 TDI", "SALE 24h", "Service")
    image = Image.fromarray(pixels)
    for _ in range(int(rng.integers(1, 4))):
        font = ImageFont.truetype(fonts[int(rng.integers(len(fonts)))], int(rng.integers(8, 42)))
        word = words[int(rng.integers(len(words)))] if rng.random() < 0.6 else _fill("A" * int(rng.integers(3, 10)), rng)
        grey = int(rng.choice([20, 230, 255, 128]))
        colour = (grey, grey, grey) if rng.random() < 0.7 else tuple(int(value) for value in rng.integers(0, 256, 3))
        at = (int(rng.integers(-20, width - 20)), int(rng.integers(0, height - 8)))
        ImageDraw.Draw(image).text(at, word, font=font, fill=colour)
    pixels[:] = np.asarray(image)


def _fill(pattern: str, rng: np.random.Generator) -> str:
    def one(character: str) -> str:
        source = _LETTERS if character == "A" else _DIGITS if character == "0" else character
        return source[int(rng.integers(len(source)))]

    return "".join(one(character) for character in pattern)


def _plate(fonts: list[str], rng: np.random.Generator) -> np.ndarray:
    two_rows = rng.random() < 0.2
    aspect = rng.uniform(1.3, 2.2) if two_rows else rng.choice([4.7, 4.5, 3.2, 2.0, 2.6], p=[0.45, 0.15, 0.15, 0.15, 0.10])
    width = int(_HEIGHT * aspect)
    chances = np.array([colour[0] for colour in _COLOURS])
    _, face, ink = _COLOURS[int(rng.choice(len(_COLOURS), p=chances / chances.sum()))]
    image = Image.new("RGB", (width, _HEIGHT), face)
    pen = ImageDraw.Draw(image)
    left = 0
    if rng.random() < 0.4 and not two_rows:
        left = int(_HEIGHT * 0.38)
        pen.rectangle((0, 0, left, _HEIGHT), fill=(20, 50, 140))
    rows = _TWO_ROWS[int(rng.integers(len(_TWO_ROWS)))] if two_rows else (_PATTERNS[int(rng.integers(len(_PATTERNS)))],)
    small_print = rng.random() < 0.25
    top, bottom = (_HEIGHT * (0.16 if small_print else 0.08)), _HEIGHT * (0.84 if small_print else 0.92)
    name = fonts[int(rng.integers(len(fonts)))]
    for row, pattern in enumerate(rows):
        band = (bottom - top) / len(rows)
        _write(image, _fill(pattern, rng), name, (left + width * 0.03, top + row * band, width * 0.97, top + (row + 1) * band), ink)
    if small_print:
        tiny = ImageFont.truetype(name, 14)
        pen.text((width * 0.3, 1), _fill("AAAAAAAA", rng), font=tiny, fill=ink)
    if rng.random() < 0.6:
        pen.rectangle((2, 2, width - 3, _HEIGHT - 3), outline=ink, width=int(rng.integers(2, 5)))
    plate = np.asarray(image).copy()
    if rng.random() < 0.4:
        rim = int(rng.integers(5, 16))
        dark = int(rng.integers(10, 70))
        plate = cv2.copyMakeBorder(plate, rim, rim + int(rng.integers(0, 18)), rim, rim, cv2.BORDER_CONSTANT, value=(dark,) * 3)
    chance = rng.random()
    if chance < 0.1:
        plate = cv2.GaussianBlur(plate, (0, 0), float(rng.uniform(8, 30)))
    elif chance < 0.16:
        dirt = cv2.resize(rng.random((4, 12)).astype(np.float32), plate.shape[1::-1])[..., None] * rng.uniform(0.3, 0.8)
        plate = (plate * (1 - dirt) + np.array([120, 105, 85]) * dirt).astype(np.uint8)
    elif chance < 0.22:
        plate = (plate + (255.0 - plate) * rng.uniform(0.4, 0.85)).astype(np.uint8)
    return plate


def _write(image: Image.Image, text: str, font: str, box: tuple[float, float, float, float], ink: tuple[int, int, int]) -> None:
    """Stretches `text` to fill `box`, like the narrow letters of plates."""
    face = ImageFont.truetype(font, 90)
    left, top, right, bottom = face.getbbox(text)
    drawn = Image.new("L", (max(1, right - left), max(1, bottom - top)), 0)
    ImageDraw.Draw(drawn).text((-left, -top), text, font=face, fill=255)
    height = int((box[3] - box[1]) * 0.86)
    width = int(min(box[2] - box[0], drawn.width * height / drawn.height * 1.05))
    drawn = drawn.resize((max(1, width), max(1, height)))
    at = (int((box[0] + box[2] - width) / 2), int((box[1] + box[3] - height) / 2))
    image.paste(Image.new("RGB", drawn.size, ink), at, drawn)


def _quad(place: Place, aspect: float, rng: np.random.Generator) -> np.ndarray:
    """Returns the corners of a plate rotated in space, clockwise from top left."""
    turned = np.cos(min(abs(rng.normal(0, 0.55)), 1.2))
    half = np.array([place.width / 2 * turned, place.width / 2 * aspect])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float) * half
    slope = rng.normal(0, 0.10) + np.sqrt(1 - turned**2) * rng.normal(0, 0.2)
    corners[:, 1] += corners[:, 0] * slope
    squeeze = 1 + np.sqrt(1 - turned**2) * rng.uniform(-0.12, 0.12)
    corners[[0, 3], 1] *= squeeze
    corners[[1, 2], 1] /= squeeze
    angle = rng.normal(0, 0.05)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return corners @ spin.T + np.array([place.x, place.y])


def _gradient(size: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    coarse = rng.uniform(0.55, 1.25, (3, 4)).astype(np.float32)
    return cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC)
