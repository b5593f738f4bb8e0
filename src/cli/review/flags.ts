/** Flags of `vehi review` as commander hands them over. */
export interface ReviewFlags {
  readonly photos?: string;
  readonly decisions?: string;
  readonly output?: string;
  readonly regions?: string;
  readonly models?: string;
  readonly reviewer?: string;
  readonly now?: string;
}
