import { realpath } from 'node:fs/promises';
import pLimit from 'p-limit';
import type { CapturedPhoto, CaptureState } from '../../contract/capture.ts';
import type { LanguageCode } from '../../domain/language.ts';
import type { PhotoRejection } from '../../domain/photo.ts';
import { MAX_IMAGES } from '../../domain/photo-limits.ts';
import { type Appearance, groupByVehicle } from '../../domain/sight/vehicles.ts';
import type { Engine } from '../../engine/engine.ts';
import { hashBytes } from '../../lib/ids.ts';
import type { CaptureFolder } from './capture-folder.ts';
import type { WantedShot } from './shots.ts';

/** Results of checking a photo during this run. */
interface Checked {
  readonly hints: CapturedPhoto['hints'];
  readonly appearance: Appearance | null;
}

/**
 * Opens a capture of a folder: keeps its state, and checks and stores incoming photos.
 * @param onPhoto called for each stored photo
 */
export async function openCapture(
  run: {
    readonly path: string;
    readonly folder: CaptureFolder;
    readonly shots: readonly WantedShot[];
    readonly vehicleId: string;
    readonly language: LanguageCode;
    readonly engine: Pick<Engine, 'checkPhoto'>;
  },
  onPhoto: (photo: CapturedPhoto) => void,
) {
  const { folder, shots } = run;
  const captureId = hashBytes(await realpath(run.path)).slice(0, 16);
  const checked = new Map<string, Checked>();
  // One photo at a time, because two photos of one slot must not take the same name.
  const serialize = pLimit(1);
  let stage: CaptureState['stage'] = 'open';
  let outcome: CaptureState['outcome'] = [];
  /** Photos that show another vehicle than most do, each with a photo of that one. */
  let otherVehicles: ReadonlyMap<string, string> = new Map();
  /** True if a photo was stored after the inspection had begun, which therefore lacks it. */
  let isOutdated = false;
  const describe = (name: string): CapturedPhoto => {
    const other = otherVehicles.get(name);
    const { hints = [] } = checked.get(name) ?? {};
    return { name, hints: other === undefined ? hints : [{ code: 'other_vehicle', photo: other }, ...hints] };
  };

  async function save(
    slot: string,
    bytes: Uint8Array,
  ): Promise<CapturedPhoto | PhotoRejection | 'no_such_slot' | 'full'> {
    const shot = shots.find((one) => one.slot === slot);
    if (!shot) return 'no_such_slot';
    const replaced = shot.takes_several ? [] : folder.list(slot);
    const isNew = replaced.length === 0;
    if (isNew && folder.photoCount >= MAX_IMAGES) return 'full';
    const found = await run.engine.checkPhoto({ kind: 'bytes', bytes, name: slot }, shot.angle ?? null);
    if (!found.ok) return found.rejection;
    const name = await folder.store(slot, { bytes, format: found.facts.format }, shot.takes_several);
    // A photo of another format replaces one of another name.
    for (const earlier of replaced) if (!folder.list(slot).includes(earlier)) checked.delete(earlier);
    checked.set(name, { hints: [...found.hints], appearance: found.appearance });
    otherVehicles = findOtherVehicles(checked);
    if (stage === 'inspecting') isOutdated = true;
    else stage = 'open';
    const photo = describe(name);
    onPhoto(photo);
    return photo;
  }

  return {
    getState: () => ({
      capture_id: captureId,
      vehicle_id: run.vehicleId,
      language: run.language,
      shots: shots.map((shot) => ({ ...shot, photos: folder.list(shot.slot).map(describe) })),
      stage,
      outcome,
    }),
    save: (slot: string, bytes: Uint8Array) => serialize(() => save(slot, bytes)),
    /** Shows on the page that the photos are being inspected. */
    startInspecting(): void {
      stage = 'inspecting';
      isOutdated = false;
    },
    /** Shows the result; the capture is open again if a photo has come since the inspection began. */
    endInspecting(next: 'finished' | 'failed', lines: readonly string[]): void {
      stage = isOutdated ? 'open' : next;
      outcome = [...lines];
    },
  };
}

/** Returns the photos that show a different vehicle than most do, each with a photo of that one. */
function findOtherVehicles(checked: ReadonlyMap<string, Checked>): ReadonlyMap<string, string> {
  const photos = [...checked];
  const [largest = [], ...others] = groupByVehicle(photos.map(([, { appearance }]) => appearance));
  const [shown = ''] = photos[largest[0] ?? 0] ?? [];
  return new Map(others.flat().map((at) => [photos[at]?.[0] ?? '', shown]));
}
