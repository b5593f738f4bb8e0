import type { DamageType, Severity } from '../../../src/domain/damage.ts';
import { SEVERITIES } from '../../../src/domain/damage.ts';
import type { Box, Size } from '../../../src/domain/geometry.ts';
import { DETECTOR_LABELS } from '../../../src/domain/sight/detection.ts';
import { checkText } from '../../../src/lib/check.ts';
import { type Static, StringEnum, Type } from '../../../src/lib/type.ts';
import { PhotoPath } from '../coco.ts';

/** Label types: those of the contract, with lamps separate from glass. */
export type LabelledType = DamageType | 'lamp_damage';

/** A damage marked by a labeller in one photo; `box` in pixels of the photo. */
export interface LabelledDamage {
  readonly type: LabelledType;
  readonly severity: Severity;
  /** Part name, or `other:` and a description. */
  readonly part: string;
  readonly box: Box;
  /** False if dirt, a reflection or wear is possible; counts neither as missed nor as a false alarm. */
  readonly sure: boolean;
  /** Id of the vehicle's physical damage shown here; undefined if photos were labelled individually. */
  readonly vehicleDamage: string | undefined;
}

export interface LabelledPhoto {
  /** Path relative to the label file's folder. */
  readonly file: string;
  readonly size: Size;
  /** True if the photo shows a part of the vehicle only. */
  readonly isCloseUp: boolean;
  /** True if nothing is marked, not even unsure damage. */
  readonly clean: boolean;
  readonly damages: readonly LabelledDamage[];
  /** Vehicle of a walk-around; undefined for a single photo. */
  readonly vehicle: string | undefined;
  /** Photos of one group (vehicle, workshop, uploader) stay on the same side of every split. */
  readonly group: string;
}

const Name = Type.String({ minLength: 1, maxLength: 200 });
const Pixels = Type.Integer({ minimum: 1, maximum: 100_000 });
const Side = Type.Number({ minimum: 0, maximum: 1e6 });
const PhotoSchema = Type.Object({
  file: PhotoPath,
  width: Pixels,
  height: Pixels,
  folder: Type.Optional(Name),
  car: Type.Optional(Name),
  source_folder: Type.Optional(Name),
  vehicle: Type.Optional(Name),
  is_closeup: Type.Optional(Type.Boolean()),
  view: Type.Optional(Name),
  damages: Type.Array(
    Type.Object({
      type: StringEnum(DETECTOR_LABELS),
      severity: StringEnum(SEVERITIES),
      part: Type.String({ minLength: 1, maxLength: 100 }),
      bbox: Type.Array(Side, { minItems: 4, maxItems: 4 }),
      sure: Type.Optional(Type.Boolean()),
      vehicle_damage: Type.Optional(Name),
    }),
    { maxItems: 1000 },
  ),
});
const PhotosSchema = Type.Array(PhotoSchema, { minItems: 1, maxItems: 1_000_000 });
const LabelsSchema = Type.Union([Type.Object({ photos: PhotosSchema }), PhotosSchema]);

/**
 * Parses a label file of completely labelled photos as untrusted input: a list of photos, or an object with `photos`.
 * `folder` and `car` mark photos of walk-arounds. `document` is its path, for messages.
 * @throws VehiError kind `input`, `ANNOTATIONS_INVALID`, naming the invalid field.
 */
export function parseLabelledPhotos(text: string, document: string): LabelledPhoto[] {
  const labels = checkText(LabelsSchema, text, {
    document,
    kind: 'input',
    code: 'ANNOTATIONS_INVALID',
    hint: 'Needed is a JSON list of photos (file, width, height, damages: [{type, severity, part, bbox, sure}]), or an object with such a list as photos.',
    nullIsAbsent: true,
  });
  return (Array.isArray(labels) ? labels : labels.photos).map(readPhoto);
}

function readPhoto(photo: Static<typeof PhotoSchema>): LabelledPhoto {
  const { file: name, width, height, folder, car, vehicle: named, source_folder: source } = photo;
  const vehicle = folder !== undefined && car !== undefined ? `${folder} ${car}` : undefined;
  return {
    file: folder === undefined ? name : `${folder}/${name}`,
    size: { width, height },
    isCloseUp: photo.is_closeup ?? photo.view?.includes('close') ?? false,
    clean: photo.damages.length === 0,
    damages: photo.damages.map(
      ({ type, severity, part, bbox, sure = true, vehicle_damage: vehicleDamage }) => {
        const [x = 0, y = 0, width = 0, height = 0] = bbox;
        return { type, severity, part, box: { x, y, width, height }, sure, vehicleDamage };
      },
    ),
    vehicle,
    group: vehicle ?? named ?? source ?? name,
  };
}
