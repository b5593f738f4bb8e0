import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { InspectRequest } from '../../engine/request.ts';
import type { StopSignal } from '../terminal/context.ts';

export interface Inspected {
  readonly envelope: InspectionEnvelope;
  /** The signal that ended the inspection before all photos were done. */
  readonly stopped: StopSignal | null;
}

/** Inspects photos: the engine of this machine, or a service. */
export interface Inspector {
  /** @throws VehiError as the engine or the service; kind `usage` for a region or currency that is unknown */
  inspect(request: InspectRequest): Promise<Inspected>;
  /** Frees models and threads; may be called twice. */
  close(): Promise<void>;
}
