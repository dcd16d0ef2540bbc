"""The page: what stands in it, and how a real browser shows it at phone and desk width, in the dark, on paper."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.cli.render import health_html
from memdir_cli.cli.render.health_charts import chart
from memdir_cli.cli.render.health_style import DARK, GROUNDS, LIGHT, WRITTEN, sheet
from memdir_cli.domain.health import assembling
from memdir_cli.domain.health.report import Report
from tests.domain.health.happened import facts, known
from tests.records import project
from tests.year.place import FIXTURE

PAGE = FIXTURE.parent / "report.html"
HTML = PAGE.read_text("utf-8")

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
BROWSER = next((path for name in BROWSERS if (path := shutil.which(name))), "")

#: Widths in pixels: a small phone, a phone, a desk.
WIDTHS = (320, 390, 1280)

VOID = frozenset({"meta", "link", "br", "img", "hr", "input", "line", "rect", "circle", "polygon", "polyline"})


class Outline(HTMLParser):
    """The elements of a page: tag, attributes, tags above; and whether every one is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str], tuple[str, ...]]] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}, tuple(self.open)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}, tuple(self.open)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes something else"

    def of(self, tag: str) -> list[dict[str, str]]:
        """The attributes of each element of that tag."""
        return [attributes for name, attributes, _ in self.elements if name == tag]


@pytest.fixture(scope="module")
def outline() -> Outline:
    """The page of the year."""
    return Outline(HTML)


def test_nothing_is_loaded_and_nothing_runs(outline: Outline) -> None:
    assert not {"script", "link", "img", "iframe", "object", "embed", "form"} & {tag for tag, _, _ in outline.elements}
    for tag, attributes, _ in outline.elements:
        assert not [name for name in attributes if name.startswith("on") or name in {"src", "srcset", "style"}], tag
        assert attributes.get("href", "#").startswith("#")
    assert not re.findall(r"https?:|url\(|@import|//[a-z]", HTML.replace("<!doctype html>", ""))
    policy = next(one["content"] for one in outline.of("meta") if one.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'")


def test_a_reader_finds_its_way_without_seeing_it(outline: Outline) -> None:
    assert outline.open == [], "everything is closed"
    assert outline.of("html") == [{"lang": "en"}]
    tags = Counter(tag for tag, _, _ in outline.elements)
    assert (tags["h1"], tags["main"], tags["header"], tags["footer"], tags["nav"], tags["title"]) == (1, 1, 1, 1, 1, 16)
    ids = Counter(attributes["id"] for _, attributes, _ in outline.elements if "id" in attributes)
    assert set(ids.values()) == {1}
    assert all("aria-labelledby" in one or "aria-label" in one for one in outline.of("section"))
    named = " ".join(one.get("aria-labelledby", "") for _, one, _ in outline.elements).split()
    assert set(named) <= set(ids)
    assert {one["href"][1:] for one in outline.of("a")} <= set(ids)
    levels = [int(tag[1]) for tag, _, _ in outline.elements if re.fullmatch(r"h[1-6]", tag)]
    assert all(deeper - level <= 1 for level, deeper in itertools.pairwise(levels))


def test_every_table_has_a_caption_and_named_rows_and_columns(outline: Outline) -> None:
    tables, captions = len(outline.of("table")), len(outline.of("caption"))
    assert tables == captions > 10
    assert all("scope" in one for one in outline.of("th"))
    assert all("tbody" in above or "thead" in above for tag, _, above in outline.elements if tag in {"td", "th"})


def test_every_chart_has_a_name_and_its_numbers_as_text(outline: Outline) -> None:
    charts = [one for one in outline.of("svg") if one.get("role") == "img"]
    assert len(charts) == 15
    assert all(len(one["aria-labelledby"].split()) == 2 for one in charts)
    others = [one for one in outline.of("svg") if one.get("role") != "img"]
    assert all(one.get("aria-hidden") == "true" for one in others), "bars stand beside their number"
    assert "2026-01 12; 2026-02 no data; 2026-03 15" in HTML


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_every_text_stands_out_from_its_ground(colours: dict[str, str]) -> None:
    for text in WRITTEN:
        for ground in GROUNDS:
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)


def test_the_style_uses_the_colours_that_are_tested() -> None:
    used = set(re.findall(r"var\(--(\w+)\)", sheet()))
    assert used <= {*LIGHT, "tone"}
    assert not re.findall(r"#[0-9a-f]{3,6}\b", sheet().partition("*, *::before")[2])
    assert LIGHT.keys() == DARK.keys()


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb``."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_whatever_a_key_or_a_probe_holds_is_text() -> None:
    evil = "<script>alert(1)</script>&\"'`"
    one = known(project(status="stale", predicate=evil, id=evil, review_after="2026-09-01"))
    made: Report = assembling.report(facts(one, subject=evil))
    page = health_html.page(made)
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#x27;" in page
    assert Outline(page).open == []


