import type { Settings } from '../../config/settings.ts';
import type { Angle } from '../../domain/damage.ts';
import type { InspectRequest, PhotoInput, RejectedPhoto } from '../../engine/request.ts';
import type { Engine } from '../../index.ts';
import { VehiError } from '../../lib/errors.ts';
import type { CliContext } from '../terminal/context.ts';
import { printStatus } from '../terminal/progress.ts';
import { createEngineFor } from './inspect-locally.ts';
import type { Inspector } from './inspector.ts';
import { openRemote, type Remote, refuseLocalFlags } from './remote.ts';
import { inspectRemotely } from './remote-work.ts';
import { asUsage } from './setting-faults.ts';

/** Prompts for the angles of photos; photos without an answer are missing from the result. */
type AskForAngles = (photos: readonly PhotoInput[]) => Promise<ReadonlyMap<PhotoInput, Angle>>;

/**
 * Creates an inspector that uses a service, which requires the angle of every photo. Missing angles come from the parts
 * model on this machine, otherwise from the user. Photos that still have none are rejected, and the others inspected.
 * @throws VehiError usage for flags that a service does not support; remote without an address or a key
 */
export function createRemoteInspector(
  flags: Parameters<typeof refuseLocalFlags>[0],
  settings: Settings,
  ask: AskForAngles,
  now: () => Date,
  ctx: CliContext,
): Inspector {
  refuseLocalFlags(flags);
  const remote = openRemote({}, ctx);
  return {
    async inspect(request) {
      const { photos, rejected } = request.photos.every(({ angle }) => angle !== undefined)
        ? { photos: request.photos, rejected: [] }
        : await addAngles(request.photos, ask, () => createEngineFor(settings, now));
      const complete = { ...request, photos, rejected: [...(request.rejected ?? []), ...rejected] };
      return sendRequest(remote, complete, settings, ctx);
    },
    stopped: () => null,
    close: async () => undefined,
  };
}

/** Sends the remaining photos; on failure, the rejected photos are reported first, because they may be the cause. */
async function sendRequest(remote: Remote, request: InspectRequest, settings: Settings, ctx: CliContext) {
  try {
    return await inspectRemotely(remote, request, settings, settings.wait.value);
  } catch (error) {
    for (const { message } of request.rejected ?? []) await printStatus(ctx, `vehi: ${message}`);
    throw asUsage(error, settings);
  }
}

/** Adds the angles to the photos, in order, and separates photos without a known angle and unreadable photos. */
async function addAngles(
  photos: readonly PhotoInput[],
  ask: AskForAngles,
  openEngine: () => Promise<Engine>,
): Promise<{ photos: readonly PhotoInput[]; rejected: readonly RejectedPhoto[] }> {
  const engine = await openEngine();
  const looks = new Map<PhotoInput, Angle | RejectedPhoto | null>();
  try {
    for (const photo of photos) if (!photo.angle) looks.set(photo, await lookFor(photo, engine));
  } finally {
    await engine.close();
  }
  const asked = await ask(photos.filter((photo) => looks.get(photo) === null));
  const known = photos.map((photo): PhotoInput | RejectedPhoto => {
    const look = looks.get(photo);
    if (look === undefined) return photo;
    if (typeof look === 'string') return { ...photo, angle: look, angleSource: 'parts_seen' };
    const named = asked.get(photo);
    return named ? { ...photo, angle: named, angleSource: 'request' } : (look ?? rejectWithoutAngle(photo));
  });
  return { photos: known.filter((one) => 'source' in one), rejected: known.filter((one) => 'code' in one) };
}

/** Infers the angle from the parts in a photo: null if inconclusive, a rejection if the photo is unreadable. */
async function lookFor(photo: PhotoInput, engine: Engine): Promise<Angle | RejectedPhoto | null> {
  try {
    return await engine.viewOf(photo.source);
  } catch (error) {
    if (!(error instanceof VehiError) || error.kind !== 'input') throw error;
    const { found = '', needed = '' } = (error.details ?? {}) as { found?: string; needed?: string };
    return { url: photo.url, code: error.code, message: error.message, found, needed };
  }
}

function rejectWithoutAngle({ url }: PhotoInput): RejectedPhoto {
  const found = 'the side of the vehicle it shows is unknown';
  const needed = 'its angle, in the file name (front_left.jpg) or in vehi.json';
  return {
    url,
    code: 'ANGLE_UNKNOWN',
    message: `${url}: ${found}; a service needs ${needed}`,
    found,
    needed,
  };
}
