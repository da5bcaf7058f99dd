"""Text as roff takes it, and the frame of a manual page."""

import re


def text(words):
    """One paragraph's words: no escapes, no requests at the beginning of a line, '-' as it is typed."""
    escaped = words.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", escaped)


def marked(words):
    """Words with Markdown's `code`, **bold** and [links](to): of those to schemas the file's name."""
    words = re.sub(r"`?\[[^]]*\]\([^)]*?([^/)]*\.schema\.json)\)`?", r"`\1`", words)
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", words)
    parts = re.split(r"(`[^`]*`|\*\*.*?\*\*)", words)
    shown = "".join(f"\\fB{text(part.strip('`*'))}\\fR" if part[:1] == "`" or part[:2] == "**" else text(part) for part in parts)
    return re.sub(r"^([.'])", r"\\&\1", shown)


def verbatim(lines):
    return ".PP\n.in +4n\n.EX\n" + "\n".join(text(line) or "\\&" for line in lines) + "\n.EE\n.in\n"


def page(name, section, summary, version, kind, body):
    return (f'.TH "{name.upper()}" {section} "" "catmint {version}" "{kind}"\n'
            f".SH NAME\n{text(name)} \\- {text(summary)}\n{body}")