def test_a_chart_leaves_a_gap_where_there_is_no_data() -> None:
    months = [f"2026-{number:02}" for number in range(1, 6)]
    drawn = chart("x", "stale", months, [1, 2, None, 4, 0], stands=True)
    assert drawn.count('<rect class="gap"') == 1
    assert drawn.count("<polyline") == 2, "no line leads over it"
    assert "at most 4" in drawn
    drawn = chart("x", "new", months, [0, 0, None, None, 0], stands=False)
    assert 'class="fill"' not in drawn


# --- a real browser -----------------------------------------------------------------------------

#: Measures the page in frames of every width; printed as the title of the document.
PROBE = """<!doctype html><title>none</title><body><script>
const widths = WIDTHS; const found = {};
function measure(frame, width) {
  const page = frame.contentDocument, root = page.documentElement;
  const wide = [...page.querySelectorAll('body *')].filter(one => !one.closest('.scroll, .skip, svg'))
    .filter(one => { const box = one.getBoundingClientRect(); return box.width && (box.right > width + 1) })
    .map(one => one.tagName + '.' + one.className);
  const small = [...page.querySelectorAll('p, li, td, th, h3, code')].filter(one => one.textContent.trim())
    .filter(one => parseFloat(getComputedStyle(one).fontSize) < 12).length;
  found[width] = {scroll: root.scrollWidth, wide, small, height: root.scrollHeight,
    ground: getComputedStyle(page.body).backgroundColor, text: getComputedStyle(page.body).color,
    links: [...page.querySelectorAll('nav a')].map(one => Math.round(one.getBoundingClientRect().height))};
  if (Object.keys(found).length === widths.length) document.title = JSON.stringify(found);
}
for (const width of widths) {
  const frame = document.createElement('iframe');
  frame.style = `border:0;width:${width}px;height:900px`;
  frame.onload = () => measure(frame, width);
  frame.src = 'report.html';
  document.body.append(frame);
}
</script>"""

needs_browser = pytest.mark.skipif(not BROWSER, reason="there is no browser here")


def browse(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the browser without a window, without a network, with a profile of its own."""
    profile = f"--user-data-dir={folder / 'profile'}"
    quiet = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND")
    files = ("--allow-file-access-from-files", "--enable-logging=stderr", "--virtual-time-budget=10000")
    command = [BROWSER, *quiet, *files, profile, *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


def measured(folder: Path, *options: str) -> dict[str, Any]:
    """What the probe finds, by width."""
    shutil.copy(PAGE, folder / "report.html")
    (folder / "probe.html").write_text(PROBE.replace("WIDTHS", json.dumps(WIDTHS)), "utf-8")
    done = browse(folder, *options, "--window-size=1400,1000", "--dump-dom", f"file://{folder}/probe.html")
    assert "CONSOLE" not in done.stderr, done.stderr
    found = json.loads(re.search(r"<title>(.*?)</title>", done.stdout)[1].replace("&quot;", '"'))  # type: ignore[index]
    assert isinstance(found, dict)
    return found


@needs_browser
def test_a_browser_shows_it_at_phone_and_desk_width_without_scrolling_sideways(tmp_path: Path) -> None:
    for width, page in measured(tmp_path).items():
        assert page["wide"] == [], width
        assert page["scroll"] <= int(width), width
        assert page["small"] == 0, width
        assert min(page["links"]) >= 24, "a finger finds every link"
        assert page["ground"] == rgb(LIGHT["ground"])


@needs_browser
def test_a_browser_that_prefers_the_dark_gets_it(tmp_path: Path) -> None:
    for page in measured(tmp_path, "--force-dark-mode").values():
        assert (page["ground"], page["text"]) == (rgb(DARK["ground"]), rgb(DARK["text"]))


@needs_browser
def test_a_browser_prints_it(tmp_path: Path) -> None:
    target = tmp_path / "report.pdf"
    browse(tmp_path, "--force-dark-mode", f"--print-to-pdf={target}", "--no-pdf-header-footer", PAGE.as_uri())
    content = target.read_bytes()
    assert content.startswith(b"%PDF-")
    pages = len(re.findall(rb"/Type\s*/Page\b", content))
    assert 3 <= pages <= 12
    if shutil.which("pdftotext"):
        text = subprocess.run(["pdftotext", "-layout", target, "-"], capture_output=True, text=True, check=True).stdout
        assert "Needs action" in text
        assert "Every month" in text
        assert "Skip to the report" not in text


def rgb(colour: str) -> str:
    """``#rrggbb`` as a browser tells it."""
    return f"rgb({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))})"
