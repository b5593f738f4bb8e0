import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { tx } from '../../../src/storage/sql/database.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { endProgram, listProcessWords } from '../../helpers/services/own-process.ts';
import { fileHost } from '../../server/helpers/listen.ts';
import type { ProcessChoices } from '../../server/helpers/service-process.ts';
import { type Running, start } from '../service/load.ts';

const VISUAL = '/v1/inspections/visual';

/** A measured value, rounded to two decimals, and its limit. */
export const figure = (value: number, limit: number | null) => ({ figure: Number(value.toFixed(2)), limit });

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

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

/** Replaces the number in an id created by the service. */
const numbered = (id: string, i: number) => `${id.slice(0, -8)}${String(i).padStart(8, '0')}`;

/** Creates one inspection through the service and copies its row in the database until `count` are stored. */
export async function fill(directory: string, count: number): Promise<void> {
  const photos = join(directory, 'photos');
  mkdirSync(photos, { recursive: true });
  const host = await fileHost(photos);
  const images = ['front', 'rear', 'left_side', 'right_side'].map((angle) => {
    writeFileSync(join(photos, angle), 'photo 1920x1080');
    return { url: `${host.url}/${angle}`, angle, type: 'exterior' };
  });
  const service = await startStandIn(directory);
  const answer = await fetch(`${service.address}${VISUAL}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ vehicle_id: 'veh_bench', images }),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
  await endProgram(service.child);
  await host.close();
  const db = openDatabase(join(directory, 'vehi.db'));
  const [row] = await db.all('SELECT * FROM inspections');
  if (row === undefined) throw new Error('no inspection was stored');
  const names = Object.keys(row);
  const insert = `INSERT INTO inspections VALUES (${names.map(() => '?').join(', ')})`;
  const createdAt = (i: number) => new Date(Date.parse(String(row.created_at)) - i * 1_000).toISOString();
  for (let from = 1; from < count; from += 1_000) {
    await db.transaction(function* () {
      for (let i = from; i < Math.min(from + 1_000, count); i++) {
        const id = numbered(String(row.id), i);
        const copy: typeof row = { ...row, id, created_at: createdAt(i) };
        const values = names.map((name) => (copy[name] ?? null) as string | number | null);
        yield* tx.run(insert, values);
      }
    });
  }
  await db.transaction(function* () {
    yield* tx.run('DELETE FROM totals');
    const group = 'account_id, environment, substr(created_at, 1, 10), kind, status, reviewed_at IS NOT NULL';
    yield* tx.run(`INSERT INTO totals SELECT ${group}, count(*) FROM inspections GROUP BY ${group}`);
  });
  await db.close();
}
