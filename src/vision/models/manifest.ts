import type { Precision } from '../../domain/choices.ts';
import type { DetectorLabel, Limits, SegmentLabel, Sensitivity } from '../../domain/sight/detection.ts';
import type { Member } from '../boxes/agreement.ts';

/** One file of a model; `file` is a bare name inside the model folder. */
export interface ModelVariant {
  readonly precision: Precision;
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** How a picture becomes the input tensor: plainly resized to width x height, then (value / 255 - mean) / std. */
export interface ModelInput {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly mean: readonly [number, number, number];
  readonly std: readonly [number, number, number];
}

/** Piecewise linear curve from raw score to probability; `x` rises, `y` never falls, clamped at both ends. */
export interface CalibrationCurve {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** A source the model learned from, as its card lists it. */
interface TrainingSource {
  readonly source: string;
  readonly licence: string;
  readonly images: number;
  readonly labels: readonly string[];
}

/** What every model has. */
export interface ModelFacts {
  readonly name: string;
  readonly version: string;
  readonly variants: readonly ModelVariant[];
  readonly defaultPrecision: Precision;
  readonly input: ModelInput;
  readonly licence: string;
  readonly trainingData: readonly TrainingSource[];
  /** Figures as the recipe wrote them, shown but never computed with. */
  readonly measured: unknown;
}

/** A data file that belongs to a model; `file` is a bare name inside the model folder. */
export interface DataFile {
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * The damage detector. Thresholds are on calibrated confidence, one per class, and serve for comparing versions by
 * average precision; `limits` are on the confidence that results state. `nmsIou` is the overlap above which boxes are
 * one.
 */
export interface DetectModel extends ModelFacts {
  readonly id: 'damage';
  readonly task: 'detect';
  readonly outputs: { readonly boxes: string; readonly scores: string };
  readonly labels: readonly DetectorLabel[];
  readonly nmsIou: number;
  /** The networks in the file whose rows follow one another; absent where there is one. */
  readonly members?: readonly Member[];
  readonly thresholds: { readonly default: ClassValues; readonly high: ClassValues };
  readonly calibration: Readonly<Partial<Record<DetectorLabel, CalibrationCurve>>>;
  readonly limits: Readonly<Record<Sensitivity, Limits>>;
  /** The weights of the judge; without them each find keeps its calibrated confidence. */
  readonly judge?: DataFile;
}
type ClassValues = Readonly<Partial<Record<DetectorLabel, number>>>;

/** The parts segmenter; `stride` is input pixels per cell of its grid. */
export interface SegmentModel extends ModelFacts {
  readonly id: 'parts';
  readonly task: 'segment';
  readonly outputs: { readonly logits: string; readonly stride: number };
  readonly labels: readonly SegmentLabel[];
}

/** The number plate finder: a detector of one class. `threshold` is the score from which a box is a plate. */
export interface PlateModel extends ModelFacts {
  readonly id: 'plates';
  readonly task: 'detect';
  readonly outputs: DetectModel['outputs'];
  readonly labels: readonly ['plate'];
  readonly nmsIou: number;
  readonly threshold: number;
}

/** The vehicle check: one score per picture. `threshold` is the score from which the picture shows a vehicle. */
export interface PresenceModel extends ModelFacts {
  readonly id: 'vehicle';
  readonly task: 'presence';
  readonly outputs: { readonly score: string };
  readonly labels: readonly ['vehicle'];
  readonly threshold: number;
}

/**
 * The damage classifier: shown a close-up and where in it a box lies, it says how likely the box is a damage, and of
 * which kind. `boxInput` is the input [1, 4] that takes the box as left, top, right, bottom in parts of the close-up.
 */
export interface ClassifyModel extends ModelFacts {
  readonly id: 'classifier';
  readonly task: 'classify';
  readonly boxInput: string;
  readonly outputs: { readonly damage: string; readonly kinds: string };
  readonly labels: readonly DetectorLabel[];
}
export type Model = DetectModel | SegmentModel | PlateModel | PresenceModel | ClassifyModel;

/** What `models/manifest.json` says. */
export interface Manifest {
  readonly damage: DetectModel;
  readonly parts: SegmentModel;
  /** Only needed for --redact, so a folder of models of one's own may lack it. */
  readonly plates?: PlateModel;
  /** Asked where the parts model is in doubt; without it that model's own doubt decides. */
  readonly vehicle?: PresenceModel;
  /** Looks at each candidate for a damage again; without it the judge goes by the detector alone. */
  readonly classifier?: ClassifyModel;
}

/** The ids that a manifest may name. */
export const MODEL_IDS = [
  'damage',
  'parts',
  'plates',
  'vehicle',
  'classifier',
] as const satisfies readonly Model['id'][];

/** Returns the models that take part in an inspection, in the order in which results name them. */
export function listInspectingModels<M>({ damage, parts, vehicle, classifier }: InspectingModels<M>): M[] {
  return [damage, parts, ...(vehicle ? [vehicle] : []), ...(classifier ? [classifier] : [])];
}

interface InspectingModels<M> {
  readonly damage: M;
  readonly parts: M;
  readonly vehicle?: M;
  readonly classifier?: M;
}

/** Returns every model of a manifest. */
export function listModels({ plates, ...inspecting }: Manifest): readonly Model[] {
  const [damage, parts, ...more] = listInspectingModels<Model>(inspecting);
  return [damage, parts, plates, ...more].filter((model) => model !== undefined);
}
