import type { InspectionEnvelope } from '../contract/inspection.ts';
import type { InspectHooks, InspectRequest } from './request.ts';

/** Ids and time, injected so that results can be repeated byte for byte. */
export interface EngineClock {
  now(): Date;
  /** An id that sorts by time, e.g. `newId('vis')` → `vis_01J…`. */
  newId(prefix: string): string;
}

/** The one engine behind the command line, the server and the library. */
export interface Engine {
  inspect(request: InspectRequest, hooks?: InspectHooks): Promise<InspectionEnvelope>;
  /** Finishes what is running, releases the models and the workers. */
  close(): Promise<void>;
}
