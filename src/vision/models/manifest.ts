import { type Limits as FindingLimits, SENSITIVITIES, type Sensitivity } from '../../domain/sensitivity.ts';
import { DETECTOR_LABELS, type DetectorLabel, SEGMENT_LABELS } from '../../domain/sight/detection.ts';
import { checkText, rejectField, type Source } from '../../lib/check.ts';
import { interpolate } from '../../lib/numbers.ts';
import { type Static, StringEnum, Type } from '../../lib/type.ts';

/** The complete, ordered labels of each model. */
const LABELS = {
  damage: DETECTOR_LABELS,
  parts: SEGMENT_LABELS,
  plates: ['plate'],
  vehicle: ['vehicle'],
  classifier: DETECTOR_LABELS,
} as const;

const Name = Type.String({ minLength: 1, maxLength: 100 });
const Share = Type.Number({ minimum: 0, maximum: 1 });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', examples: ['64 lower-case hexadecimal digits'] });
const Side = Type.Integer({ minimum: 16, maximum: 2048 });
const perChannel = (minimum: number, maximum: number) =>
  Type.Unsafe<readonly [number, number, number]>(
    Type.Array(Type.Number({ minimum, maximum }), { minItems: 3, maxItems: 3 }),
  );
/** Piecewise linear curve from raw score to probability, clamped; `x` strictly increases, `y` never decreases. */
const Curve = Type.Object({
  x: Type.Array(Share, { minItems: 2, maxItems: 256 }),
  y: Type.Array(Share, { minItems: 2, maxItems: 256 }),
});
const Limits = Type.Object({ certain: Share, to_check: Share });
const BoxOutputs = Type.Object({ boxes: Name, scores: Name });
/** IoU threshold of non-maximum suppression. */
const NmsIou = Type.Number({ minimum: 0.05, maximum: 0.95 });

/**
 * Fields common to all models; `file` is a bare name in the model folder. The manifest also states origin and metrics,
 * which are for human readers and not parsed.
 */
const COMMON_FIELDS = {
  name: Name,
  version: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$', examples: ['1.2.3'] }),
  weights: Type.Object({
    precision: StringEnum(['fp32', 'int8']),
    file: Type.String({
      pattern: '^[A-Za-z0-9_][A-Za-z0-9_-]{0,80}(\\.[A-Za-z0-9_-]{1,20}){0,3}\\.onnx$',
      examples: ['damage-fp32.onnx'],
    }),
    sha256: Sha256,
    bytes: Type.Integer({ minimum: 1, maximum: 512 * 1024 * 1024 }),
  }),
  /** Preprocessing: the picture is stretched to width x height, then normalized by (value / 255 - mean) / std. */
  input: Type.Object({
    name: Name,
    width: Side,
    height: Side,
    layout: Type.Literal('NCHW'),
    channels: Type.Literal('RGB'),
    resize: Type.Literal('stretch'),
    mean: perChannel(0, 1),
    std: perChannel(0.001, 10),
  }),
};

/** The damage detector. `limits` apply to the confidence reported in results. */
const DetectModel = Type.Object({
  id: StringEnum(['damage']),
  task: Type.Literal('detect'),
  ...COMMON_FIELDS,
  outputs: BoxOutputs,
  labels: Type.Array(StringEnum(DETECTOR_LABELS)),
  nms_iou: NmsIou,
  calibration: Type.Unsafe<Readonly<Record<DetectorLabel, Static<typeof Curve>>>>(
    Type.Object(Object.fromEntries(DETECTOR_LABELS.map((label) => [label, Curve]))),
  ),
  limits: Type.Object({ low: Limits, default: Limits, high: Limits }),
  /** Weights of the judge; if absent, each detection keeps its calibrated confidence. */
  judge: Type.Optional(
    Type.Object({
      file: Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9_-]{0,80}\\.json$', examples: ['judge.json'] }),
      sha256: Sha256,
      bytes: Type.Integer({ minimum: 1, maximum: 1024 * 1024 }),
    }),
  ),
});

/**
 * The parts segmenter; `stride` is the size of an output cell in input pixels. `look` names the embedding of the
 * vehicle: a unit vector that is similar for photos of one vehicle.
 */
const SegmentModel = Type.Object({
  id: StringEnum(['parts']),
  task: Type.Literal('segment'),
  ...COMMON_FIELDS,
  outputs: Type.Object({
    logits: Name,
    stride: Type.Integer({ minimum: 1, maximum: 32 }),
    look: Type.Optional(Name),
  }),
  labels: Type.Array(StringEnum(SEGMENT_LABELS)),
});

/** The number plate detector, with a single class. `threshold` is the minimum score of a box that gets a close-up. */
const PlateModel = Type.Object({
  id: StringEnum(['plates']),
  task: Type.Literal('detect'),
  ...COMMON_FIELDS,
  outputs: BoxOutputs,
  labels: Type.Array(StringEnum(LABELS.plates)),
  nms_iou: NmsIou,
  threshold: Type.Number({ minimum: 0.01, maximum: 0.99 }),
});

/** The vehicle check, with one score per picture. `threshold` is the minimum probability of a vehicle. */
const PresenceModel = Type.Object({
  id: StringEnum(['vehicle']),
  task: Type.Literal('presence'),
  ...COMMON_FIELDS,
  outputs: Type.Object({ score: Name }),
  labels: Type.Array(StringEnum(LABELS.vehicle)),
  threshold: Share,
});

