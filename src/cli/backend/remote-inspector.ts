import type { Settings } from '../../config/settings.ts';
import type { Angle } from '../../domain/damage.ts';
import type { InspectRequest, PhotoInput, RejectedPhoto } from '../../engine/request.ts';
import type { Engine } from '../../index.ts';
import { VehiError } from '../../lib/errors.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeStatus } from '../terminal/output.ts';
import { createLocalEngine } from './inspect-locally.ts';
import type { Inspector } from './inspector.ts';
import { openRemote, type Remote, refuseLocalFlags } from './remote.ts';
import { inspectRemotely } from './remote-work.ts';
import { toUsageError } from './setting-faults.ts';

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
  promptForAngles: AskForAngles,
  now: () => Date,
  ctx: CliContext,
): Inspector {
  refuseLocalFlags(flags);
  const remote = openRemote({}, ctx);
  return {
    async inspect(request) {
      const { photos, rejected } = request.photos.every(({ angle }) => angle !== undefined)
        ? { photos: request.photos, rejected: [] }
        : await addAngles(request.photos, promptForAngles, () => createLocalEngine(settings, now));
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
    for (const { message } of request.rejected ?? []) await writeStatus(ctx, `vehi: ${message}`);
    throw toUsageError(error, settings);
  }
}

/** Adds the angles to the photos, in order, and separates photos without a known angle and unreadable photos. */
async function addAngles(
  photos: readonly PhotoInput[],
  promptForAngles: AskForAngles,
  openEngine: () => Promise<Engine>,
): Promise<{ photos: readonly PhotoInput[]; rejected: readonly RejectedPhoto[] }> {
  const engine = await openEngine();
  const inferred = new Map<PhotoInput, Angle | RejectedPhoto | null>();
  try {
    for (const photo of photos) if (!photo.angle) inferred.set(photo, await inferAngle(photo, engine));
  } finally {
    await engine.close();
  }
  const answers = await promptForAngles(photos.filter((photo) => inferred.get(photo) === null));
  const all = photos.map((photo): PhotoInput | RejectedPhoto => {
    const found = inferred.get(photo);
    if (found === undefined) return photo;
    if (typeof found === 'string') return { ...photo, angle: found, angleSource: 'parts_seen' };
    const answer = answers.get(photo);
    return answer
      ? { ...photo, angle: answer, angleSource: 'request' }
      : (found ?? rejectWithoutAngle(photo));
  });
  return { photos: all.filter((one) => 'source' in one), rejected: all.filter((one) => 'code' in one) };
}

/** Infers the angle from the parts in a photo: null if inconclusive, a rejection if the photo is unreadable. */
async function inferAngle(photo: PhotoInput, engine: Engine): Promise<Angle | RejectedPhoto | null> {
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
