import { dirname, resolve } from 'node:path';
import { readInputText } from '../../src/cli/models/evaluation-input.ts';
import type { CliContext } from '../../src/cli/terminal/context.ts';
import { observe } from '../../src/engine/inspect/observe.ts';
import { type LabelledPhoto, parseLabelledPhotos } from './finds/labelled-photos.ts';
import type { Understand } from './finds/measure-finds.ts';

/** Labelled photos and the folder that their names are below. */
interface LabelledFolder {
  readonly folder: string;
  readonly photos: readonly LabelledPhoto[];
}

/** Reads a label file; its photos lie in `images`, else next to it. */
export async function readLabelled(file: string, ctx: CliContext, images?: string): Promise<LabelledFolder> {
  const path = resolve(ctx.cwd, file);
  return {
    folder: images === undefined ? dirname(path) : resolve(ctx.cwd, images),
    photos: parseLabelledPhotos(await readInputText(path), file),
  };
}

/** Returns what an inspection states about a photo whose angle nobody gave. */
export const understand: Understand = (sighting, { index, size }, limits) =>
  observe(sighting, { index, size, angle: null, flaw: null }, { limits, minConfidence: null, widest: limits })
    .observations;
