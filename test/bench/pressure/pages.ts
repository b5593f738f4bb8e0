import { join } from 'node:path';
import { endProgram } from '../../helpers/services/own-process.ts';
import { figure, fill, median, startStandIn, timeGet } from './stand-in.ts';

const VISUAL = '/v1/inspections/visual';
const ROUNDS = 300;
const LIMIT = 1.2;

/** Measures the cost of a page by stored inspections: medians of alternating requests, as ratios to ten stored. */
export async function measurePages(work: string, share: number): Promise<Record<string, unknown>> {
  const sizes = [10, 10_000 * share, 100_000 * share];
  const services = [];
  for (const size of sizes) {
    const directory = join(work, `pages-${size}`);
    await fill(directory, size);
    services.push(await startStandIn(directory));
  }
  /** Cursors after half of all inspections. */
  const cursors = await Promise.all(
    services.map(async ({ address, key }, i) => {
      const url = `${address}${VISUAL}?limit=1&offset=${(sizes[i] ?? 0) / 2 - 1}`;
      const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      const page = (await answer.json()) as { data: { pagination: { next_cursor: string } } };
      return page.data.pagination.next_cursor;
    }),
  );
  const pages: Readonly<Record<string, (i: number) => string>> = {
    first_page: () => `${VISUAL}?limit=10`,
    both_kinds: () => '/v1/inspections?limit=10',
    by_status: () => `${VISUAL}?limit=10&status=completed`,
    by_cursor_in_the_middle: (i) => `${VISUAL}?limit=5&cursor=${cursors[i]}`,
    from_a_day_on: () => `${VISUAL}?limit=10&created_after=2020-01-01`,
    up_to_a_day: () => `${VISUAL}?limit=10&created_before=2120-01-01`,
  };
  const results: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(pages)) {
    const times = services.map((): number[] => []);
    for (let round = 0; round < ROUNDS + 50; round++) {
      for (const [i, service] of services.entries()) {
        const ms = await timeGet(service, path(i));
        if (round >= 50) times[i]?.push(ms);
      }
    }
    const [few = Number.NaN, many = Number.NaN, most = Number.NaN] = times.map(median);
    results[name] = {
      ms_at_10: Number(few.toFixed(2)),
      [`${sizes[1]}_over_10`]: figure(many / few, LIMIT),
      [`${sizes[2]}_over_10`]: figure(most / few, LIMIT),
    };
  }
  for (const service of services) await endProgram(service.child);
  return results;
}
