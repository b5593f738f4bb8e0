import type { Angle } from '../../domain/photo.ts';
import { WALK_AROUND } from '../../domain/sight/walk-around.ts';

/** Draws the vehicle from above, front up, and where to stand. */
export function Standpoint({ angle }: { readonly angle: Angle }) {
  // Counter-clockwise, in steps of 45 degrees.
  const step = Math.max(0, (WALK_AROUND as readonly Angle[]).indexOf(angle));
  return (
    <svg class="standpoint" viewBox="0 0 64 64" aria-hidden="true">
      <path
        class="car"
        d="M24 14c3-3 13-3 16 0 1.5 2 2 5 2 9v20c0 4-.5 6-2 7-3 2-13 2-16 0-1.5-1-2-3-2-7V23c0-4 .5-7 2-9Z"
      />
      <path
        class="glass"
        d="M25 25c4-2.500 10-2.500 14 0l-1.500 5h-11ZM26 44h12l1 3c-4 1.500-10 1.500-14 0Z"
      />
      <g transform={`rotate(${-45 * step} 32 32)`}>
        <circle class="eye" cx="32" cy="4.500" r="4" />
        <path class="look" d="M32 9.500 28.500 14h7Z" />
      </g>
    </svg>
  );
}
