import type { AssessmentEnvelope } from '../contract/assessment.ts';
import type { InspectionEnvelope } from '../contract/inspection.ts';
import { contentId } from '../lib/ids.ts';
import type { Tables } from '../pricing/tables/load.ts';
import { assess } from './assess/assess.ts';
import { type Comparison, compareInspections } from './compare/comparison.ts';
import { inspect } from './inspect/inspect.ts';
import type { PhotoReader, Vision } from './ports.ts';
import { pricerOf } from './pricer.ts';
import type { InspectHooks, InspectRequest } from './request.ts';

/** Time and ids of whoever keeps results, injected so that tests can repeat them. */
export interface EngineClock {
  now(): Date;
  /** An id that sorts by time, e.g. `newId('vis')` → `vis_01J…`. */
  newId(prefix: string): string;
}

/** Region and currency where a request names none. */
export interface PriceDefaults {
  readonly region: string;
  readonly currency: string;
}

/** What a caller may set for one assessment; ids are made of the content otherwise. */
export interface AssessCall {
  /** Default: those of the engine. */
  readonly defaults?: PriceDefaults;
  readonly assessmentId?: string;
  readonly requestId?: string;
  /** Default: the engine's clock. */
  readonly now?: Date;
}

/** The one engine behind the command line, the server and the library. */
export interface Engine {
  /**
   * Inspects the photos of one vehicle.
   * @throws VehiError kind `usage` for an unknown region or currency, kind `engine` when the models cannot run.
   */
  inspect(request: InspectRequest, hooks?: InspectHooks): Promise<InspectionEnvelope>;
  /**
   * Prices a list of damages: the body of an assessment request. Needs no models.
   * @throws VehiError kind `input` with the contract's code and field; every wrong field in `details.errors`.
   */
  assess(body: unknown, call?: AssessCall): AssessmentEnvelope;
  /** Compares two inspections of one vehicle, the earlier one first. Needs no models. */
  compare(before: InspectionEnvelope, after: InspectionEnvelope): Comparison;
  /** Loads the models unless they are loaded. @throws VehiError kind `engine` */
  load(): Promise<void>;
  /** Finishes what is running, releases the models and the workers. */
  close(): Promise<void>;
}

/** What only an inspection needs; slow to load, so it is opened at the first need. */
export interface Inspectors {
  readonly reader: PhotoReader & { close?(): Promise<void> };
  readonly vision: Vision;
}

/** What an engine is put together from. */
export interface EngineParts {
  /** Loads decoders and models; called once, and again after a failure. */
  readonly openInspectors: () => Promise<Inspectors>;
  readonly tables: Tables;
  readonly defaults: PriceDefaults;
  readonly concurrency: number;
  readonly softwareVersion: string;
  readonly now: () => Date;
}

/** Returns an engine over given parts. Ids come from the content, so that equal input gives equal output. */
export function engineOf(parts: EngineParts): Engine {
  const { tables, softwareVersion } = parts;
  let opening: Promise<Inspectors> | undefined;
  const open = (): Promise<Inspectors> => {
    opening ??= parts.openInspectors().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    async inspect(request, hooks) {
      const pricer = pricerOf(tables, request.options.region, request.options.currency);
      return inspect(
        request,
        {
          ...(await open()),
          pricer,
          concurrency: parts.concurrency,
          softwareVersion,
          now: parts.now,
          inspectionId: (digest) => contentId('vis', digest),
          requestId: () =>
            contentId('req', [request.vehicleId, parts.now().toISOString(), String(request.photos.length)]),
        },
        hooks,
      );
    },
    assess(body, { defaults = parts.defaults, assessmentId, requestId, now: at } = {}) {
      const now = at === undefined ? parts.now : () => at;
      return assess(body, {
        tables,
        defaults,
        softwareVersion,
        now,
        assessmentId: (digest) => assessmentId ?? contentId('asmt', digest),
        requestId: () => requestId ?? contentId('req', [now().toISOString(), JSON.stringify(body)]),
      });
    },
    compare: compareInspections,
    async load() {
      await open();
    },
    async close() {
      const opened = await opening?.catch(() => undefined);
      await Promise.all([opened?.vision.close(), opened?.reader.close?.()]);
    },
  };
}
