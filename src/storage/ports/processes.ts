/** A running process of the service on a store. */
export interface ServiceProcess {
  /** Random, per run of the process. */
  readonly id: string;
  readonly kind: 'serve' | 'work';
  readonly version: string;
  readonly host: string;
}

/** Registry of live processes, which shows what a dead one still holds. */
export interface ProcessStore {
  /** Registers a process. In a single-process store, it replaces all others. */
  register(process: ServiceProcess): Promise<void>;
  /** Records a heartbeat of the process; to be called every `HEARTBEAT_INTERVAL_MS`. */
  heartbeat(process: ServiceProcess): Promise<void>;
  unregister(id: string): Promise<void>;
  listLive(): Promise<ServiceProcess[]>;
}

/** Leases for tasks that one process at a time performs for all. */
export interface LeaseStore {
  /** Acquires or renews a lease; false while another process holds it. */
  acquire(name: string, holder: string, ttlMs: number): Promise<boolean>;
}

/** Heartbeat interval, and the silence after which a process counts as dead. */
export const HEARTBEAT_INTERVAL_MS = 10_000;
export const HEARTBEAT_TIMEOUT_MS = 30_000;
