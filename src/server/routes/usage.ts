import { envelop } from '../../contract/answers.ts';
import { UsageQuerySchema, UsageSchema } from '../../contract/usage.ts';
import { DAY_MS } from '../../lib/durations.ts';
import type { UsageDay } from '../../storage/ports.ts';
import { ApiError } from '../http/api-error.ts';
import { readCaller } from '../http/auth.ts';
import type { App } from '../http/fastify-types.ts';
import type { Services } from '../services.ts';
import { parseTime } from './listing.ts';
import { defineOperations, describeResponse } from './schemas.ts';

const defineAccountOperation = defineOperations('account');

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

const formatDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/**
 * Returns every day of a range.
 * @throws ApiError INVALID_REQUEST for days that do not exist, are in the wrong order, or are too many
 */
function listDays(query: { from?: string; to?: string }, nowMs: number): readonly string[] {
  const parseDay = (text: string | undefined, field: string) => {
    const time = parseTime(text, field);
    return time === undefined ? undefined : Date.parse(time);
  };
  const toMs = parseDay(query.to, 'to') ?? Date.parse(formatDay(nowMs));
  const fromMs = parseDay(query.from, 'from') ?? toMs - (DEFAULT_DAYS - 1) * DAY_MS;
  const count = Math.round((toMs - fromMs) / DAY_MS) + 1;
  if (count < 1) throw new ApiError('INVALID_REQUEST', 'from must not be after to.', { field: 'from' });
  if (count > MAX_DAYS)
    throw new ApiError(
      'INVALID_REQUEST',
      `At most ${MAX_DAYS} days can be listed at once; ${count} were requested.`,
      { field: 'from' },
    );
  return Array.from({ length: count }, (_, index) => formatDay(fromMs + index * DAY_MS));
}

/** Registers `GET /v1/usage`: inspections, photos and assessments per day (extension), open to any valid key. */
export function registerUsageRoutes(app: App, services: Services): void {
  app.get(
    '/v1/usage',
    defineAccountOperation('getUsage', 'Work per day (extension)', {
      querystring: UsageQuerySchema,
      response: { 200: describeResponse(envelop(UsageSchema), 'The days asked for.') },
    }),
    async (request) => {
      const { store, settings, clock } = services;
      const dates = listDays(request.query, clock.wallMs());
      const from = dates[0] ?? '';
      const to = dates.at(-1) ?? '';
      const { id } = readCaller(request).account;
      const usageByDay = new Map(
        (await store.usage.listDays(id, settings.environment, from, to)).map((usage) => [usage.day, usage]),
      );
      const days = dates.map((date) => {
        const { inspections = 0, photos = 0, failed = 0, assessments = 0 } = usageByDay.get(date) ?? {};
        return { date, inspections, photos, failed, assessments };
      });
      const sum = (field: Exclude<keyof UsageDay, 'day'>) =>
        days.reduce((total, day) => total + day[field], 0);
      const totals = {
        inspections: sum('inspections'),
        photos: sum('photos'),
        failed: sum('failed'),
        assessments: sum('assessments'),
      };
      return { status: 'success' as const, data: { from, to, days, totals } };
    },
  );
}
