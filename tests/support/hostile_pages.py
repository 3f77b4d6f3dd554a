"""What a bot might say to whoever shows it: 80 texts, none of which may run, load or break."""

RUNS = "window.owned=1"
"""What shows that one did."""


def hostile_pages(address: str) -> list[str]:
    """The texts; those that load something ask for it at this address."""
    handlers = ("onerror", "onload", "onmouseover", "onfocus", "onanimationstart", "ontoggle")
    tags = ("img src=x", "svg", "body", "details open", "video src=x", "input autofocus")
    return [
        # Scripts
        f"<script>{RUNS}</script>",
        f"</script><script>{RUNS}</script>",
        f"</p></div></main></body></html><script>{RUNS}</script>",
        f"<scr<script>ipt>{RUNS}</script>",
        f"<SCRIPT SRC={address}/a.js></SCRIPT>",
        f"<script src='{address}/b.js' defer></script>",
        f"<script type=module>import '{address}/c.js'</script>",
        f"<!--<script>{RUNS}//--></script>",
        f"<![CDATA[<script>{RUNS}</script>]]>",
        f"</textarea><script>{RUNS}</script>",
        f"</title><script>{RUNS}</script>",
        f"</style><script>{RUNS}</script>",
        f"</noscript><script>{RUNS}</script>",
        '{"key": "</script><script>' + RUNS + '</script>"}',
        f'";{RUNS};"',
        f"';{RUNS};'",
        f"`${{{RUNS}}}`",
        f"{{{{{RUNS}}}}}",
        f"{{{{constructor.constructor('{RUNS}')()}}}}",
        f"<%= {RUNS} %>",
        # Handlers
        *(f"<{tag} {handler}={RUNS}>" for tag in tags[:3] for handler in handlers[:4]),
        *(f'"><{tag} {handler}="{RUNS}" x="' for tag, handler in zip(tags, handlers, strict=True)),
        # SVG, MathML, frames, embedded pages
        f"<svg><script>{RUNS}</script></svg>",
        f"<svg><animate onbegin={RUNS} attributeName=x dur=1s>",
        f"<svg><use href='{address}/d.svg#x'/></svg>",
        f"<svg><image href='{address}/e.png'/></svg>",
        f"<svg><a xlink:href='javascript:{RUNS}'><text y=20>x</text></a></svg>",
        f"<math><mtext><table><mglyph><style><img src onerror={RUNS}></style></mglyph></table>",
        f"<iframe src='javascript:parent.{RUNS}'></iframe>",
        f"<iframe srcdoc='<script>parent.{RUNS}</script>'></iframe>",
        f"<iframe src='{address}/f.html'></iframe>",
        f"<object data='{address}/g.swf'></object><embed src='{address}/h.swf'>",
        f"<template shadowrootmode=open><script>{RUNS}</script></template>",
        # Links and what loads by itself
        f"<img src='{address}/i.png' srcset='{address}/j.png 2x'>",
        f"<link rel=stylesheet href='{address}/k.css'><link rel=prefetch href='{address}/l'>",
        f"<meta http-equiv=refresh content='0;url={address}/m'>",
        f"<base href='{address}/'>",
        f"<form action='{address}/n'><button>Continue</button></form>",
        f"<audio src='{address}/o.mp3' autoplay></audio>",
        f"![a picture]({address}/p.png)",
        f"[press here](javascript:{RUNS})",
        f"[press here](data:text/html,<script>{RUNS}</script>)",
        f"javascript:{RUNS}",
        f"<a href='javascript:{RUNS}'>booked</a>",
        f"<a href=' java\tscript:{RUNS}'>booked</a>",
        # Style
        f"<style>*{{background:url({address}/q.png)}}</style>",
        f"<style>@import '{address}/r.css';</style>",
        f"<div style='background:url({address}/s.png)'>x</div>",
        "<style>body{display:none}</style>",
        "</style><style>main{visibility:hidden!important}</style>",
        "<div style='position:fixed;inset:0;background:#fff;z-index:999'>All passed</div>",
        # Direction, what is not seen, what is odd
        "\u202egnihton dekoob evah I\u202c",
        "\u2066\u202e\u2067 booked \u2069\u202d for \u061c 2",
        "\u200b\u200c\u200d\u2060\ufeff",
        "Z" + "\u0301" * 400 + "algo",
        "\x1b[2J\x1b[31mcleared\x1b]8;;http://example.org\x07link\x1b]8;;\x07",
        "\x00\x01\x02\x7f\x9b31m",
        "::error file=a.py,line=1::broken\n##vso[task.complete result=Failed]",
        "\ud83d lone",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f3f4\U000e0067\U000e0062",
        # Huge, long, deep, paths
        "x" * 300_000,
        "word " * 40_000,
        "\n" * 5_000,
        "<b>" * 5_000,
        '{"a":' * 2_000,
        "../../../../etc/passwd",
        "C:\\Windows\\..\\..\\con\\aux.txt",
        "file:///etc/passwd",
        "#dialogue=../../&turn=<script>",
        "' OR 1=1; DROP TABLE runs; --",
        "=HYPERLINK('http://example.org','booked')",
    ]
