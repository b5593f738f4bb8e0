import type { InspectionEnvelope } from '../contract/inspection.ts';
import type { PhotoRejection } from '../domain/photo.ts';
import type { Engine } from '../engine/engine.ts';
import { createPricer } from '../engine/pricer.ts';
import type { InspectRequest } from '../engine/request.ts';
import { loadPhotoRules } from '../images/read/photo-rules.ts';
import { PhotoRejectedError } from '../images/read/rejection.ts';
import { defined } from '../lib/objects.ts';
import { listRequestCurrencies } from '../pricing/currencies.ts';
import type { Tables } from '../pricing/tables/load.ts';
import type { createArtifacts } from './artifacts.ts';

/** State of the engine's models; `failed` means that the last load failed. */
type ModelsState = 'unloaded' | 'loading' | 'ready' | 'failed';

type Artifacts = ReturnType<typeof createArtifacts>;

/** Creates the assessor on top of the engine; requests without region or currency use the service's defaults. */
export function createAssessor(
  engine: Pick<Engine, 'assess'>,
  tables: Tables,
  defaultCurrency?: string | undefined,
) {
  const currencies = listRequestCurrencies(tables, defaultCurrency);
  return {
    /** Region codes accepted in requests. */
    regions: tables.regions.rows.map((row) => row.code),
    /** Currencies accepted in requests. */
    currencies,
    /** Returns region, labor rate and currency of a price. @throws VehiError input INVALID_REGION, INVALID_CURRENCY */
    getTerms(region: string, currency: string | undefined) {
      const { laborRate, fx, partsFx, ...pricer } = createPricer(tables, region, currency);
      return {
        region: pricer.region.code,
        labor_rate_used: laborRate,
        currency: pricer.currency,
        ...defined({ fx, parts_fx: partsFx }),
      };
    },
    /** @throws VehiError input, with `field` and every error in `details.errors`, if the request cannot be priced */
    assess: (body: unknown, context: { assessmentId: string; now: Date; requestId: string }) =>
      engine.assess(body, { ...context, currencies }),
  };
}

/**
 * Creates the backend of the API: engine, assessor, check of photos, and renderers. Models, decoders and renderers load on
 * first use, so the service responds before they are loaded; a failed model load is retried on the next use.
 */
export function createBackend(options: {
  engine: Engine;
  tables: Tables;
  /** Default currency of requests; if absent, USD or the currency of the operator's own region. */
  currency?: string | undefined;
  modelVersion: string;
  /** Blurs number plates in pictures; default true. */
  redacts?: boolean;
}) {
  const { engine } = options;
  let artifacts: Promise<Artifacts> | undefined;
  const loadArtifacts = () => {
    artifacts ??= import('./artifacts.ts').then((module) => module.createArtifacts(options.redacts ?? true));
    return artifacts;
  };
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
  const whenLoaded =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A) => {
      await load();
      return call(...args);
    };
  return {
    /** The first call of the first three may load the models. */
    engine: {
      inspect: whenLoaded(engine.inspect),
      segmentParts: whenLoaded(engine.segmentParts),
      viewOf: whenLoaded(engine.viewOf),
      placeBox: engine.placeBox,
      review: engine.review,
    } as Pick<Engine, 'inspect' | 'segmentParts' | 'viewOf' | 'placeBox' | 'review'>,
    get models() {
      return models;
    },
    /** `ai_model_version` of unfinished inspections. */
    modelVersion: options.modelVersion,
    assessor: createAssessor(engine, options.tables, options.currency),
    photos: { check: checkHeader },
    artifacts: {
      draw: async (...args) => (await loadArtifacts()).draw(...args),
      renderInspectionPdf: async (...args) => (await loadArtifacts()).renderInspectionPdf(...args),
      renderReview: async (...args) => (await loadArtifacts()).renderReview(...args),
      renderAssessmentPdf: async (...args) => (await loadArtifacts()).renderAssessmentPdf(...args),
      renderThumbnail: async (...args) => (await loadArtifacts()).renderThumbnail(...args),
    } satisfies Omit<Artifacts, 'close'>,
    /** Loads the models unless they are loaded. @throws VehiError engine MODEL_… */
    warmUp: load,
    async close() {
      await (await artifacts)?.close();
      await engine.close();
    },
  };
}

/**
 * Checks a photo's header, format and size, by the rules and messages of the decoding reader. Corrupt image data is
 * detected only during analysis.
 */
async function checkHeader(bytes: Uint8Array, name: string): Promise<PhotoRejection | undefined> {
  const { loadCheckedPhoto } = await import('../images/read/checked-photo.ts');
  try {
    await loadCheckedPhoto({ kind: 'bytes', bytes, name }, loadPhotoRules());
    return undefined;
  } catch (error) {
    if (error instanceof PhotoRejectedError) return error.rejection;
    throw error;
  }
}

/** What the API needs to inspect, price and render; it knows neither routes nor the store. */
export type Backend = Omit<ReturnType<typeof createBackend>, 'close'>;

/** The part that opens the photos of an inspection, in this process or in a child. */
export interface PhotoBackend {
  /** @throws VehiError engine if the models cannot run or `signal` aborts. */
  inspect(request: InspectRequest): Promise<InspectionEnvelope>;
  readonly draw: Artifacts['draw'];
}
