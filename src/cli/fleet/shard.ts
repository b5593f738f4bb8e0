import { escapeName } from '../../lib/display-name.ts';
import { VehiError } from '../../lib/errors.ts';
import { hashBytes } from '../../lib/ids.ts';

/** One part of a fleet that is shared out: `index` 1 to `of`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** More parts than any fleet needs; a larger number is a slip. */
const MOST_SHARDS = 100_000;

/** Reads the value of `--shard`. @throws VehiError kind `usage` for anything but I/N with 1 ≤ I ≤ N */
export function parseShard(value: string): Shard {
  const [, index = '', of = ''] = /^(\d{1,9})\/(\d{1,9})$/.exec(value.trim()) ?? [];
  if (index === '') throw makeRefusal(value, 'needed is which shard of how many, for example 3/16.');
  const shard = { index: Number(index), of: Number(of) };
  if (shard.of < 1 || shard.of > MOST_SHARDS)
    throw makeRefusal(value, `a fleet has 1 to ${MOST_SHARDS} shards.`);
  if (shard.index < 1 || shard.index > shard.of)
    throw makeRefusal(value, `shards of ${shard.of} are 1/${shard.of} to ${shard.of}/${shard.of}.`);
  return shard;
}

function makeRefusal(value: string, needed: string): VehiError {
  return new VehiError('usage', 'INVALID_REQUEST', `--shard "${escapeName(value)}": ${needed}`);
}

/**
 * Returns whether a vehicle falls to this shard, by its name alone: SHA-256 of the name (UTF-8, composed characters) as
 * one number, modulo the shards, plus 1. So new vehicles move no others, and every machine comes to the same answer.
 */
export function isInShard({ index, of }: Shard, name: string): boolean {
  const hash = hashBytes(name.normalize('NFC'));
  return Number(BigInt(`0x${hash}`) % BigInt(of)) + 1 === index;
}

/** Returns the name of the summary's file: one of each shard, so that none overwrites another. */
export function nameSummary(shard: Shard | undefined): string {
  return `summary${shard ? `-${shard.index}-of-${shard.of}` : ''}.csv`;
}

/** Returns whether the summary of a fleet or of a shard has this name (without its ending), in any case. */
export function isSummary(name: string): boolean {
  return /^summary(-\d+-of-\d+)?$/i.test(name);
}
