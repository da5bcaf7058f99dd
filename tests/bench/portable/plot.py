"""Lines over named columns as SVG, with a logarithmic axis."""

import html
import math

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 720, 320, 64, 56, 28, 150
COLOURS = ("#1f5fa8", "#c25a12", "#2f7d32", "#7a3b9a", "#555555")


def draw(title, columns, lines):
    """`lines` has a list of values a name; None is left out, and 0 lies on the lower edge."""
    values = [value for line in lines.values() for value in line if value]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    high = max(high, low + 1)

    def across(index):
        return LEFT + (WIDTH - LEFT - RIGHT) * (index + 0.5) / len(columns)

    def up(value):
        if value <= 0:
            return HEIGHT - BOTTOM
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (math.log10(value) - low) / (high - low)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/><text x="{LEFT}" y="16" font-size="13">{html.escape(title)}</text>']
    for power in range(low, high + 1):
        y = up(10.0**power)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/><text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">1e{power}</text>')
    for index, column in enumerate(columns):
        x = across(index)
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 12}" text-anchor="end" transform="rotate(-40 {x:.1f} {HEIGHT - BOTTOM + 12})">{html.escape(column)}</text>')
    for number, (name, line) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = [(across(index), up(value)) for index, value in enumerate(line) if value is not None]
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.6" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colour}"/>' for x, y in points]
        parts.append(f'<text x="{WIDTH - RIGHT + 10}" y="{TOP + 16 * number + 8}" fill="{colour}">{html.escape(name)}</text>')
    return "\n".join((*parts, "</svg>\n"))
