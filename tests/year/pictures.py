"""Pictures of the page for the README. ``python -m tests.year.pictures`` takes them, where there is a browser."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.year.test_page import PAGE, browse

#: Name, width and height in pixels, how far down the page, and whether it is dark.
PICTURES = (("desk.png", 1000, 1180, 0, False), ("phone.png", 390, 1100, 0, True))

_FRAME = """<body style="margin:0;overflow:hidden"><iframe id="page" src="report.html"
style="border:0;width:{width}px;height:20000px;position:absolute;top:-{top}px"></iframe>
<script>page.onload = () => {{
  const charts = page.contentDocument.getElementById('trend').getBoundingClientRect().top;
  if ({width} < 500) page.style.top = `-${{charts - 16}}px`;
}}</script>"""


def take(folder: Path) -> None:
    """Every picture, into ``folder``."""
    for name, width, height, top, dark in PICTURES:
        with TemporaryDirectory() as directory:
            place = Path(directory)
            (place / "report.html").write_bytes(PAGE.read_bytes())
            (place / "frame.html").write_text(_FRAME.format(width=width, top=top), "utf-8")
            options = ("--hide-scrollbars", *(("--force-dark-mode",) if dark else ()))
            shot = (f"--window-size={width},{height}", f"--screenshot={folder / name}")
            browse(place, *options, *shot, f"file://{place}/frame.html")
            print(f"took {folder / name}", file=sys.stderr)


if __name__ == "__main__":
    take(PAGE.parent)
