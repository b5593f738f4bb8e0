import { ANGLES, type Angle } from '../../domain/damage.ts';
import type { PhotoInput } from '../../engine/request.ts';
import { escapeName } from '../../lib/escape-name.ts';
import { humanise } from '../../report/words.ts';
import { type Asker, createTerminalAsker } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeStatus } from '../terminal/output.ts';

/** Answers other than an angle. */
const UNKNOWN = '';
const SKIP_ALL = 'skip_all';

/** Angles named by the user, keyed by photo. */
export type AnglesByPhoto = ReadonlyMap<PhotoInput, Angle>;

/** Prompts for the angle of each photo, until all are answered or the rest is skipped. */
export async function askAngles(photos: readonly PhotoInput[], asker: Asker): Promise<AnglesByPhoto> {
  const angles = new Map<PhotoInput, Angle>();
  for (const [index, photo] of photos.entries()) {
    const remaining = photos.length - index;
    const answer = await asker.select<Angle | typeof UNKNOWN | typeof SKIP_ALL>(
      `What does ${escapeName(photo.url)} show?`,
      [
        { value: UNKNOWN, name: "Don't know" },
        ...(remaining > 1 ? [{ value: SKIP_ALL, name: `Skip all (${remaining} photos left)` } as const] : []),
        ...ANGLES.map((angle) => ({ value: angle, name: humanise(angle) })),
      ],
    );
    if (answer === SKIP_ALL) break;
    if (answer !== UNKNOWN) angles.set(photo, answer);
  }
  return angles;
}

/** Prompts for angles before an upload to a service, which requires them. */
export async function askAnglesForService(
  photos: readonly PhotoInput[],
  ctx: CliContext,
): Promise<AnglesByPhoto> {
  await writeStatus(ctx, 'A service needs the view of each photo; photos without a view are left out.');
  return askAngles(photos, await createTerminalAsker(ctx));
}
