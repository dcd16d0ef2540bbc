"""The workflow that has GitHub make the report on the first of each month."""

from __future__ import annotations

#: From the top of the repository. In a file of its own: what GitHub switches off, it switches off whole.
PATH = ".github/workflows/memdir-health.yml"

#: The first line, by which it is known whose file it is.
MARK = "# Written by `memdir install health-workflow`; --remove takes it out again."

TEXT = f"""\
{MARK}
# In a public repository GitHub stops schedules after 60 days without activity; the Actions tab enables them again.
name: Memory health

on:
  schedule:
    # an odd minute: on the hour schedules wait
    - cron: "17 6 1 * *"
  workflow_dispatch:

permissions:
  contents: read

jobs:
  health:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@v4
        with:
          persist-credentials: false
      - uses: actions/setup-python@v5
        with:
          python-version: "3.13"
      - name: Install memdir
        run: python -m pip install --quiet memdir-cli
      - name: Report on the month before
        run: memdir health --month last --format markdown >> "$GITHUB_STEP_SUMMARY"
      - name: Report as a page
        run: memdir health --month last --output memory-health.html
      - uses: actions/upload-artifact@v4
        with:
          name: memory-health
          path: memory-health.html
"""
