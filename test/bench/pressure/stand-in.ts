import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { listProcessWords } from '../../helpers/services/own-process.ts';
import type { ProcessChoices } from '../../server/helpers/service-process.ts';
import { type Running, start } from '../service/load.ts';

/** A measured value, rounded to two decimals, and its limit. */
export const figure = (value: number, limit: number | null) => ({ figure: Number(value.toFixed(2)), limit });

/** Starts a real service over `directory`, except for stand-ins of photos, models and reports. */
export function startStandIn(directory: string, accounts = 1): Promise<Running> {
  mkdirSync(directory, { recursive: true });
  const choices: ProcessChoices = { directory, accounts };
  const words = [...listProcessWords('server/helpers/service-process'), 'serve', JSON.stringify(choices)];
  return start(words, join(directory, 'log'));
}

/** Measures the milliseconds of a GET including its body. */
export async function timeGet({ address, key }: Running, path: string): Promise<number> {
  const startedMs = performance.now();
  const answer = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${key}` } });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return performance.now() - startedMs;
}
