import { decodeTime } from 'ulid';
import { IDEMPOTENCY_MS } from './http/idempotency.ts';
import type { Services } from './services.ts';

const DAY_MS = 24 * 3_600_000;
const ORPHAN_MS = 3_600_000;
const RATES_KEPT_MS = 2 * 3_600_000;

function madeAt(owner: string): number {
  try {
    return decodeTime(owner.slice(owner.indexOf('_') + 1));
  } catch {
    return Number.NaN;
  }
}

/** Removes inspections past their time, forgotten idempotency keys, and files whose creation never completed. */
export async function keepHouse(services: Services, atStart: boolean): Promise<void> {
  const { store, settings, clock } = services;
  const nowMs = clock.wallMs();
  await store.idempotency.sweep(nowMs - IDEMPOTENCY_MS, atStart);
  await store.rates.sweep(nowMs - RATES_KEPT_MS);
  if (settings.keepDays !== undefined) {
    const before = new Date(nowMs - settings.keepDays * DAY_MS).toISOString();
    for (const id of await store.inspections.purge({ before })) await store.blobs.remove(id);
  }
  if (!atStart) return;
  for (const owner of await store.blobs.owners()) {
    if (nowMs - madeAt(owner) > ORPHAN_MS && !(await store.inspections.get(owner)))
      await store.blobs.remove(owner);
  }
}
