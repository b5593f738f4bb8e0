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

/** Asks a person for the angles of photos; those that nobody knows are left out of the answer. */
type AskForAngles = (photos: readonly PhotoInput[]) => Promise<ReadonlyMap<PhotoInput, Angle>>;

/**
 * Lets a service inspect. It needs the angle of every photo: where nothing states it, the parts model of this machine
 * shows it, or else a person; a photo that stays without one is rejected, and the others are inspected.
 * @throws VehiError usage for flags that a service does not take; remote without an address or a key
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

/** Sends what is left to send; where that fails, what was left out is reported first, as it may be the reason. */
async function sendRequest(remote: Remote, request: InspectRequest, settings: Settings, ctx: CliContext) {
  try {
    return await inspectRemotely(remote, request, settings, settings.wait.value);
  } catch (error) {
    for (const { message } of request.rejected ?? []) await printStatus(ctx, `vehi: ${message}`);
    throw asUsage(error, settings);
  }
}

/** Returns the photos with their angles, in order, and those without a known angle or that cannot be read. */
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

/** Returns the angle that the parts of a photo show, null where they do not; for a photo that cannot be read, why. */
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
