import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { InspectRequest } from '../../engine/request.ts';
import type { StopSignal } from '../terminal/context.ts';

/** Inspects photos: the engine of this machine, or a service. */
export interface Inspector {
  /** @throws VehiError as the engine or the service; kind `usage` for a region or currency that is unknown */
  inspect(request: InspectRequest): Promise<InspectionEnvelope>;
  /** The signal that ended an inspection before all photos were done. */
  stopped(): StopSignal | null;
  /** Frees models and threads; may be called twice. */
  close(): Promise<void>;
}
