import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type {
  Decision,
  DrawnBox,
  Placement,
  ReviewEvent,
  ReviewSnapshot,
  Said,
  WaitingPhoto,
} from '../../contract/review.ts';

export type Opened = ReviewSnapshot & { readonly inspection: InspectionEnvelope; readonly output: string };

/** What there is before the review: the photos that are being analysed. */
export interface Waiting {
  readonly vehicle_id: string;
  readonly waiting: readonly WaitingPhoto[];
}

/** An answer that is no success; status 0 where nobody answers. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly body: unknown;

  constructor(status: number, code: string, message: string, body: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.body = body;
  }
}

/** A file that a review can be exported as. */
interface ExportFile {
  readonly name: string;
  readonly words: string;
}

/** A picture of a region of a photo. */
interface CutOut extends DrawnBox {
  readonly href: string;
}

/** Who keeps the review and answers the page: the command that serves it, or the service. */
export interface ReviewDoor {
  /** @throws Refused where the page may not review */
  open(): Promise<void>;
  read(): Promise<Opened | Waiting>;
  put(body: {
    readonly revision: number;
    readonly reviewer: string;
    readonly decisions: readonly Decision[];
  }): Promise<ReviewSnapshot>;
  place(imageIndex: number, box: DrawnBox, said: Said): Promise<Placement>;
  /** Looks at a photo ahead of a drawing; a failure is reported when something is drawn. */
  prepare(imageIndex: number): Promise<unknown>;
  finish(revision: number): Promise<unknown>;
  /**
   * Calls `onEvent` for what happens until the connection ends; null where there are no events.
   * @throws Refused where the session is over, or nobody answers
   */
  readonly follow: ((onEvent: (event: ReviewEvent) => void) => Promise<void>) | null;
  /** Address of a photo that waits to be looked at. */
  waitingAddress(index: number): string;
  /** Address of a photo; `side` is the longest in pixels. */
  photoAddress(index: number, side: 320 | 2048): string;
  /**
   * Pictures in the photo's own pixels that show a region, or some of it; none where the view is the sharpest there is.
   */
  cutOuts(index: number, region: DrawnBox, side: number): readonly CutOut[];
  exportAddress(name: string, redact: boolean): string;
  /** Why a photo cannot be shown. */
  whyMissing(index: number): Promise<string>;
  readonly exports: readonly ExportFile[];
  /** Whether number plates can be blurred in exports. */
  readonly canRedact: boolean;
  readonly words: {
    /** What to do where the page may not review. */
    readonly refused: string;
    readonly unreachable: string;
    /** Everything is saved, but nobody answers any more. */
    readonly silent: string;
    /** What finishing does. */
    finish(output: string): string;
    finished(output: string): string;
  };
  /** Where the page came from. */
  readonly back: { readonly href: string; readonly words: string } | null;
}

let current: ReviewDoor | null = null;

/** Uses a door from now on. */
export function useDoor(door: ReviewDoor): void {
  current = door;
}

/** Returns the door in use. */
export function findDoor(): ReviewDoor {
  if (current === null) throw new Error('no review backend was chosen');
  return current;
}

/** Asks where a drawn box lies, and what damage it would be. */
export const placeBox = (imageIndex: number, box: DrawnBox, said: Said = {}) =>
  findDoor().place(imageIndex, box, said);
