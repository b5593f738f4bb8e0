import type { Damage, InspectionEnvelope } from '../../contract/inspection.ts';
import type { Add } from '../../contract/review.ts';
import { fitsPart } from '../../domain/possible-types.ts';
import type { PhotoScene } from '../../domain/sight/photo-scene.ts';
import { VehiError } from '../../lib/errors.ts';
import { presentFinding } from '../inspect/present-finding.ts';
import { gradeFinding } from '../inspect/price-findings.ts';
import type { Pricer } from '../pricer.ts';
import { makeUnseenScene, placeDrawn } from './place.ts';

/** Dependencies for pricing findings and locating drawn boxes. */
export interface ResolveDeps {
  readonly pricer: Pricer;
  /** Scenes of the photos with added damages; unreadable photos have none. */
  readonly scenes: ReadonlyMap<number, PhotoScene>;
}

/**
 * Creates a damage from a drawn box, without id and number; its confidence is 1, because a reviewer saw it.
 * @throws VehiError input PART_NEEDED if no part is named and none under the box can have the damage
 */
export function makeAddedDamage(
  add: Add,
  data: InspectionEnvelope['data'],
  { scenes, pricer }: ResolveDeps,
): Damage {
  const photo = data.images.find(({ index }) => index === add.image_index);
  if (!photo) throw new Error(`no photo ${add.image_index}`);
  const scene = scenes.get(photo.index);
  const placed = placeDrawn(scene ?? makeUnseenScene(photo), photo.index, add.box, add);
  const { observation } = placed;
  if (!observation) {
    const under = placed.alternatives[0]?.part;
    const why =
      under !== undefined && !fitsPart(add.type, under)
        ? `the box is on ${under}, which cannot have ${add.type}`
        : scene
          ? 'the parts model sees no vehicle under the box'
          : 'the photo cannot be read';
    throw new VehiError('input', 'PART_NEEDED', `photo ${photo.index}, ${photo.url}: ${why}.`, {
      hint: 'Name the part, for example "part": "hood".',
    });
  }
  const graded = gradeFinding([observation], [], pricer, add.severity);
  const { detailed = false } = data.settings;
  const damage = presentFinding({ ...graded, id: '', number: 0 }, data.images, detailed);
  return {
    ...damage,
    explain: [
      {
        rule: 'review.added',
        inputs: { image_index: photo.index, type: add.type, part_named: add.part ?? null },
      },
      ...damage.explain,
    ],
  };
}
