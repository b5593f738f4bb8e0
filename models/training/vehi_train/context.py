"""Context of every command: the model's config and its four folders."""
import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TASKS = ("damage", "parts", "plates", "vehicle", "classifier", "squares")
PACKAGE_HOME = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Context:
    """`data`, `weights`: inputs. `runs`: caches, logs and checkpoints, never committed. `models`: shipped files."""

    config: dict[str, Any]
    data: Path
    weights: Path
    runs: Path
    models: Path
    args: argparse.Namespace

    @property
    def run_dir(self) -> Path:
        """Returns the folder of this model's run for log, checkpoints and exported candidates."""
        folder = self.runs / (self.args.run or self.config["run"])
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--data", type=Path, default=PACKAGE_HOME / "data", help="folder with damage/ and parts/")
        parser.add_argument("--weights", type=Path, default=PACKAGE_HOME / "weights", help="folder of the COCO weights")
        parser.add_argument("--runs", type=Path, default=PACKAGE_HOME / "runs", help="caches and checkpoints go here")
        parser.add_argument("--run", help="name of the run's folder under --runs; default: the config's")
        parser.add_argument("--models", type=Path, default=PACKAGE_HOME.parent, help="the shipped models")

    @classmethod
    def from_arguments(cls, config: dict[str, Any], args: argparse.Namespace) -> "Context":
        return cls(config, args.data, args.weights, args.runs, args.models, args)
