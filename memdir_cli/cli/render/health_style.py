"""How the page of the report looks: light and dark, at any width, on paper. No font and no image is loaded."""

from __future__ import annotations

from collections.abc import Mapping

#: Colours by name; every one of the texts stands out from both grounds by 4.5 to 1 or more.
LIGHT: Mapping[str, str] = {
    "ground": "#ffffff", "panel": "#f6f8fa", "text": "#1f2328", "dim": "#56606b", "edge": "#d1d9e0",
    "accent": "#0757b5", "act": "#b3161f", "look": "#7d5300", "fine": "#116329",
}  # fmt: skip
DARK: Mapping[str, str] = {
    "ground": "#0d1117", "panel": "#161b22", "text": "#e6edf3", "dim": "#a1a9b3", "edge": "#30363d",
    "accent": "#6cb0ff", "act": "#ff8b83", "look": "#e3b341", "fine": "#56d364",
}  # fmt: skip

#: Names of the colours in which something is written.
WRITTEN = ("text", "dim", "accent", "act", "look", "fine")
GROUNDS = ("ground", "panel")

_RULES = """
*, *::before, *::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--ground); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif }
header, main, footer { max-width: 60rem; margin: 0 auto; padding: 0 1rem }
header { padding-top: 2rem }
footer { padding-bottom: 3rem; color: var(--dim); font-size: .875rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 0; display: flex; gap: .6rem; align-items: center; flex-wrap: wrap }
h3 { font-size: 1rem; margin: 0 }
p { margin: .25rem 0 }
a { color: var(--accent) }
.dim { color: var(--dim) }
.skip { position: absolute; left: -999rem }
.skip:focus { left: 1rem; top: .5rem; background: var(--ground); padding: .25rem .5rem }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.opening { margin: 1.25rem 0; padding: .75rem 1.1rem; background: var(--panel); border: 1px solid var(--edge);
  border-left: .4rem solid var(--tone); border-radius: .4rem; font-size: 1.1rem }
.opening p:first-of-type { font-weight: 650 }
.act { --tone: var(--act) } .look { --tone: var(--look) } .fine { --tone: var(--fine) }
.badge { color: var(--tone); border: 1px solid currentColor; border-radius: 1rem; padding: 0 .6rem;
  font-size: .8rem; font-weight: 650; line-height: 1.5 }
nav ul { list-style: none; margin: 0 0 1.5rem; padding: 0; display: flex; flex-wrap: wrap; gap: .4rem .5rem }
nav a { display: inline-block; padding: .3rem .7rem; border: 1px solid var(--edge); border-radius: 1rem;
  text-decoration: none; background: var(--panel) }
nav .badge { border: 0; padding: 0 0 0 .35rem }
main > section { margin: 0 0 2.25rem }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  background: var(--panel); border: 1px solid var(--edge); border-radius: .3rem; padding: .05rem .35rem;
  overflow-wrap: anywhere; -webkit-box-decoration-break: clone; box-decoration-break: clone }
.counts { display: grid; align-items: start; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1.25rem }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 650; padding: 0 0 .3rem }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-top: 1px solid var(--edge) }
thead th { color: var(--dim); font-weight: 500; border-top: 0 }
th[scope=row] { font-weight: 500 }
.scroll th[scope=row] { white-space: nowrap !important }
.number { text-align: right; white-space: nowrap }
.bar { width: 45%; padding-right: 0 }
.bar svg { display: block; width: 100%; height: 1.2rem }
.scroll { overflow-x: auto; margin: .6rem 0 0 }
.scroll td, .scroll th { white-space: nowrap }
.items { margin: .6rem 0 0; font-size: .9375rem }
.items caption { font-size: 0; line-height: 0; padding: 0 }
.items th[scope=row] { width: 30% } .items td:last-child { width: 30%; padding-right: 0 }
.items th, .items td { overflow-wrap: anywhere }
.items td .dim { display: block }
.figures { list-style: none; margin: .75rem 0 0; padding: 0; border-top: 1px solid var(--edge) }
.figures > li { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 0 1rem; padding: .7rem 0;
  border-bottom: 1px solid var(--edge) }
.value { grid-row: span 2; font-size: 1.5rem; font-weight: 650; line-height: 1.2; color: var(--tone); margin: 0;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
.fine .value { color: var(--text) }
.value.unknown { font-size: 1rem; color: var(--dim) }
.value small { display: block; font-size: .8rem; font-weight: 400; line-height: 1.35; color: var(--dim) }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; margin: 1rem 0 }
figure { margin: 0; padding: .6rem .75rem; border: 1px solid var(--edge); border-radius: .4rem; break-inside: avoid }
figcaption { display: flex; justify-content: space-between; gap: .5rem; font-weight: 650 }
figcaption span { font-weight: 400; color: var(--dim) }
figure svg { display: block; width: 100%; height: auto; margin-top: .4rem }
svg .fill { fill: var(--accent) } svg .area { fill: var(--accent); opacity: .16 }
svg .line { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round }
svg .axis { stroke: var(--edge) } svg .gap { fill: var(--edge); opacity: .5 }
svg text { fill: var(--dim); font: 11px system-ui, "DejaVu Sans", sans-serif }
@media (max-width: 30rem) {
  .figures > li { grid-template-columns: minmax(0, 1fr) }
  .value small { display: inline; margin-left: .5rem }
  .items, .items tbody, .items tr, .items th, .items td { display: block; width: auto !important; border-top: 0 }
  .items thead { position: absolute; left: -999rem }
  .items tr { border-top: 1px solid var(--edge); padding: .35rem 0 }
  .items th, .items td { padding: .05rem 0 }
}
@media print {
  html { font-size: 9pt }
  body { background: none; line-height: 1.4 }
  header, main, footer { max-width: none; padding: 0 }
  nav, .skip { display: none }
  main > section { break-inside: auto; margin-bottom: 1.25rem }
  h2, h2 + p, thead { break-after: avoid }
  tr, .opening, .counts table { break-inside: avoid }
  .figures > li { padding: .4rem 0 }
  .scroll { overflow: visible } .scroll td, .scroll th { white-space: normal; font-size: 7pt; padding-right: .3rem }
  .charts { grid-template-columns: repeat(4, 1fr) }
}
@page { margin: 16mm }
"""


def sheet() -> str:
    """The whole style sheet. Paper is always light."""
    dark = f"@media (prefers-color-scheme: dark) {{ {_root(DARK)} }}"
    return f"{_root(LIGHT)}\n{dark}\n@media print {{ {_root(LIGHT)} }}{_RULES}"


def _root(colours: Mapping[str, str]) -> str:
    return f":root {{ color-scheme: light dark; {' '.join(f'--{name}: {code};' for name, code in colours.items())} }}"
