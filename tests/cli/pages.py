"""What a document says to run, and what it shows.

Documents keep to one rule: text that is indented by four columns is commands; files, code and outputs stand between fences.
"""

import re
import textwrap

BEGINS_BLOCK = re.compile(r"(for|while|if) ")
ENDS_BLOCK = re.compile(r"(done|fi)\b")


def blocks(page):
    """The blocks of a document, as they follow each other: ("run" or "shown", text). Code of a named language is left out."""
    found, column, fenced, code = [], 0, None, []
    for line in [*page.read_text(encoding="utf-8").splitlines(), ""]:
        indent = len(line) - len(line.lstrip())
        if fenced is not None:
            if line.strip() == "```":
                if fenced == "```":
                    found.append(("shown", textwrap.dedent("\n".join(code)) + "\n"))
                fenced, code = None, []
            else:
                code.append(line)
        elif line.strip() and indent >= column + 4 and (code or blank):
            code.append(line[column + 4:])
        else:
            if code:
                found.append(("run", "\n".join(code) + "\n"))
                code = []
            if line.strip().startswith("```"):
                fenced = line.strip()
            elif line.strip() and indent < column or indent == 0 and line:
                item = re.match(r"(\d+\.|-) +", line)
                column = len(item.group()) if item else 0
        blank = not line.strip()
    return found


def commands(text):
    """The commands of a block: a line each, loops as a whole."""
    found, depth = [], 0
    for line in text.splitlines():
        if depth:
            found[-1] += f"\n{line}"
        else:
            found.append(line)
        depth += bool(BEGINS_BLOCK.match(line.strip())) - bool(ENDS_BLOCK.match(line.strip()))
    return found
