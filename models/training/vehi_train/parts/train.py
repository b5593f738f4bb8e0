"""Trains the segmenter with a fixed seed; saves a checkpoint after every epoch for resuming."""

import argparse
import json
import queue
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch

from ..context import Context
from ..ema import Ema
from .augment import Sample, augment
from .by_eye import photos_by_eye
from .dataset import Photo, load_photos
from .pseudo import PseudoPhotos, pseudo_pictures
from .scoring import MEAN, STD, close_up_seed, close_ups, network_input, score
from .labels import PARTS
from .learning import optimizer_of, resume, save, set_rate
from .loss import segmentation_loss
from .model import STRIDE, Segmenter
from .shipped import fill_from_shipped, put_norms_back
from .split import held_out_names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--resume", action="store_true", help="go on from the run's last checkpoint")
    parser.add_argument("--init", type=Path, help="start from this shipped model (.onnx) instead of the config's start_from")
    parser.add_argument("--threads", type=int, default=2)


def run(context: Context) -> None:
    """Trains to the config's last epoch; writes last.pt and log.jsonl to the run's folder."""
    config, folder = context.config, context.run_dir
    torch.manual_seed(config["seed"])
    torch.set_num_threads(context.args.threads)
    cv2.setNumThreads(1)
    photos = load_photos(context.data / "parts")
    held_out = held_out_names(config)
    learning = [photo for photo in photos if photo.name not in held_out]
    judging = [photo for photo in photos if photo.name in held_out]

    model = Segmenter(context.weights / config["coco_weights"], len(PARTS))
    if context.args.init:
        fill_from_shipped(model, context.args.init)
        put_norms_back(model, _first_views(learning, config))
    else:
        _restore_batchnorm(model, learning, config)
    if "start_from" in config and not context.args.init:
        start = torch.load(context.runs / config["start_from"], weights_only=True)
        model.load_state_dict(start["average"])
    if "freeze_until" in config:
        model.encoder.freeze(config["freeze_until"])
    model = model.to(memory_format=torch.channels_last)
    ema = Ema(model, config["average_decay"])
    optimizer = optimizer_of(model, config)
    weights = torch.from_numpy(_part_weights(learning))
    pseudo = _pseudo_photos(context)
    by_eye = photos_by_eye(context, held_out=False)
    judged_by_eye = photos_by_eye(context, held_out=True)
    per_epoch = len(learning) + config.get("eye_times", 1) * len(by_eye) + min(len(pseudo), config["pseudo_per_epoch"])
    steps = config["epochs"] * (per_epoch // config["batch"])
    step, first = 0, 0
    if context.args.resume and (folder / "last.pt").exists():
        step, first = resume(folder / "last.pt", model, ema, optimizer)

    for epoch in range(first, config["epochs"]):
        model.train()
        started, totals, count = time.time(), np.zeros(2), 0
        for images, targets, unlabelled in _batches(learning, by_eye, pseudo, config, epoch):
            set_rate(optimizer, config, step, steps)
            with torch.autocast("cpu", torch.bfloat16):
                logits = model(images.to(memory_format=torch.channels_last))
            entropy, dice = segmentation_loss(logits, targets, unlabelled, weights)
            optimizer.zero_grad(set_to_none=True)
            (entropy + dice).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            step += 1
            ema.update(model, step)
            totals += [entropy.item(), dice.item()]
            count += 1
            if count % 10 == 0:
                pace = count * config["batch"] / (time.time() - started)
                print(f"epoch {epoch} step {step}/{steps} loss {totals / count} {pace:.1f} img/s", flush=True)
        entropy, dice = totals / count
        entry = {"epoch": epoch, "entropy": entropy, "dice": dice, "seconds": time.time() - started}
        if (epoch + 1) % config["judge_every"] == 0 or epoch + 1 == config["epochs"]:
            entry |= _judge(ema.model, judging, judged_by_eye, config)
        with (folder / "log.jsonl").open("a") as log:
            log.write(json.dumps(entry) + "\n")
        save(folder / "last.pt", model, ema, optimizer, step, epoch + 1)


def _photo_at(index: int, groups: Sequence[Sequence[Photo]]) -> Photo:
    """Returns a photo by its index in the concatenated groups."""
    for group in groups:
        if index < len(group):
            return group[index]
        index -= len(group)
    raise IndexError(index)


def predictor(model: Segmenter):
    """Wraps the model as a function from images to logits on numpy arrays."""

    @torch.no_grad()
    def predict(images: np.ndarray) -> np.ndarray:
        return model(torch.from_numpy(images)).float().numpy()

    return predict


def _judge(model: Segmenter, photos: list[Photo], by_eye: Sequence[Photo], config: dict) -> dict:
    predict = predictor(model)
    judged = {
        "whole": score(predict, photos, config["size"]),
        "near": score(predict, close_ups(photos, 2, close_up_seed(config)), config["size"]),
    }
    if by_eye:
        judged["by_eye"] = score(predict, list(by_eye), config["size"])
    for name, figures in judged.items():
        keys = ("mean_iou", "pixel_accuracy", "side_accuracy", "outline_iou")
        print(name, *(f"{key} {figures[key]}" for key in keys), flush=True)
    return judged


def _restore_batchnorm(model: Segmenter, photos: list[Photo], config: dict) -> None:
    rng = np.random.default_rng(1)
    batches = []
    for _ in range(8):
        chosen = rng.integers(0, len(photos), 16)
        batches.append(torch.from_numpy(np.stack([network_input(photos[i].pixels, config["size"]) for i in chosen])))
    model.encoder.unfold_batch_norm(batches)


def _first_views(photos: list[Photo], config: dict) -> list[torch.Tensor]:
    """Returns a few batches of training views for the norm statistics of a shipped model."""
    rng = np.random.default_rng(1)
    samples = [augment(photos[int(rng.integers(len(photos)))], photos[int(rng.integers(len(photos)))], config["first_size"], STRIDE, rng) for _ in range(96)]
    pictures = [((sample.pixels.astype(np.float32) / 255 - MEAN) / STD).transpose(2, 0, 1) for sample in samples]
    return [torch.from_numpy(np.stack(pictures[start : start + 16])) for start in range(0, len(pictures), 16)]


def _part_weights(photos: list[Photo]) -> np.ndarray:
    """Computes weights that moderately favour rarer parts: the fourth root of their rarity, between 0.5 and 3."""
    counts = sum(np.bincount(photo.target.reshape(-1), minlength=256)[: len(PARTS)] for photo in photos)
    share = np.maximum(counts / counts.sum(), 1e-6)
    return np.clip((np.median(share) / share) ** 0.25, 0.5, 3.0).astype(np.float32)


def _pseudo_photos(context: Context) -> Sequence[Photo]:
    if context.config["pseudo_per_epoch"] == 0:
        return []
    return PseudoPhotos(pseudo_pictures(context), context.run_dir / "pseudo")


def _batches(
    labelled: list[Photo], by_eye: Sequence[Photo], pseudo: Sequence[Photo], config: dict, epoch: int
) -> Iterator[tuple[torch.Tensor, ...]]:
    """Yields one epoch of batches: every labelled photo, each labelled by eye several times, and some pseudo-labelled;
    reproducible by seed and epoch."""
    rng = np.random.default_rng([config["seed"], epoch])
    extra = rng.permutation(len(pseudo))[: config["pseudo_per_epoch"]]
    seen = np.concatenate([np.tile(np.arange(len(by_eye)), config.get("eye_times", 1)), len(by_eye) + extra])
    order = rng.permutation(np.concatenate([np.arange(len(labelled)), len(labelled) + seen]).astype(int))
    size = config["first_size"] if epoch < config["first_epochs"] else config["size"]
    ready: queue.Queue = queue.Queue(4)

    def sample(index: int) -> Sample:
        photo = _photo_at(index, (labelled, by_eye, pseudo))
        far_share = config.get("far_share", 0.0) if index < len(labelled) else 0.0  # requires a known outline
        return augment(photo, labelled[int(rng.integers(len(labelled)))], size, STRIDE, rng, far_share)

    def work() -> None:
        for start in range(0, len(order) - config["batch"] + 1, config["batch"]):
            samples = [sample(int(index)) for index in order[start : start + config["batch"]]]
            images = np.stack([((s.pixels.astype(np.float32) / 255 - MEAN) / STD).transpose(2, 0, 1) for s in samples])
            targets = np.stack([s.target for s in samples])
            unlabelled = np.stack([s.unlabelled for s in samples])
            ready.put(tuple(torch.from_numpy(array) for array in (images, targets, unlabelled)))
        ready.put(None)

    threading.Thread(target=work, daemon=True).start()
    while (batch := ready.get()) is not None:
        yield batch
