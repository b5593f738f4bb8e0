import { assess } from '../engine/assess.ts';
import type { Engine } from '../engine/engine.ts';
import { pricerOf } from '../engine/pricer.ts';
import { loadPhotoRules } from '../images/photo-rules.ts';
import type { Tables } from '../pricing/tables/load.ts';
import { createArtifacts } from './artifacts.ts';
import { createHeaderChecker } from './photos/check-header.ts';
import type { Assessor, Programs } from './ports.ts';

/** Prices by the tables of the engine; region and currency are the service's where a request names none. */
export function createAssessor(
  tables: Tables,
  defaults: { readonly region: string; readonly currency: string },
  softwareVersion: string,
): Assessor {
  return {
    regions: tables.regions.rows.map((row) => row.code),
    terms(region, currency) {
      const { laborRate, fx, ...priced } = pricerOf(tables, region, currency);
      return {
        region: priced.region.code,
        labor_rate_used: laborRate,
        currency: priced.currency,
        ...(fx === undefined ? {} : { fx }),
      };
    },
    assess: (body, { assessmentId, now, requestId }) =>
      assess(body, {
        tables,
        defaults,
        softwareVersion,
        now: () => now,
        assessmentId: () => assessmentId,
        requestId: () => requestId,
      }),
  };
}

/** The real programs. The models are loaded once, when first needed; a failure to load is tried again next time. */
export function createPrograms(options: {
  createEngine: () => Promise<Engine>;
  tables: Tables;
  defaults: { readonly region: string; readonly currency: string };
  softwareVersion: string;
  modelVersion: string;
}): Programs & { warmUp(): Promise<void>; close(): Promise<void> } {
  const artifacts = createArtifacts();
  let loading: Promise<Engine> | undefined;
  const engine = (): Promise<Engine> => {
    loading ??= options.createEngine().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    engine: { inspect: async (request, hooks) => (await engine()).inspect(request, hooks) },
    modelVersion: options.modelVersion,
    assessor: createAssessor(options.tables, options.defaults, options.softwareVersion),
    photos: createHeaderChecker(loadPhotoRules()),
    artifacts,
    async warmUp() {
      await engine();
    },
    async close() {
      await artifacts.close();
      await (await loading?.catch(() => undefined))?.close();
    },
  };
}
