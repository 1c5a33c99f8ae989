"""The commands `serve` and `completion`."""

from __future__ import annotations

import importlib.util
import os
import sys
import tempfile
import threading
import webbrowser
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import quote

from cyclopts import Group, Parameter
from cyclopts.completion import ShellDetectionError, detect_shell

from unisono.cli import output
from unisono.cli.options.shared import OUTPUT
from unisono.errors import SettingError, UnisonoError
from unisono.web.problems import Limits

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


SERVE_EXAMPLES = """\
Examples:

  unisono serve --open
  unisono serve --port 0
  unisono serve --host 0.0.0.0 --max-upload 20"""
ADDRESS = Group("Address", sort_key=10)
LIMITS = Group("Limits", sort_key=20)
_MEGABYTE = 2**20
_NEEDED = ("fastapi", "uvicorn", "python_multipart")


@Parameter(name="*", group=LIMITS)
@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How much the service takes on.

    Parameters
    ----------
    max_upload
        The largest upload, in megabytes.
    max_files
        The most files of one upload.
    max_storage
        Megabytes that all uploads and results may take on disk.
    max_units
        The most units or ratings of one job.
    max_draws
        The most draws, resamples or permutations of one job.
    max_jobs
        The most jobs that wait or run at once.
    max_seconds
        How long one job may run.
    max_memory
        Megabytes that all worker processes may take together.
    processes
        The most worker processes (as many as there are cores, 4 at most).
    keep
        Seconds to keep data and results after they were last used.
    """

    max_upload: Annotated[float, Parameter(metavar="MB")] = 100.0
    max_files: Annotated[int, Parameter(metavar="N")] = 2000
    max_storage: Annotated[float, Parameter(metavar="MB")] = 1024.0
    max_units: Annotated[int, Parameter(metavar="N")] = 200_000
    max_draws: Annotated[int, Parameter(metavar="N")] = 100_000
    max_jobs: Annotated[int, Parameter(metavar="N")] = 256
    max_seconds: Annotated[float, Parameter(metavar="SECONDS")] = 600.0
    max_memory: Annotated[float, Parameter(metavar="MB")] = 4096.0
    processes: Annotated[int | None, Parameter(metavar="N")] = None
    keep: Annotated[float, Parameter(metavar="SECONDS")] = 3600.0


def serve(
    *,
    host: Annotated[str, Parameter(metavar="ADDRESS", group=ADDRESS)] = "127.0.0.1",
    port: Annotated[int, Parameter(metavar="N", group=ADDRESS)] = 8000,
    open_page: Annotated[
        bool, Parameter(name="--open", negative="", show_default=False, group=ADDRESS)
    ] = False,
    token: Annotated[str | None, Parameter(metavar="TEXT", group=ADDRESS)] = None,
    allow_host: Annotated[
        tuple[str, ...], Parameter(metavar="NAME", negative="", group=ADDRESS, show_default=False)
    ] = (),
    allow_origin: Annotated[
        tuple[str, ...], Parameter(metavar="URL", negative="", group=ADDRESS, show_default=False)
    ] = (),
    bounds: Bounds = Bounds(),
) -> None:
    """Open the web page and the HTTP interface, on this machine only.

    Parameters
    ----------
    host
        The address to listen at; any but this machine's own needs a token.
    port
        The port; 0 for any that is free.
    open_page
        Open the page in a browser.
    token
        What callers must know, or UNISONO_TOKEN in the environment; drawn where one is needed and
        none given.
    allow_host
        A further name under which the service is reached; may be given several times.
    allow_origin
        A page from elsewhere that may call it, such as https://lab.example; none by default.
    """
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        msg = "the web page needs more packages: pip install 'unisono[web]'"
        raise UnisonoError(msg)
    if not 0 <= port <= 65535:
        msg = f"--port is a number from 0 to 65535, got {port}"
        raise SettingError(msg)
    # Here, so that no other command loads them.
    from unisono.web import security  # noqa: PLC0415
    from unisono.web import server as serving  # noqa: PLC0415

    limits = _limits(bounds)
    secret = os.environ.get("UNISONO_TOKEN") if token is None else token
    is_drawn = secret is None and not security.is_loopback(host)
    if is_drawn:
        secret = security.new_token()
    access = security.Access(host=host, token=secret, hosts=allow_host, origins=allow_origin)
    with ExitStack() as stack:
        bound = stack.enter_context(serving.bound_socket(host, port))
        address = serving.address_of(bound, host=host)
        # A browser does not send what follows the #.
        link = f"{address}#token={quote(secret, safe='')}" if secret else address
        if is_drawn:
            _show_once(link, stack)

        def started() -> None:
            # The token is not part of it, because what is printed may be kept in a log.
            print(f"unisono: open {address} (Ctrl-C stops it)", flush=True)
            if open_page:
                threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()

        serving.serve(bound, access=access, limits=limits, on_start=started)
    print("unisono: stopped", file=sys.stderr)


def _show_once(link: str, stack: ExitStack) -> None:
    """Show a link with its token on a terminal; elsewhere keep it in a file for this user alone."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"unisono: others can come in with {link}", file=sys.stderr)
        return
    descriptor, name = tempfile.mkstemp(prefix="unisono-link-", suffix=".txt")  # mode 0600
    stack.callback(Path(name).unlink, missing_ok=True)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(f"{link}\n")
    print(
        f"unisono: the link for others, with its token, is in {name}", file=sys.stderr, flush=True
    )


def _limits(bounds: Bounds) -> Limits:
    return Limits(
        upload_bytes=int(bounds.max_upload * _MEGABYTE),
        files=bounds.max_files,
        storage_bytes=int(bounds.max_storage * _MEGABYTE),
        units=bounds.max_units,
        draws=bounds.max_draws,
        jobs=bounds.max_jobs,
        job_seconds=bounds.max_seconds,
        memory_bytes=int(bounds.max_memory * _MEGABYTE),
        expiry_seconds=bounds.keep,
        processes=bounds.processes or 0,
    )
