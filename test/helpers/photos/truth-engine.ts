import { fileURLToPath } from 'node:url';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { iou } from '../../../src/domain/geometry.ts';
import type { DetectorLabel, PartMap } from '../../../src/domain/sight/detection.ts';
import { assembleEngine } from '../../../src/engine/engine.ts';
import { loadTablesWith } from '../../../src/engine/pricer.ts';
import { createPhotoReader } from '../../../src/images/photo-reader.ts';
import { resizeRgb } from '../../../src/images/read/resize-rgb.ts';
import { createVision } from '../../../src/vision/vision.ts';
import { type DemoState, findPhoto, listPhotos, type Planted } from './demo-vehicle.ts';

/** A lamp is glass on the wire and a class of its own for the detector. */
function detectorLabel({ type, part }: Planted): DetectorLabel {
  return /^(head|tail)light_/.test(part) ? 'lamp_damage' : type;
}

/** Everything that is vehi except the damage detector, in whose place the truth speaks. */
export interface TruthEngine {
  /** Inspects photos of one state, their angles given: what it says of part, side, size and change hangs on no found damage. */
  inspect(state: DemoState, names: readonly string[]): Promise<InspectionEnvelope>;
  /** What the parts segmenter sees in one photo. */
  partsOf(state: DemoState, name: string): Promise<PartMap>;
  close(): Promise<void>;
}

/** The shipped parts model, reader, rules and tables with the planted boxes as detections. */
export async function createTruthEngine(): Promise<TruthEngine> {
  const modelDir = fileURLToPath(new URL('../../../models/', import.meta.url));
  const vision = await createVision({ modelDir, resize: resizeRgb, threads: 1 });
  const [tables, reader] = [await loadTablesWith(undefined), createPhotoReader()];
  return {
    async inspect(state, names) {
      const truths = new Map(listPhotos(state));
      const nameOf = new WeakMap<object, string>();
      const engine = assembleEngine({
        openInspectors: async () => ({
          reader: {
            async read(source) {
              const result = await reader.read(source);
              if (result.ok && source.kind === 'file')
                nameOf.set(result.photo.raster, source.path.replace(/^.*[/\\]/, ''));
              return result;
            },
          },
          vision: {
            models: vision.models,
            limits: vision.limits,
            close: async () => undefined,
            findParts: (picture) => vision.findParts(picture),
            findPoints: (picture, parts) => vision.findPoints(picture, parts),
            classifyAt: (picture, boxes) => vision.classifyAt(picture, boxes),
            async detect(picture) {
              const truth = truths.get(nameOf.get(picture.raster) ?? '');
              if (truth === undefined) throw new Error('a photo that the truth does not know');
              const { parts } = await vision.runModels(picture);
              const detections = truth.damages.map((planted) => ({
                label: detectorLabel(planted),
                box: planted.box,
                confidence: 0.9,
                score: 0.9,
              }));
              return { parts, detections };
            },
          },
        }),
        tables,
        defaults: { region: 'US_MIDWEST', currency: 'USD' },
        concurrency: 1,
        softwareVersion: '0.0.0',
        now: () => new Date('2026-05-14T10:21:00Z'),
      });
      return engine.inspect({
        vehicleId: 'demo',
        photos: names.map((name) => {
          const angle = truths.get(name)?.angle;
          const source = { kind: 'file' as const, path: findPhoto(state, name) };
          return { source, url: name, ...(angle ? { angle, angleSource: 'manifest' as const } : {}) };
        }),
        options: {
          detailed: true,
          hiddenDamage: false,
          region: 'US_MIDWEST',
          currency: 'USD',
          sensitivity: 'default',
          minConfidence: null,
        },
      });
    },
    async partsOf(state, name) {
      const result = await reader.read({ kind: 'file', path: findPhoto(state, name) });
      if (!result.ok) throw new Error(`${name}: ${JSON.stringify(result.rejection)}`);
      const { raster, facts } = result.photo;
      return (await vision.runModels({ raster, size: facts.size })).parts;
    },
    async close() {
      await vision.close();
      await reader.close();
    },
  };
}

/** Planted boxes that come out on another part, or not at all: "photo, id: part". */
export function listMisplaced(state: DemoState, { data }: InspectionEnvelope): readonly string[] {
  const findings = data.results?.damages ?? [];
  return listPhotos(state).flatMap(([name, { damages }]) =>
    damages.flatMap((planted) => {
      const finding = findings.find((one) =>
        one.evidence.some((seen) => seen.image_url === name && iou(seen.coordinates, planted.box) > 0.9),
      );
      return finding?.location.part === planted.part
        ? []
        : [`${name}, ${planted.id}: ${finding?.location.part ?? 'nothing'}`];
    }),
  );
}
