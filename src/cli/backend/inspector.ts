import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { InspectRequest } from '../../engine/request.ts';
import type { StopSignal } from '../terminal/context.ts';

/** Inspects photos, with the engine on this machine or a service. */
export interface Inspector {
  /** @throws VehiError as the engine or the service; kind `usage` for an unknown region or currency */
  inspect(request: InspectRequest): Promise<InspectionEnvelope>;
  /** Signal that stopped an inspection before all photos were done, or null. */
  stopped(): StopSignal | null;
  /** Releases models and threads; idempotent. */
  close(): Promise<void>;
}
