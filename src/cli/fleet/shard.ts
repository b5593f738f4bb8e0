import { VehiError } from '../../lib/errors.ts';
import { escapeName } from '../../lib/escape-name.ts';
import { hashBytes } from '../../lib/ids.ts';

/** A shard of a fleet: `index` from 1 to `of`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** Exceeds the needs of any fleet; a larger number is a typo. */
const MAX_SHARDS = 100_000;

/** Parses the value of `--shard`. @throws VehiError kind `usage` for anything but I/N with 1 ≤ I ≤ N */
export function parseShard(value: string): Shard {
  const [, index = '', of = ''] = /^(\d{1,9})\/(\d{1,9})$/.exec(value.trim()) ?? [];
  if (index === '') throw makeShardError(value, 'needed is which shard of how many, for example 3/16.');
  const shard = { index: Number(index), of: Number(of) };
  if (shard.of < 1 || shard.of > MAX_SHARDS)
    throw makeShardError(value, `a fleet has 1 to ${MAX_SHARDS} shards.`);
  if (shard.index < 1 || shard.index > shard.of)
    throw makeShardError(value, `shards of ${shard.of} are 1/${shard.of} to ${shard.of}/${shard.of}.`);
  return shard;
}

function makeShardError(value: string, needed: string): VehiError {
  return new VehiError('usage', 'INVALID_REQUEST', `--shard "${escapeName(value)}": ${needed}`);
}

/**
 * Returns true if a vehicle belongs to this shard: SHA-256 of its name (UTF-8, NFC) as a number, modulo the shard
 * count, plus 1. It depends on the name only, so new vehicles move no others, and all machines agree.
 */
export function isInShard({ index, of }: Shard, name: string): boolean {
  const hash = hashBytes(name.normalize('NFC'));
  return Number(BigInt(`0x${hash}`) % BigInt(of)) + 1 === index;
}

/** Returns the name of the summary file, distinct per shard to avoid overwriting. */
export function nameSummary(shard: Shard | undefined): string {
  return `summary${shard ? `-${shard.index}-of-${shard.of}` : ''}.csv`;
}

/** Returns true if a file name without extension is that of a summary, case-insensitive. */
export function isSummary(name: string): boolean {
  return /^summary(-\d+-of-\d+)?$/i.test(name);
}
