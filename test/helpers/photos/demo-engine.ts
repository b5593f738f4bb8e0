import { loadTablesWith } from '../../../src/config/regions-file.ts';
import type { InspectionEnvelope, Photo } from '../../../src/contract/inspection.ts';
import type { KeyPoints } from '../../../src/domain/compare/keypoints.ts';
import { iou } from '../../../src/domain/geometry.ts';
import type { RgbImage, SizedRaster } from '../../../src/domain/photo.ts';
import type { PartMap } from '../../../src/domain/sight/detection.ts';
import type { Sighting } from '../../../src/domain/sight/sighting.ts';
import { assembleEngine } from '../../../src/engine/engine.ts';
import type { PhotoReader } from '../../../src/engine/ports.ts';
import type { PhotoSource } from '../../../src/engine/request.ts';
import { readAngleFromName } from '../../../src/images/find/angle-from-name.ts';
import { createPhotoReader } from '../../../src/images/photo-reader.ts';
import { resizeRgb } from '../../../src/images/read/resize-rgb.ts';
import { DEFAULT_OPTIONS } from '../../../src/index.ts';
import { defined } from '../../../src/lib/objects.ts';
import { shippedModelDir } from '../../../src/vision/models/model-files.ts';
import { createVision } from '../../../src/vision/vision.ts';
import {
  collectFigures,
  DEMO_STATES,
  type DemoFigures,
  type DemoState,
  findPhoto,
  listChanges,
  listPhotos,
  type TruePhoto,
} from './demo-vehicle.ts';

const TRUE_PHOTOS: ReadonlyMap<string, TruePhoto> = new Map(
  DEMO_STATES.flatMap((state) =>
    listPhotos(state).map(([name, truth]) => [findPhoto(state, name), truth] as const),
  ),
);

/** What says where the damages are: the shipped models, or the planted boxes in the detector's place. */
type Finder = 'models' | 'truth';

interface DemoLook {
  readonly by: Finder;
  /** What gives the angles of the photos; with `parts` nothing but the parts seen. */
  readonly angles: 'names' | 'truth' | 'parts';
  /** Names of the photos; default: all of the state. */
  readonly views?: readonly string[];
}

export type DemoEngine = Awaited<ReturnType<typeof createDemoEngine>>;

/**
 * Opens all of vehi but the command line: the shipped reader, models, rules and tables. The models look at each photo of
 * the demo vehicle once, whatever is asked of it.
 */
export async function createDemoEngine() {
  const vision = await createVision({ modelDir: shippedModelDir(), resize: resizeRgb });
  const [tables, reader] = [await loadTablesWith(undefined), createPhotoReader()];
  const readings = new Map<string, ReturnType<PhotoReader['read']>>();
  const truths = new WeakMap<RgbImage, TruePhoto>();
  const sightings = new WeakMap<RgbImage, Promise<Sighting>>();
  const points = new WeakMap<PartMap, Promise<KeyPoints>>();

  async function read(source: PhotoSource) {
    if (source.kind !== 'file') throw new Error('a photo that is no file');
    const reading = readings.get(source.path) ?? reader.read(source);
    readings.set(source.path, reading);
    const result = await reading;
    const truth = TRUE_PHOTOS.get(source.path);
    if (result.ok && truth) truths.set(result.photo.raster, truth);
    return result;
  }

  function see(picture: SizedRaster): Promise<Sighting> {
    const seen = sightings.get(picture.raster) ?? vision.detect(picture);
    sightings.set(picture.raster, seen);
    return seen;
  }

  function createEngine(by: Finder) {
    return assembleEngine({
      openInspectors: async () => ({
        reader: { read },
        vision: {
          ...vision,
          close: async () => undefined,
          findPlates: async () => null,
          readFacts: async () => [],
          readPrintedTime: async () => undefined,
          findParts: async (picture) => (await see(picture)).parts,
          findPoints(picture, parts) {
            const found = points.get(parts) ?? vision.findPoints(picture, parts);
            points.set(parts, found);
            return found;
          },
          async detect(picture) {
            const seen = await see(picture);
            if (by === 'models') return seen;
            const { parts, measured } = seen;
            return { parts, measured, detections: listPlanted(truths.get(picture.raster)) };
          },
        },
      }),
      tables,
      defaults: { region: DEFAULT_OPTIONS.region },
      // As many photos as two threads keep busy.
      concurrency: 3,
      softwareVersion: '0.0.0',
      now: () => new Date('2026-05-14T10:21:00Z'),
    });
  }

  const engines = { models: createEngine('models'), truth: createEngine('truth') };
  /** Inspects photos of one state under their names. */
  const inspect = (state: DemoState, { by, angles, views }: DemoLook) =>
    engines[by].inspect({
      vehicleId: 'demo',
      photos: listPhotos(state)
        .filter(([name]) => views?.includes(name) ?? true)
        .map(([name, truth]) => {
          const angle = { names: readAngleFromName(name), truth: truth.angle, parts: undefined }[angles];
          const source = { kind: 'file' as const, path: findPhoto(state, name) };
          return { source, url: name, ...defined({ angle }) };
        }),
      options: { ...DEFAULT_OPTIONS, detailed: true },
    });
  return {
    inspect,
    /** Compares the damaged vehicle with the later state, in the views that show both. */
    async compare(by: Finder) {
      const views = listPhotos('after').map(([name]) => name);
      const visit = async (state: DemoState) => ({
        inspection: await inspect(state, { by, angles: 'names', views }),
        openPhoto: async ({ url }: Photo) => ({ kind: 'file' as const, path: findPhoto(state, url) }),
      });
      return engines[by].compare(await visit('damaged'), await visit('after'));
    },
    /** What the parts segmenter sees in one photo. */
    async partsOf(state: DemoState, name: string) {
      const result = await read({ kind: 'file', path: findPhoto(state, name) });
      if (!result.ok) throw new Error(`${name}: ${JSON.stringify(result.rejection)}`);
      const { raster, facts } = result.photo;
      return (await see({ raster, size: facts.size })).parts;
    },
    async close() {
      await vision.close();
      await reader.close();
    },
  };
}

/** The planted damages of a photo as the detector would find them. */
function listPlanted(truth: TruePhoto | undefined): Sighting['detections'] {
  if (truth === undefined) throw new Error('a photo that the truth does not know');
  return truth.damages.map(({ type, part, box }) => {
    // A lamp is glass on the wire and a class of its own for the detector.
    const label = /^(head|tail)light_/.test(part) ? 'lamp_damage' : type;
    return { label, box, confidence: 0.9, score: 0.9 };
  });
}

/** Inspects the damaged vehicle as its photos are named, and both states without names; compares; returns the figures. */
export async function measureDemo(engine: DemoEngine) {
  const named = await engine.inspect('damaged', { by: 'models', angles: 'names' });
  const unnamed = {
    damaged: await engine.inspect('damaged', { by: 'models', angles: 'parts' }),
    clean: await engine.inspect('clean', { by: 'models', angles: 'parts' }),
  };
  const compared = await engine.compare('models');
  const figures: DemoFigures = {
    ...collectFigures(named, unnamed),
    changes: listChanges(compared),
    misplaced: listMisplaced('damaged', await engine.inspect('damaged', { by: 'truth', angles: 'truth' })),
  };
  return { named, unnamed, compared, figures };
}

/** Planted boxes that come out on another part, or not at all: "photo, id: part". */
function listMisplaced(state: DemoState, { data }: InspectionEnvelope): readonly string[] {
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
