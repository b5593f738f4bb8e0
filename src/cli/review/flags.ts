/** Flags of `vehi review` as commander hands them over. */
export interface ReviewFlags {
  readonly photos?: string;
  readonly decisions?: string;
  readonly output?: string;
  readonly regions?: string;
  readonly models?: string;
  readonly reviewer?: string;
  readonly now?: string;
  /** False for `--no-open`. */
  readonly open?: boolean;
  readonly port?: number;
  readonly host?: string;
  readonly allowHost?: readonly string[];
  readonly idleMinutes?: number;
}
