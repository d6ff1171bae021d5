# SPDX-License-Identifier: Apache-2.0
"""one_line.py - for scripts: their usage, and what goes wrong in one line.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

NAME = pathlib.Path(sys.argv[0]).stem


def fail(text):
    sys.exit(f"{NAME}: {text}")


def refuse(text):
    """A wrong command line ends here, before any work: one line, exit status 2."""
    print(f"{NAME}: {text} (see --help)", file=sys.stderr)
    sys.exit(2)


class Parser(argparse.ArgumentParser):
    """One whose errors are one line each."""

    def error(self, message):
        refuse(message)


def number(text):
    """Type of an option: a number from 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1")
    return int(text)


def file(text):
    """Type of an option: a file that is there."""
    if not pathlib.Path(text).is_file():
        raise argparse.ArgumentTypeError(f"{text}: no such file")
    return pathlib.Path(text)


def verilog_folder(text):
    """Type of an option: a folder with the Verilog of both tracers, as rtl/ has it."""
    for module in "paper/oct_top.v", "shadow/oct_shadow_top.v":
        if not (pathlib.Path(text) / module).is_file():
            raise argparse.ArgumentTypeError(f"{text}: there is no {module}")
    return pathlib.Path(text)


def build_folder(path):
    """The whole path of a folder that Meson has set up; any other ends the script."""
    if not (path / "build.ninja").is_file():
        refuse(f"{path}: not a build folder: scripts/build {path} -Drtl=enabled")
    return path.resolve()


def build(folder, targets):
    """Bring targets of a build folder up to date; it is configured again if it lacks one of them."""
    script = pathlib.Path(__file__).resolve().parent / "build"
    done = subprocess.run([script, folder], env={**os.environ, "OCT_BUILD_TARGETS": " ".join(targets)}, check=False)
    if done.returncode:
        sys.exit(1)  # why is said


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


def pyplot():
    """matplotlib.pyplot for files; its import takes longer than what a --help does."""
    import matplotlib  # pylint: disable=import-outside-toplevel

    matplotlib.use("Agg")
    import matplotlib.pyplot  # pylint: disable=import-outside-toplevel

    return matplotlib.pyplot


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
