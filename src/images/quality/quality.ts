import { setImmediate } from 'node:timers/promises';
import type { Size } from '../../domain/geometry.ts';
import type { PhotoIssue, RgbImage } from '../../domain/photo.ts';
import { roundTo } from '../../lib/round.ts';
import limitsFile from '../data/quality-limits.json' with { type: 'json' };
import { measureExposure } from './exposure.ts';
import { toGrey } from './grey.ts';
import { measureSharpness } from './sharpness.ts';

/** Long side, pixels, at which blur and exposure are judged, so that limits hold for every camera. */
const JUDGED_LONG_SIDE = 1024;

/** Limits of the per-photo warnings. Values and how each was measured: `data/quality-limits.json`. */
export interface QualityLimits {
  readonly recommendedLongSide: number;
  readonly recommendedShortSide: number;
  /** Second over first differences, squared; higher is sharper. */
  readonly minSharpness: number;
  /** Grey level, 0 to 255. */
  readonly minBrightestLevel: number;
  readonly maxBlownOutShare: number;
  readonly maxGlareShare: number;
}

interface LimitsFile {
  readonly limits: Readonly<Record<string, { readonly value: number }>>;
}

/** Reads the shipped limits. */
export function loadQualityLimits(): QualityLimits {
  const file: LimitsFile = limitsFile;
  const value = (name: string): number => {
    const row = file.limits[name];
    if (row === undefined) throw new Error(`data/quality-limits.json has no row "${name}"`);
    return row.value;
  };
  return {
    recommendedLongSide: value('recommended_long_side'),
    recommendedShortSide: value('recommended_short_side'),
    minSharpness: value('min_sharpness'),
    minBrightestLevel: value('min_brightest_level'),
    maxBlownOutShare: value('max_blown_out_share'),
    maxGlareShare: value('max_glare_share'),
  };
}

/**
 * Returns the warnings about one photo (`low_resolution`, `blur`, `dark`, `bright`, `glare`), each with the figure it
 * was judged by.
 * @param size size of the upright original, which the raster may be a reduction of
 */
export async function judgeQuality(
  raster: RgbImage,
  size: Size,
  limits: QualityLimits,
): Promise<readonly PhotoIssue[]> {
  const grey = await toGrey(raster, JUDGED_LONG_SIDE);
  const sharp = await measureSharpness(grey);
  await setImmediate();
  const { brightestLevel, blownOutShare, glareShare } = await measureExposure(grey);
  const issues: PhotoIssue[] = [...findResolutionIssue(size, limits)];
  if (sharp < limits.minSharpness) {
    issues.push({
      code: 'blur',
      value: roundTo(sharp, 3),
      limit: limits.minSharpness,
      message: `blurred (sharpness ${roundTo(sharp, 3)}, needed ${limits.minSharpness}); hold still and let the camera focus`,
    });
  }
  if (brightestLevel < limits.minBrightestLevel) {
    issues.push({
      code: 'dark',
      value: brightestLevel,
      limit: limits.minBrightestLevel,
      message: `too dark (95 % of it below grey level ${brightestLevel} of 255, needed ${limits.minBrightestLevel}); more light shows small damage`,
    });
  }
  if (blownOutShare > limits.maxBlownOutShare) {
    issues.push({
      code: 'bright',
      value: roundTo(blownOutShare, 3),
      limit: limits.maxBlownOutShare,
      message: `too bright (${formatPercent(blownOutShare)} of it burnt out, at most ${formatPercent(limits.maxBlownOutShare)}); damage there cannot be seen`,
    });
  }
  if (glareShare > limits.maxGlareShare) {
    issues.push({
      code: 'glare',
      value: roundTo(glareShare, 3),
      limit: limits.maxGlareShare,
      message: `glare (${formatPercent(glareShare)} of it in burnt-out patches, at most ${formatPercent(limits.maxGlareShare)}); another angle or shade avoids it`,
    });
  }
  return issues;
}

function findResolutionIssue(size: Size, limits: QualityLimits): readonly PhotoIssue[] {
  const long = Math.max(size.width, size.height);
  const short = Math.min(size.width, size.height);
  const longIsShort = long < limits.recommendedLongSide;
  if (!longIsShort && short >= limits.recommendedShortSide) return [];
  return [
    {
      code: 'low_resolution',
      value: longIsShort ? long : short,
      limit: longIsShort ? limits.recommendedLongSide : limits.recommendedShortSide,
      message: `${size.width}x${size.height} pixels; ${limits.recommendedLongSide}x${limits.recommendedShortSide} or more shows small damage better`,
    },
  ];
}

function formatPercent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}
