/** A running process that works on a store. */
export interface ServiceProcess {
  /** Random, of one run of the process. */
  readonly id: string;
  readonly kind: 'serve' | 'work';
  readonly version: string;
  readonly host: string;
}

/** Which processes live: what one of them holds and will never finish can then be seen. */
export interface ProcessStore {
  /** Notes that a process lives. In a store that one process has for itself, no other lives from then on. */
  begin(process: ServiceProcess): Promise<void>;
  /** Records a heartbeat of the process; to be called every `BEAT_MS`. */
  beat(process: ServiceProcess): Promise<void>;
  end(id: string): Promise<void>;
  living(): Promise<ServiceProcess[]>;
}

/** Work that one process at a time does for all. */
export interface LeaseStore {
  /** Takes a lease, or makes it last from now on; false while another process has it. */
  take(name: string, holder: string, lastsMs: number): Promise<boolean>;
  release(name: string, holder: string): Promise<void>;
}

/** Time between two beats of a process, and after which one that did not beat counts as dead. */
export const BEAT_MS = 10_000;
export const DEAD_MS = 30_000;
