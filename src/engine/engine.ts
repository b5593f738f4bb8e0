import type { InspectionEnvelope } from '../contract/inspection.ts';
import { contentId } from '../lib/ids.ts';
import { inspect } from './inspect/inspect.ts';
import type { PhotoReader, Pricer, Vision } from './ports.ts';
import type { InspectHooks, InspectRequest } from './request.ts';

/** Time and ids of whoever keeps results, injected so that tests can repeat them. */
export interface EngineClock {
  now(): Date;
  /** An id that sorts by time, e.g. `newId('vis')` → `vis_01J…`. */
  newId(prefix: string): string;
}

/** The one engine behind the command line, the server and the library. */
export interface Engine {
  /**
   * Inspects the photos of one vehicle.
   * @throws VehiError kind `usage` for an unknown region or currency, kind `engine` when the models cannot run.
   */
  inspect(request: InspectRequest, hooks?: InspectHooks): Promise<InspectionEnvelope>;
  /** Finishes what is running, releases the models and the workers. */
  close(): Promise<void>;
}

/** The adapters an engine is put together from. */
export interface EngineParts {
  readonly reader: PhotoReader & { close?(): Promise<void> };
  readonly vision: Vision;
  /** Prices by the tables; throws VehiError for a region or currency it does not know. */
  readonly pricerFor: (region: string, currency: string) => Pricer;
  readonly concurrency: number;
  readonly softwareVersion: string;
  readonly now: () => Date;
}

/** An engine over given adapters. Ids come from the content, so that equal input gives equal output. */
export function engineOf(parts: EngineParts): Engine {
  return {
    inspect: async (request, hooks) => {
      const pricer = parts.pricerFor(request.options.region, request.options.currency);
      return inspect(
        request,
        {
          ...parts,
          pricer,
          inspectionId: (digest) => contentId('vis', digest),
          requestId: () =>
            contentId('req', [request.vehicleId, parts.now().toISOString(), String(request.photos.length)]),
        },
        hooks,
      );
    },
    close: async () => {
      await Promise.all([parts.vision.close(), parts.reader.close?.()]);
    },
  };
}
