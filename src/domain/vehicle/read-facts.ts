import { escapeFileName } from '../../lib/names.ts';
import {
  FACTS_FROM_PHOTOS,
  type IdentityFacts,
  type Odometer,
  pickIdentity,
  READ_FACTS,
  toKilometers,
} from './claim-file.ts';
import { decodeVin } from './decode-vin.ts';
import { normalizeVehicle } from './stated-facts.ts';

/** A fact read in a photo, in the form used by `vehi.json`. */
export interface FactRead {
  readonly fact: (typeof READ_FACTS)[number];
  readonly value: string;
  /** Left, top, width, height; pixels of the upright photo. */
  readonly box: readonly number[];
  /** Confidence of the least certain character, 0 to 1. */
  readonly confidence: number;
}

/** A photo with the facts read in it. */
export interface PhotoReads {
  readonly url: string;
  readonly read?: readonly FactRead[];
}

/** A value with the photos that show it. */
interface ShownValue {
  readonly value: string;
  readonly urls: readonly string[];
}

/** Lists the values of a fact, the one in most photos first. A photo with several plates counts only its largest. */
function listShown(photos: readonly PhotoReads[], fact: FactRead['fact']): readonly ShownValue[] {
  const votes = photos.flatMap(({ url, read = [] }) => {
    const largest = findLargest(read, fact);
    return largest ? [{ ...largest, url }] : [];
  });
  return groupSame(votes, fact)
    .toSorted((a, b) => b.length - a.length)
    .map((same) => ({
      value: same.reduce((best, one) => (one.confidence > best.confidence ? one : best)).value,
      urls: same.map(({ url }) => url),
    }));
}

/** Groups the readings of one value; the first of a group decides which others are the same. */
function groupSame<V extends FactRead>(
  votes: readonly V[],
  fact: FactRead['fact'],
): readonly (readonly V[])[] {
  const groups: V[][] = [];
  for (const vote of votes) {
    const group = groups.find(([first]) => first && isSameReading(fact, first.value, vote.value));
    if (group) group.push(vote);
    else groups.push([vote]);
  }
  return groups;
}

function findLargest(read: readonly FactRead[], fact: FactRead['fact']): FactRead | undefined {
  const area = ({ box: [, , width = 0, height = 0] }: FactRead) => width * height;
  return read.filter((one) => one.fact === fact).toSorted((a, b) => area(b) - area(a))[0];
}

/** Returns the key of the largest plate read in a photo. */
export function readPlateKey(read: readonly FactRead[] | null): string | undefined {
  const largest = findLargest(read ?? [], 'plate');
  return largest && toPlateKey(largest.value);
}

/** Returns the URL of a photo that shows the given value of a fact. */
export function findPhotoOf(
  photos: readonly PhotoReads[],
  fact: FactRead['fact'],
  value: string | Odometer,
): string | undefined {
  return listShown(photos, fact).find((one) => isSameReading(fact, value, one.value))?.urls[0];
}

/** Returns the value that most photos show; undefined on a tie. */
function findAgreed(photos: readonly PhotoReads[], fact: FactRead['fact']): string | undefined {
  const [first, second] = listShown(photos, fact);
  return first && first.urls.length > (second?.urls.length ?? 0) ? first.value : undefined;
}

/** Returns a key that readings of one plate share: on many plates O and 0, I and 1 look identical. */
export function toPlateKey(plate: string): string {
  const characters = plate.normalize('NFD').toUpperCase();
  return characters
    .replace(/[^A-Z0-9]/g, '')
    .replaceAll('O', '0')
    .replaceAll('I', '1');
}

/**
 * Adds facts read in photos, and the make and year encoded in a VIN read there, to the stated facts, which take
 * precedence. `read` names the added facts.
 * @param vehicle may hold facts added by an earlier call, which are derived again
 */
export function addReadFacts(
  photos: readonly PhotoReads[],
  { read: earlier = [], ...vehicle }: IdentityFacts,
  latestYear: number,
): IdentityFacts {
  const added: readonly string[] = earlier.includes('vin') ? [...earlier, 'vin_check_digit'] : earlier;
  const stated: IdentityFacts = Object.fromEntries(
    Object.entries(vehicle).filter(([name]) => !added.includes(name)),
  );
  const shown = Object.fromEntries(
    READ_FACTS.flatMap((fact) => {
      const value = findAgreed(photos, fact);
      return value === undefined ? [] : [[fact, value]];
    }),
  );
  const isVinTaken = shown.vin !== undefined && (stated.vin ?? shown.vin) === shown.vin;
  const found = {
    ...normalizeVehicle(shown),
    ...(isVinTaken ? decodeVin(shown.vin as string, latestYear) : {}),
  };
  const read = FACTS_FROM_PHOTOS.filter((fact) => stated[fact] === undefined && found[fact] !== undefined);
  if (read.length === 0) return stated;
  const all = { ...found, ...stated } as IdentityFacts;
  return { ...all, ...pickIdentity(all), read };
}

/** Maximum relative difference between two statements of one odometer. */
const ODOMETER_TOLERANCE = 0.01;

/** Codes of `listReadWarnings`. */
export const READ_WARNINGS: readonly string[] = ['read_differs', 'read_disagrees'];

const FACT_WORDS = { plate: 'number plate', vin: 'VIN', odometer: 'odometer' } as const;

/**
 * Warns if the photos show values but not the stated one, or, where none is stated, disagree with each other. Never
 * quotes a plate, because these warnings are printed where plates are blurred.
 */
export function listReadWarnings(
  photos: readonly PhotoReads[],
  vehicle: IdentityFacts,
): readonly { readonly code: string; readonly message: string }[] {
  return READ_FACTS.flatMap((fact) => {
    const shown = listShown(photos, fact);
    const quote = ({ value, urls }: ShownValue) =>
      fact === 'plate'
        ? urls.map(escapeFileName).join(', ')
        : `${value} (${urls.map(escapeFileName).join(', ')})`;
    const stated = vehicle.read?.includes(fact) ? undefined : vehicle[fact];
    const others = shown.filter(({ value }) => stated !== undefined && !isSameReading(fact, stated, value));
    if (others.length > 0 && others.length === shown.length) {
      const given = typeof stated === 'object' ? `${stated.value} ${stated.unit}` : stated;
      const than = fact === 'plate' ? 'the stated one' : `the stated ${given}`;
      const message = `the ${FACT_WORDS[fact]} in the photos differs from ${than}: ${others.map(quote).join(', ')}`;
      return [{ code: 'read_differs', message }];
    }
    if (stated !== undefined || vehicle[fact] !== undefined || shown.length < 2) return [];
    const message = `the photos disagree on the ${FACT_WORDS[fact]}, so none is taken: ${shown.map(quote).join('; ')}`;
    return [{ code: 'read_disagrees', message }];
  });
}

function isSameReading(fact: FactRead['fact'], one: string | Odometer, other: string): boolean {
  if (fact === 'vin') return one === other;
  if (fact === 'plate') return toPlateKey(String(one)) === toPlateKey(other);
  const [a, b] = [readKilometers(one), readKilometers(other)];
  return Math.abs(a - b) <= ODOMETER_TOLERANCE * a;
}

const readKilometers = (odometer: string | Odometer) =>
  toKilometers(normalizeVehicle({ odometer }).odometer as Odometer);
