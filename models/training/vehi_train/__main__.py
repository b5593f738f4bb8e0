"""`python3 -m vehi_train COMMAND --config FILE`: runs COMMAND of the package named by the config's `task`.

A task is a package `vehi_train.<task>` with one module per command. Each module provides `run(context)` and optionally
`add_arguments(parser)` for its own options.
"""
import argparse
import importlib
import tomllib

from .context import Context, TASKS

COMMANDS = ("label", "snap", "prepare", "repeats", "synthesise", "negatives", "train", "export", "fold", "look", "quantize", "evaluate", "missing", "surest", "vehicle")


def main() -> None:
    first = argparse.ArgumentParser(prog="vehi_train", add_help=False)
    first.add_argument("command", choices=COMMANDS)
    first.add_argument("--config", required=True, help="TOML file of the model, such as configs/damage.toml")
    known, _ = first.parse_known_args()

    with open(known.config, "rb") as handle:
        config = tomllib.load(handle)
    task = config.get("task")
    if task not in TASKS:
        raise SystemExit(f"{known.config}: task is {task!r}, but should be one of {', '.join(TASKS)}")
    module = importlib.import_module(f"vehi_train.{task}.{known.command}")

    parser = argparse.ArgumentParser(prog="vehi_train", parents=[first], description=module.__doc__)
    Context.add_arguments(parser)
    if hasattr(module, "add_arguments"):
        module.add_arguments(parser)
    module.run(Context.from_arguments(config, parser.parse_args()))


if __name__ == "__main__":
    main()
