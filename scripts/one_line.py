# SPDX-License-Identifier: Apache-2.0
"""one_line.py - for the scripts that print and plot: their usage, and what goes wrong in one line.
"""
import json
import os
import pathlib
import subprocess
import sys

NAME = pathlib.Path(sys.argv[0]).stem


def fail(text):
    sys.exit(f"{NAME}: {text}")


def check_picture(path):
    """Whether a picture can go to path, before the work."""
    path = pathlib.Path(path)
    if path.is_symlink() and not path.exists():
        fail(f"{path}: a link that leads nowhere")
    if not path.name or path.is_dir():
        fail(f"{path}: a folder; expected a file")
    if path.suffix not in (".png", ".svg", ".pdf"):
        fail(f"{path}: expected a name in .png, .svg or .pdf")
    if not path.parent.is_dir():
        fail(f"{path.parent}: no such folder")


def run(usage, main, least=0, most=sys.maxsize, options=()):
    """main(arguments), of which there are `least` to `most`; the first may be one of the options."""
    args = sys.argv[1:]
    if args[:1] == ["--help"]:
        until_closed(print, usage.strip())
        return
    if not least <= len(args) <= most or (args and args[0].startswith("-") and args[0] not in options):
        print(usage.strip(), file=sys.stderr)
        sys.exit(2)
    guard(main, args)


def until_closed(main, *args):
    """main(*args), and what it gives; quiet, as other tools, where nobody reads standard output any more."""
    try:
        try:
            return main(*args)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


def guard(main, *args):
    """main(*args), whose errors are told in one line."""
    try:
        until_closed(main, *args)
    except subprocess.CalledProcessError as error:
        said = (error.stderr or b"").strip()
        fail(said.decode(errors="replace") if isinstance(said, bytes) else said or f"{error.cmd[0]}: exit status {error.returncode}")
    except json.JSONDecodeError as error:
        fail(f"expected JSON, as octrace prints it with --json; line {error.lineno}: {error.msg}")
    except UnicodeDecodeError:
        fail("expected a text")
    except KeyError as error:
        fail(f"expected {error} in what is read")
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else error.strerror)
