import { assess } from '../engine/assess/assess.ts';
import type { Engine } from '../engine/engine.ts';
import { pricerOf } from '../engine/pricer.ts';
import type { Tables } from '../pricing/tables/load.ts';
import type { Assessor, ModelsState, PhotoChecker, Programs } from './ports.ts';

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

/**
 * The real programs. Models, decoders and report makers are loaded once, when first needed, so that a service answers
 * before they are; a failure to load the models is tried again next time.
 */
export function createPrograms(options: {
  createEngine: () => Promise<Engine>;
  tables: Tables;
  defaults: { readonly region: string; readonly currency: string };
  softwareVersion: string;
  modelVersion: string;
}): Programs & { close(): Promise<void> } {
  let artifacts: Promise<ReturnType<typeof import('./artifacts.ts').createArtifacts>> | undefined;
  const makers = () => {
    artifacts ??= import('./artifacts.ts').then(({ createArtifacts }) => createArtifacts());
    return artifacts;
  };
  let checker: Promise<PhotoChecker> | undefined;
  let loading: Promise<Engine> | undefined;
  let models: ModelsState = 'unloaded';
  async function load(): Promise<Engine> {
    models = 'loading';
    try {
      const engine = await options.createEngine();
      models = 'ready';
      return engine;
    } catch (error) {
      models = 'failed';
      loading = undefined;
      throw error;
    }
  }
  const engine = (): Promise<Engine> => {
    loading ??= load();
    return loading;
  };
  return {
    engine: { inspect: async (request, hooks) => (await engine()).inspect(request, hooks) },
    get models() {
      return models;
    },
    modelVersion: options.modelVersion,
    assessor: createAssessor(options.tables, options.defaults, options.softwareVersion),
    photos: {
      async check(bytes, name) {
        checker ??= headerChecker();
        return (await checker).check(bytes, name);
      },
    },
    artifacts: {
      annotate: async (...args) => (await makers()).annotate(...args),
      inspectionPdf: async (...args) => (await makers()).inspectionPdf(...args),
      assessmentPdf: async (...args) => (await makers()).assessmentPdf(...args),
    },
    async warmUp() {
      await engine();
    },
    async close() {
      await (await artifacts)?.close();
      await (await loading?.catch(() => undefined))?.close();
    },
  };
}

async function headerChecker(): Promise<PhotoChecker> {
  const { createHeaderChecker } = await import('./photos/check-header.ts');
  const { loadPhotoRules } = await import('../images/read/photo-rules.ts');
  return createHeaderChecker(loadPhotoRules());
}
