import { dirname, resolve } from 'node:path';
import type { CliContext } from '../../src/cli/terminal/context.ts';
import { observe } from '../../src/engine/inspect/observe.ts';
import { readInputText } from './evaluation-input.ts';
import { type LabelledPhoto, parseLabelledPhotos } from './finds/labelled-photos.ts';
import type { Understand } from './finds/measure-finds.ts';

/** Labelled photos and the folder of their paths. */
export interface LabelledFolder {
  readonly folder: string;
  readonly photos: readonly LabelledPhoto[];
}

/** Reads a label file; its photos are in `images`, else in the file's folder. */
export async function readLabelled(file: string, ctx: CliContext, images?: string): Promise<LabelledFolder> {
  const path = resolve(ctx.cwd, file);
  return {
    folder: images === undefined ? dirname(path) : resolve(ctx.cwd, images),
    photos: parseLabelledPhotos(await readInputText(path), file),
  };
}

/** Returns the observations of an inspection for a photo without a given angle. */
export const understand: Understand = (sighting, { index, size }, limits) =>
  observe(sighting, { index, size, angle: null, issues: [] }, { limits, minConfidence: null, widest: limits })
    .observations;
