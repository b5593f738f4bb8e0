import type { DrawnBox } from '../../contract/review.ts';

/** How the page stands to who keeps the review. */
export type Phase = 'opening' | 'waiting' | 'ready' | 'refused' | 'taken' | 'finished' | 'ended';
/** `silent`: all is saved, and nobody answers. */
export type Saving = 'saved' | 'saving' | 'unreachable' | 'silent';
/** What is under way on the stage. */
export type Mode =
  | { readonly kind: 'look' }
  | { readonly kind: 'draw'; readonly box: DrawnBox | null; readonly key: string | null }
  | { readonly kind: 'merge'; readonly key: string }
  | { readonly kind: 'type' };
export type Dialog = 'none' | 'keys' | 'part' | 'plan' | 'repair' | 'export' | 'finish';

/** Nothing is under way. */
export const LOOK: Mode = { kind: 'look' };
