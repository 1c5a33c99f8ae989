"""The command that lets a shell complete: ``unisono completion``."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.completion import ShellDetectionError, detect_shell

from unisono.cli import output
from unisono.cli.options.shared import OUTPUT
from unisono.errors import SettingError

COMPLETION_EXAMPLES = """\
Examples:

  unisono completion --install
  unisono completion bash > ~/.local/share/bash-completion/completions/unisono
  unisono completion zsh > ~/.zsh/completions/_unisono
  unisono completion fish > ~/.config/fish/completions/unisono.fish"""
Shell = Literal["bash", "zsh", "fish", "powershell"]
_FILE_FALLBACK = ("complete -F _unisono unisono", "complete -o default -F _unisono unisono")


def completion(
    shell: Annotated[Shell | None, Parameter(name="SHELL", show_default=False)] = None,
    /,
    *,
    install: Annotated[bool, Parameter(negative="", show_default=False, group=OUTPUT)] = False,
) -> None:
    """Let a shell complete commands, options and choices.

    Parameters
    ----------
    shell
        For which; without it the one that this runs in.
    install
        Put the script where the shell finds it, add a line to the shell's own file where that is
        needed, and say where, instead of printing it.

    Examples
    --------
    >>> from unisono.cli.main import main
    >>> main(["completion", "tcsh"])
    2
    """
    # Here, because the program loads this file as one of its commands.
    from unisono.cli.app import program  # noqa: PLC0415

    if shell is None:
        try:
            shell = detect_shell()
        except ShellDetectionError:
            msg = "it cannot be told which shell this is; say bash, zsh, fish or powershell"
            raise SettingError(msg) from None
    app = program()
    # What has no choices of its own may be a file.
    script = app.generate_completion(shell=shell).replace(*_FILE_FALLBACK)
    if not install:
        output.write_text(output.STDOUT, script)
        return
    path = app.install_completion(shell=shell)
    output.write_text(str(path), script)
    output.print_done(f"written to {path}; open a new shell for it to take effect")
