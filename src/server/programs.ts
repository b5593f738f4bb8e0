import type { Engine } from '../engine/engine.ts';
import { createPricer } from '../engine/pricer.ts';
import { defined } from '../lib/objects.ts';
import { listRequestCurrencies } from '../pricing/currencies.ts';
import type { Tables } from '../pricing/tables/load.ts';
import type { Assessor, ModelsState, PhotoChecker, Programs } from './ports.ts';

/** Creates the assessor over the engine; requests without region or currency use the service's defaults. */
export function createAssessor(
  engine: Pick<Engine, 'assess'>,
  tables: Tables,
  defaultCurrency?: string | undefined,
): Assessor {
  const currencies = listRequestCurrencies(tables, defaultCurrency);
  return {
    regions: tables.regions.rows.map((row) => row.code),
    currencies,
    getTerms(region, currency) {
      const { laborRate, fx, partsFx, ...pricer } = createPricer(tables, region, currency);
      return {
        region: pricer.region.code,
        labor_rate_used: laborRate,
        currency: pricer.currency,
        ...defined({ fx, parts_fx: partsFx }),
      };
    },
    assess: (body, context) => engine.assess(body, { ...context, currencies }),
  };
}

/**
 * Creates the programs over an engine. Models, decoders and report renderers load on first use, so the service responds
 * before they are loaded; a failed model load is retried on the next use.
 */
export function createPrograms(options: {
  engine: Engine;
  tables: Tables;
  /** Default currency of requests; if absent, USD or the currency of the operator's own region. */
  currency?: string | undefined;
  modelVersion: string;
  /** Blurs number plates in pictures; default true. */
  redacts?: boolean;
}): Programs & { close(): Promise<void> } {
  const { engine } = options;
  let artifacts: Promise<ReturnType<typeof import('./artifacts.ts').createArtifacts>> | undefined;
  const loadArtifacts = () => {
    artifacts ??= import('./artifacts.ts').then(({ createArtifacts }) =>
      createArtifacts(options.redacts ?? true),
    );
    return artifacts;
  };
  let checker: Promise<PhotoChecker> | undefined;
  let models: ModelsState = 'unloaded';
  async function load(): Promise<void> {
    if (models !== 'ready') models = 'loading';
    try {
      await engine.load();
      models = 'ready';
    } catch (error) {
      models = 'failed';
      throw error;
    }
  }
  return {
    engine: {
      async inspect(request, hooks) {
        await load();
        return engine.inspect(request, hooks);
      },
      async lookAt(photo) {
        await load();
        return engine.lookAt(photo);
      },
      async viewOf(photo) {
        await load();
        return engine.viewOf(photo);
      },
      placeBox: engine.placeBox,
      review: engine.review,
    },
    get models() {
      return models;
    },
    modelVersion: options.modelVersion,
    assessor: createAssessor(engine, options.tables, options.currency),
    photos: {
      async check(bytes, name) {
        checker ??= loadHeaderChecker();
        return (await checker).check(bytes, name);
      },
    },
    artifacts: {
      draw: async (...args) => (await loadArtifacts()).draw(...args),
      renderInspectionPdf: async (...args) => (await loadArtifacts()).renderInspectionPdf(...args),
      renderReview: async (...args) => (await loadArtifacts()).renderReview(...args),
      renderAssessmentPdf: async (...args) => (await loadArtifacts()).renderAssessmentPdf(...args),
      renderThumbnail: async (...args) => (await loadArtifacts()).renderThumbnail(...args),
    },
    warmUp: load,
    async close() {
      await (await artifacts)?.close();
      await engine.close();
    },
  };
}

/** Creates the checker of photo headers, which shares rules and messages with the decoding reader. */
async function loadHeaderChecker(): Promise<PhotoChecker> {
  const { checkPhoto } = await import('../images/read/checked-photo.ts');
  const { loadPhotoRules } = await import('../images/read/photo-rules.ts');
  const { RejectedPhoto } = await import('../images/read/rejection.ts');
  const rules = loadPhotoRules();
  return {
    async check(bytes, name) {
      try {
        await checkPhoto({ kind: 'bytes', bytes, name }, rules);
        return undefined;
      } catch (error) {
        if (error instanceof RejectedPhoto) return error.rejection;
        throw error;
      }
    },
  };
}
