import type { DamageType, Severity } from '../../domain/damage.ts';
import { SEVERITIES } from '../../domain/damage.ts';
import type { Box, Size } from '../../domain/geometry.ts';
import { DETECTOR_LABELS } from '../../domain/sight/detection.ts';
import { Field } from '../../lib/field.ts';

/** Types a label may have: the contract's, and lamps apart from panes. */
export type LabelledType = DamageType | 'lamp_damage';

/** One damage that a person marked in one photo; `box` in pixels of the photo. */
export interface LabelledDamage {
  readonly type: LabelledType;
  readonly severity: Severity;
  /** A part's name, or `other:` and what it is. */
  readonly part: string;
  readonly box: Box;
  /** False where dirt, a reflection or wear cannot be excluded: counts neither as missed nor as a false alarm. */
  readonly sure: boolean;
  /** The physical damage of its vehicle that this is a view of; undefined where photos were labelled one by one. */
  readonly vehicleDamage: string | undefined;
}

export interface LabelledPhoto {
  /** Path below the label file's folder. */
  readonly file: string;
  readonly size: Size;
  /** Nothing is marked, not even unsurely. */
  readonly clean: boolean;
  readonly damages: readonly LabelledDamage[];
  /** The vehicle, where several photos of it make a walk-around; undefined for a photo on its own. */
  readonly vehicle: string | undefined;
  /** Photos of one group stay on one side of every split: one vehicle, one workshop, one uploader. */
  readonly group: string;
}

/**
 * Reads a label file of photos that were looked at whole, trusting nothing in it: a list of photos, or an object whose
 * `photos` is one; with `folder` and `car` the photos are of walk-arounds. `document` is its path, for messages.
 * @throws VehiError kind `input`, `ANNOTATIONS_INVALID`, naming the field at fault.
 */
export function parseLabelledPhotos(text: string, document: string): LabelledPhoto[] {
  const root = Field.parse(text, {
    document,
    kind: 'input',
    code: 'ANNOTATIONS_INVALID',
    hint: 'Needed is a JSON list of photos (file, width, height, damages: [{type, severity, part, bbox, sure}]), or an object with such a list as photos.',
  });
  const photos = Array.isArray(root.raw()) ? root : root.get('photos');
  return photos.list(1, 1_000_000).map(readPhoto);
}

function readPhoto(photo: Field): LabelledPhoto {
  const folder = readOptionalText(photo.get('folder'));
  const car = readOptionalText(photo.get('car'));
  const source = readOptionalText(photo.get('source_folder'));
  const named = readOptionalText(photo.get('vehicle'));
  const name = photo
    .get('file')
    .matching(
      /^(?!.*(^|[\\/])\.\.([\\/]|$))[^\\/\0][^\0]{0,500}$/,
      'a path below the folder of the label file',
    );
  const damages = photo.get('damages').list(0, 1000).map(readDamage);
  const vehicle = folder !== undefined && car !== undefined ? `${folder} ${car}` : undefined;
  return {
    file: folder === undefined ? name : `${folder}/${name}`,
    size: { width: photo.get('width').integer(1, 100_000), height: photo.get('height').integer(1, 100_000) },
    clean: damages.length === 0,
    damages,
    vehicle,
    group: vehicle ?? named ?? source ?? name,
  };
}

function readDamage(damage: Field): LabelledDamage {
  const sides = damage
    .get('bbox')
    .list(4, 4)
    .map((side) => side.number(0, 1e6));
  const [x, y, width, height] = sides as [number, number, number, number];
  const sure = damage.get('sure');
  return {
    type: damage.get('type').oneOf(DETECTOR_LABELS),
    severity: damage.get('severity').oneOf(SEVERITIES),
    part: damage.get('part').text(100),
    box: { x, y, width, height },
    sure: !sure.present || sure.oneOf([true, false]),
    vehicleDamage: readOptionalText(damage.get('vehicle_damage')),
  };
}

function readOptionalText(field: Field): string | undefined {
  return field.present ? field.text(200) : undefined;
}
