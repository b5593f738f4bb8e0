import { realpath } from 'node:fs/promises';
import pLimit from 'p-limit';
import type { CapturedPhoto, CaptureState } from '../../contract/capture.ts';
import type { ShotHint } from '../../domain/grading/check-shot.ts';
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
  readonly hints: readonly ShotHint[];
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
  let outcome: readonly string[] = [];
  const describe = (name: string): CapturedPhoto => ({ name, hints: checked.get(name)?.hints ?? [] });

  async function save(
    slot: string,
    bytes: Uint8Array,
  ): Promise<CapturedPhoto | PhotoRejection | 'no_such_slot' | 'full'> {
    const shot = shots.find((one) => one.slot === slot);
    if (!shot) return 'no_such_slot';
    const isNew = shot.takesSeveral || folder.list(slot).length === 0;
    if (isNew && folder.photoCount >= MAX_IMAGES) return 'full';
    const found = await run.engine.checkPhoto({ kind: 'bytes', bytes, name: slot }, shot.angle ?? null);
    if (!found.ok) return found.rejection;
    const name = await folder.store(slot, { bytes, format: found.facts.format }, shot.takesSeveral);
    checked.set(name, { hints: found.hints, appearance: found.appearance });
    const other = findOtherVehicle(name);
    if (other !== undefined)
      checked.set(name, { ...found, hints: [{ code: 'other_vehicle', photo: other }, ...found.hints] });
    if (stage !== 'inspecting') stage = 'open';
    const photo = describe(name);
    onPhoto(photo);
    return photo;
  }

  /** If this photo shows a different vehicle, returns a photo of the vehicle that most photos show. */
  function findOtherVehicle(name: string): string | undefined {
    const names = [...checked.keys()];
    const [largest = [], ...others] = groupByVehicle(
      names.map((one) => checked.get(one)?.appearance ?? null),
    );
    const isOther = others.some((group) => group.includes(names.indexOf(name)));
    return isOther ? names[largest[0] ?? 0] : undefined;
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
    /** Sets the inspection status shown by the page. */
    setStage(next: CaptureState['stage'], lines: readonly string[] = []): void {
      stage = next;
      outcome = lines;
    },
  };
}
