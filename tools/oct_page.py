# SPDX-License-Identifier: Apache-2.0
"""oct_page.py - what octrace's pages share: style, plots as SVG, tables, the foot."""
import datetime
import html
import io
import os
import pathlib
import re

import matplotlib

matplotlib.use("Agg")
# Light or dark, the page's style has the colour of text; lines are of a grey that both show.
GREY = "#808080"
PALETTE = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#999999", "#F0E442",
           "#AA4499", "#999933"]  # as many as logical streams of paper
matplotlib.rcParams.update({
    "svg.hashsalt": "octrace", "axes.edgecolor": GREY, "xtick.color": GREY, "ytick.color": GREY,
    "xtick.labelcolor": "black", "ytick.labelcolor": "black", "hatch.color": GREY,
    "axes.prop_cycle": matplotlib.cycler(color=PALETTE)})


def for_pages():
    """Text as text, in the page's colour, on the page's ground."""
    matplotlib.rcParams.update({"savefig.transparent": True, "svg.fonttype": "none"})


def figure(canvas, caption, number):
    """A figure of matplotlib as one of a page, its ids made unique by its number."""
    out = io.StringIO()
    canvas.savefig(out, format="svg", metadata={"Date": None})
    svg = out.getvalue()
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>p{number}-", svg)
    svg = re.sub(r'<svg [^>]*?(viewBox="[^"]*")[^>]*>',
                 rf'<svg xmlns="http://www.w3.org/2000/svg" '
                 rf'xmlns:xlink="http://www.w3.org/1999/xlink" role="img" '
                 rf'aria-label="{html.escape(caption, quote=True)}" \1>', svg, count=1)
    return f"<figure>{svg}<figcaption>{html.escape(caption)}</figcaption></figure>"


def table(head, rows, total=None):
    """Rows of cells; total is a last one, told apart."""
    cells = lambda tag, row: "".join(f"<{tag}>{html.escape(str(c))}</{tag}>" for c in row)
    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    if total:
        body += f'<tr class="total">{cells("td", total)}</tr>'
    return (f'<div class="table"><table><thead><tr>{cells("th", head)}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>")


def words(pairs):
    """What the words of a page mean."""
    return ("<div><h3>Meaning of the words</h3><dl>"
            + "".join(f"<dt>{html.escape(w)}</dt><dd>{html.escape(t)}</dd>" for w, t in pairs)
            + "</dl></div>")


def date():
    """Of today, or the one that makes a build repeatable."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc) if epoch \
        else datetime.datetime.now()
    return now.strftime("%Y-%m-%d")


def page(title, body, made, foot="", plots=0):
    """The whole page; made has the version and the command."""
    style = pathlib.Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    return ('<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<link rel="icon" href="data:,">'
            f"<title>{title}</title><style>{style}</style></head><body><h1>{title}</h1>{body}"
            f'<footer data-plots="{plots}"><p>octrace {html.escape(made["version"])}, {date()}: '
            f"<code>{html.escape(made['command'])}</code></p>{foot}</footer></body></html>")
