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
    """Set up completion of commands and options in a shell.

    Parameters
    ----------
    shell
        The shell; by default the one that runs this command.
    install
        Install the script for the shell, and edit its startup file if needed, instead of printing
        the script.
    """
    # Imported here, because `unisono.cli.app` imports this module as a command.
    from unisono.cli.app import program  # noqa: PLC0415

    if shell is None:
        try:
            shell = detect_shell()
        except ShellDetectionError:
            msg = "the shell cannot be detected; choose bash, zsh, fish or powershell"
            raise SettingError(msg) from None
    app = program()
    # Fall back to file names for arguments without choices.
    script = app.generate_completion(shell=shell).replace(*_FILE_FALLBACK)
    if not install:
        output.write_text(output.STDOUT, script)
        return
    path = app.install_completion(shell=shell)
    output.write_text(str(path), script)
    output.print_message(f"written to {path}; open a new shell for it to take effect")


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
class LimitOptions:
    """Limits of the service.

    Parameters
    ----------
    max_upload
        Maximum size of an upload in megabytes.
    max_files
        Maximum number of files per upload.
    max_storage
        Maximum disk space of all uploads and results in megabytes.
    max_units
        Maximum number of units or ratings per job.
    max_draws
        Maximum number of draws, resamples or permutations per job.
    max_jobs
        Maximum number of waiting and running jobs.
    max_seconds
        Timeout of a job.
    max_memory
        Maximum memory of all worker processes in megabytes.
    processes
        Maximum number of worker processes (number of cores, up to 4).
    keep
        Seconds to keep data and results after their last use.
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
    bounds: LimitOptions = LimitOptions(),
) -> None:
    """Start the web interface and the HTTP API on this machine.

    Parameters
    ----------
    host
        The address to listen on; addresses reachable from other machines need a token.
    port
        The port; 0 for any free port.
    open_page
        Open the web page in a browser.
    token
        Access token, also read from UNISONO_TOKEN; generated if one is needed and none is set.
    allow_host
        Another host name of the service; may be repeated.
    allow_origin
        Another web origin that may call the service, such as https://lab.example; may be repeated.
    """
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        msg = "the web interface needs additional packages: pip install 'unisono[web]'"
        raise UnisonoError(msg)
    if not 0 <= port <= 65535:
        msg = f"--port must be a number from 0 to 65535, got {port}"
        raise SettingError(msg)
    # Imported here, so that other commands do not load them.
    from unisono.web import security  # noqa: PLC0415
    from unisono.web import server as serving  # noqa: PLC0415

    limits = _limits(bounds)
    secret = os.environ.get("UNISONO_TOKEN") if token is None else token
    is_generated = secret is None and not security.is_loopback(host)
    if is_generated:
        secret = security.new_token()
    access = security.Access(host=host, token=secret, hosts=allow_host, origins=allow_origin)
    with ExitStack() as stack:
        bound = stack.enter_context(serving.bound_socket(host, port))
        address = serving.address_of(bound, host=host)
        # Browsers do not send the part after #, so it is not in server logs.
        link = f"{address}#token={quote(secret, safe='')}" if secret else address
        if is_generated:
            _publish_link(link, stack)

        def started() -> None:
            # Without the token, because the output may be logged.
            print(f"unisono: open {address} (press Ctrl-C to stop)", flush=True)
            if open_page:
                threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()

        serving.serve(bound, access=access, limits=limits, on_start=started)
    print("unisono: stopped", file=sys.stderr)


def _publish_link(link: str, stack: ExitStack) -> None:
    """Print the link with its token on a terminal; otherwise write it to a private file."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"unisono: link for others, with the token: {link}", file=sys.stderr)
        return
    descriptor, name = tempfile.mkstemp(prefix="unisono-link-", suffix=".txt")  # mode 0600
    stack.callback(Path(name).unlink, missing_ok=True)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(f"{link}\n")
    print(
        f"unisono: the link for others, with the token, is in {name}", file=sys.stderr, flush=True
    )


def _limits(bounds: LimitOptions) -> Limits:
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
