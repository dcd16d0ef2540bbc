"""memdir: long-term memory for coding agents, kept in Markdown files with frontmatter.

The floors, from the ground up; imports go down only:

``shapes``
    classes of values as the standard library has them, quick to make
``errors``
    one tree of errors: code, exit status, facts, hint
``domain``
    values and decisions; no disk, no clock, no ids made here
``storage``, ``checks``, ``probes``
    neighbours that do not know each other: the only floor that writes,
    rules over a snapshot, and read-only looks at the world
``operations``
    one verb each: read a snapshot, decide, commit
``cli``
    words: options, rendering, exit statuses
"""

__version__ = "0.1.0"
