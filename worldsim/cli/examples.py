"""Commands whose help begins with examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Sequence


class ExampleCommand(click.Command):
    """A command with examples: each a command line, and what it does if that needs words."""

    def __init__(self, *args: Any, examples: Sequence[tuple[str, str]], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.examples = examples

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, then the text."""
        write_examples(formatter, self.examples)
        super().format_help_text(ctx, formatter)


def write_examples(formatter: click.HelpFormatter, examples: Sequence[tuple[str, str]]) -> None:
    """Write examples into a help page, unwrapped so that they can be copied."""
    width = max((len(line) for line, says in examples if says), default=0)
    with formatter.section("Examples"):
        for line, says in examples:
            gap = " " * formatter.current_indent
            formatter.write(f"{gap}{line:<{width}}  {says}".rstrip() + "\n")