/**
 * The damage classifier. From a close-up and a box in it, it predicts the probability of damage and of each class.
 * `vehicle` outputs the log odds that a whole picture shows a vehicle, to be combined with the vehicle check.
 * `box_input` names the [1, 4] input for the box: left, top, right, bottom as fractions of the close-up.
 */
const ClassifyModel = Type.Object({
  id: StringEnum(['classifier']),
  task: Type.Literal('classify'),
  ...COMMON_FIELDS,
  box_input: Name,
  outputs: Type.Object({ damage: Name, kinds: Name, vehicle: Type.Optional(Name) }),
  labels: Type.Array(StringEnum(DETECTOR_LABELS)),
});

const MODELS = [DetectModel, SegmentModel, PlateModel, PresenceModel, ClassifyModel] as const;

const ManifestSchema = Type.Object({
  schema_version: Type.Literal(1),
  models: Type.Array(Type.Union([...MODELS]), { minItems: 2, maxItems: MODELS.length }),
});

export type DetectModel = Static<typeof DetectModel>;
export type PlateModel = Static<typeof PlateModel>;
export type Model = Static<typeof ManifestSchema>['models'][number];
export type ModelInput = Model['input'];

/**
 * The contents of `models/manifest.json`. Custom model folders may omit `plates` (no plate is found, blurred
 * or read), `vehicle` (the parts model alone decides) and `classifier` (the same, and the judge has only the detector's
 * scores).
 */
export type Manifest = Pick<ById, 'damage' | 'parts'> & Partial<ById>;
type ById = { readonly [Id in Model['id']]: Extract<Model, { id: Id }> };

/**
 * Parses a manifest as untrusted input. `document` is its path, for messages.
 * @throws VehiError `MODEL_MANIFEST_INVALID` naming the invalid field.
 */
export function parseModelManifest(text: string, document: string): Manifest {
  const source: Source = {
    document,
    kind: 'engine',
    code: 'MODEL_MANIFEST_INVALID',
    hint: 'Reinstall vehi, or point --models DIR (VEHI_MODEL_DIR) at a folder of models made for this version.',
  };
  const { models } = checkText(ManifestSchema, text, source);
  for (const [at, model] of models.entries())
    checkModel(model, (field, message) => rejectField(source, `models[${at}].${field}`, message));
  const byId: Partial<ById> = Object.fromEntries(models.map((model) => [model.id, model]));
  if (Object.keys(byId).length < models.length) rejectField(source, 'models', 'has two of one id.');
  const { damage, parts } = byId;
  if (damage === undefined || parts === undefined)
    return rejectField(source, 'models', 'lacks one with id "damage" or one with id "parts".');
  return { ...byId, damage, parts };
}

type Reject = (field: string, message: string) => never;

/** Validates the cross-field rules of a model. */
function checkModel(model: Model, reject: Reject): void {
  const { width, height } = model.input;
  const labels = LABELS[model.id].join(', ');
  if (model.labels.join(', ') !== labels)
    reject('labels', `is ${model.labels.join(', ')}; ${labels} is needed.`);
  if (model.id === 'damage') checkDetector(model, reject);
  if (model.id === 'classifier' && width !== height)
    reject('input.height', `is ${height}; as much as the width, ${width}, is needed.`);
  if (model.id !== 'parts') return;
  const { stride } = model.outputs;
  if (width % stride !== 0 || height % stride !== 0)
    reject('outputs.stride', `is ${stride}; a divisor of the input width and height is needed.`);
}

function checkDetector({ calibration, limits }: DetectModel, reject: Reject): void {
  for (const name of SENSITIVITIES)
    if (limits[name].to_check > limits[name].certain)
      reject(`limits.${name}.to_check`, `is ${limits[name].to_check}; at most \`certain\` is needed.`);
  for (const [label, { x, y }] of Object.entries(calibration)) {
    const path = `calibration.${label}`;
    if (x.length !== y.length) reject(`${path}.y`, `has ${y.length} numbers; as many as \`x\` are needed.`);
    if (x.some((value, i) => i > 0 && value <= (x[i - 1] ?? 0))) reject(`${path}.x`, 'does not rise.');
    if (y.some((value, i) => i > 0 && value < (y[i - 1] ?? 0))) reject(`${path}.y`, 'falls.');
  }
}

/** Maps a raw score to a probability, 0 to 1. */
export function calibrate({ x, y }: Static<typeof Curve>, score: number): number {
  return interpolate(
    x.map((at, i) => [at, y[i] as number]),
    score,
  );
}

/** Returns the detector's limits per sensitivity. */
export function listLimits({ limits }: DetectModel): Record<Sensitivity, FindingLimits> {
  const read = ({ certain, to_check: toCheck }: Static<typeof Limits>) => ({ certain, toCheck });
  return { low: read(limits.low), default: read(limits.default), high: read(limits.high) };
}

/** Lists the models of a manifest; results name those of an inspection in the same order. */
export const listModels = ({ damage, parts, plates, vehicle, classifier }: Manifest): readonly Model[] =>
  [damage, parts, plates, vehicle, classifier].filter((model) => model !== undefined);

/** Lists the models that decide what an inspection finds. */
export const listInspectingModels = (manifest: Manifest): readonly Model[] =>
  listModels(manifest).filter(({ id }) => id !== 'plates');
