/** A signed-in browser session; its token is stored as SHA-256. */
export interface Session {
  readonly sha256: string;
  readonly keyId: string;
  readonly createdAtMs: number;
  readonly usedAtMs: number;
}

export interface SessionStore {
  create(session: Session): Promise<void>;
  get(sha256: string): Promise<Session | undefined>;
  touch(sha256: string, atMs: number): Promise<void>;
  remove(sha256: string): Promise<void>;
  /** Removes sessions created, or last used, before these times. */
  sweep(createdBeforeMs: number, usedBeforeMs: number): Promise<void>;
}
