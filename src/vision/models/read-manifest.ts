import { PRECISIONS } from '../../domain/choices.ts';
import { DETECTOR_LABELS, SEGMENT_LABELS, SENSITIVITIES } from '../../domain/sight/detection.ts';
import { check, checkText, refuseField, type Source } from '../../lib/check.ts';
import { type Static, StringEnum, type TProperties, Type } from '../../lib/type.ts';
import {
  type CalibrationCurve,
  type ClassifyModel,
  type DetectModel,
  type Manifest,
  MODEL_IDS,
  type ModelFacts,
  type PlateModel,
  type PresenceModel,
  type SegmentModel,
} from './manifest.ts';

const Name = Type.String({ minLength: 1, maxLength: 100 });
const Share = Type.Number({ minimum: 0, maximum: 1 });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', examples: ['64 lower-case hexadecimal digits'] });
const Side = Type.Integer({ minimum: 16, maximum: 2048 });
const perChannel = (minimum: number, maximum: number) =>
  Type.Array(Type.Number({ minimum, maximum }), { minItems: 3, maxItems: 3 });
const labelsOf = <const T extends string>(known: readonly T[]) =>
  Type.Array(StringEnum(known), { minItems: 1, maxItems: known.length, uniqueItems: true });
const Curve = Type.Object({
  x: Type.Array(Share, { minItems: 2, maxItems: 256 }),
  y: Type.Array(Share, { minItems: 2, maxItems: 256 }),
});
const ByLabel = Type.Record(Type.String(), Share);
const Limits = Type.Object({ certain: Share, to_check: Share });
const BoxOutputs = Type.Object({ boxes: Name, scores: Name });
const NmsIou = Type.Number({ minimum: 0.05, maximum: 0.95 });
const JudgeFile = Type.Object({
  file: Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9_-]{0,80}\\.json$', examples: ['judge.json'] }),
  sha256: Sha256,
  bytes: Type.Integer({ minimum: 1, maximum: 1024 * 1024 }),
});

/** What every model says of itself. */
const FactsSchema = Type.Object({
  name: Name,
  version: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$', examples: ['1.2.3'] }),
  variants: Type.Array(
    Type.Object({
      precision: StringEnum(PRECISIONS),
      file: Type.String({
        pattern: '^[A-Za-z0-9_][A-Za-z0-9_-]{0,80}(\\.[A-Za-z0-9_-]{1,20}){0,3}\\.onnx$',
        examples: ['damage-fp32.onnx'],
      }),
      sha256: Sha256,
      bytes: Type.Integer({ minimum: 1, maximum: 512 * 1024 * 1024 }),
    }),
    { minItems: 1, maxItems: PRECISIONS.length },
  ),
  default_precision: StringEnum(PRECISIONS),
  input: Type.Object({
    layout: Type.Literal('NCHW'),
    channels: Type.Literal('RGB'),
    resize: Type.Literal('stretch'),
    name: Name,
    width: Side,
    height: Side,
    mean: perChannel(0, 1),
    std: perChannel(0.001, 10),
  }),
  licence: Type.String({ minLength: 1, maxLength: 200 }),
  training_data: Type.Optional(
    Type.Array(
      Type.Object({
        source: Type.String({ minLength: 1, maxLength: 500 }),
        licence: Type.String({ minLength: 1, maxLength: 500 }),
        images: Type.Integer({ minimum: 0, maximum: 1e9 }),
        labels: Type.Array(Name, { maxItems: 200 }),
      }),
      { maxItems: 200 },
    ),
  ),
  measured: Type.Optional(Type.Unknown()),
});

const SCHEMAS = {
  damage: Type.Object({
    task: Type.Literal('detect'),
    outputs: BoxOutputs,
    nms_iou: NmsIou,
    labels: labelsOf(DETECTOR_LABELS),
    members: Type.Optional(
      Type.Array(Type.Object({ rows: Type.Integer({ minimum: 1, maximum: 1_000_000 }), weight: Share }), {
        minItems: 2,
        maxItems: 4,
      }),
    ),
    thresholds: Type.Object({ default: ByLabel, high: ByLabel }),
    calibration: Type.Record(Type.String(), Curve),
    limits: Type.Object({ low: Limits, default: Limits, high: Limits }),
    judge: Type.Optional(JudgeFile),
  }),
  parts: Type.Object({
    task: Type.Literal('segment'),
    outputs: Type.Object({ logits: Name, stride: Type.Integer({ minimum: 1, maximum: 32 }) }),
    labels: labelsOf(SEGMENT_LABELS),
  }),
  plates: Type.Object({
    task: Type.Literal('detect'),
    outputs: BoxOutputs,
    nms_iou: NmsIou,
    labels: labelsOf(['plate']),
    threshold: Type.Number({ minimum: 0.01, maximum: 0.99 }),
  }),
  vehicle: Type.Object({
    task: Type.Literal('presence'),
    outputs: Type.Object({ score: Name }),
    labels: labelsOf(['vehicle']),
    threshold: Share,
  }),
  classifier: Type.Object({
    task: Type.Literal('classify'),
    box_input: Name,
    outputs: Type.Object({ damage: Name, kinds: Name }),
    labels: labelsOf(DETECTOR_LABELS),
  }),
} as const;

const ManifestSchema = Type.Object({
  schema_version: Type.Literal(1),
  models: Type.Array(Type.Object({ id: StringEnum(MODEL_IDS) }), {
    minItems: 2,
    maxItems: MODEL_IDS.length,
  }),
});

/** One model of a manifest: its place in it, for messages, and what its fields may not say. */
interface Entry {
  readonly model: unknown;
  readonly source: Source & { readonly field: string };
}

/**
 * Reads the text of a manifest, trusting nothing in it. `document` is its path, for messages.
 * @throws VehiError `MODEL_MANIFEST_INVALID` naming the field at fault.
 */
export function parseModelManifest(text: string, document: string): Manifest {
  const source: Source = {
    document,
    kind: 'engine',
    code: 'MODEL_MANIFEST_INVALID',
    hint: 'Reinstall vehi, or point --models DIR (VEHI_MODEL_DIR) at a folder of models made for this version.',
  };
  const { models } = checkText(ManifestSchema, text, source);
  const ids = models.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) refuseField(source, 'models', 'has two of one id.');
  const find = (id: (typeof MODEL_IDS)[number]): Entry | undefined => {
    const at = ids.indexOf(id);
    return at < 0 ? undefined : { model: models[at], source: { ...source, field: `models[${at}]` } };
  };
  const [damage, parts, plates, vehicle, classifier] = MODEL_IDS.map(find);
  if (damage === undefined || parts === undefined)
    return refuseField(source, 'models', 'lacks one with id "damage" or one with id "parts".');
  return {
    damage: readDetector(damage),
    parts: readSegmenter(parts),
    ...(plates ? { plates: readPlateModel(plates) } : {}),
    ...(vehicle ? { vehicle: readPresenceModel(vehicle) } : {}),
    ...(classifier ? { classifier: readClassifier(classifier) } : {}),
  };
}

/** Returns a model as its schema types it, its facts in our names, and a way to refuse what no schema can say. */
function readModel<P extends TProperties>(
  schema: ReturnType<typeof Type.Object<P>>,
  { model, source }: Entry,
) {
  const { variants, default_precision, input, ...facts } = check(FactsSchema, model, source);
  const refuse = (field: string, says: string) => refuseField(source, `${source.field}.${field}`, says);
  const precisions = variants.map(({ precision }) => precision);
  if (new Set(precisions).size !== precisions.length) refuse('variants', 'has two files of one precision.');
  if (!precisions.includes(default_precision))
    refuse('default_precision', `is ${default_precision}; one of ${precisions.join(', ')} is needed.`);
  const { name, width, height, mean, std } = input;
  const read: ModelFacts = {
    name: facts.name,
    version: facts.version,
    variants: variants.map(({ precision, file, sha256, bytes }) => ({ precision, file, sha256, bytes })),
    defaultPrecision: default_precision,
    input: { name, width, height, mean: toTriple(mean), std: toTriple(std) },
    licence: facts.licence,
    trainingData: (facts.training_data ?? []).map(({ source, licence, images, labels }) => ({
      source,
      licence,
      images,
      labels,
    })),
    measured: facts.measured ?? null,
  };
  return { facts: read, own: check(schema, model, source), refuse };
}

const toTriple = ([red = 0, green = 0, blue = 0]: readonly number[]) => [red, green, blue] as const;

function readDetector(entry: Entry): DetectModel {
  const { facts, own, refuse } = readModel(SCHEMAS.damage, entry);
  const { labels, members, thresholds, calibration, limits, judge } = own;
  const total = members?.reduce((sum, { weight }) => sum + weight, 0) ?? 1;
  if (Math.abs(total - 1) > 1e-6) refuse('members', `has weights that add up to ${total}; 1 is needed.`);
  const pick = <V>(place: string, values: Readonly<Record<string, V>>) =>
    labels.map((label) => {
      const value = Object.hasOwn(values, label) ? values[label] : undefined;
      return [label, value ?? refuse(`${place}.${label}`, 'is missing.')] as const;
    });
  for (const name of SENSITIVITIES)
    if (limits[name].to_check > limits[name].certain)
      refuse(`limits.${name}.to_check`, `is ${limits[name].to_check}; at most \`certain\` is needed.`);
  return {
    ...facts,
    id: 'damage',
    task: 'detect',
    outputs: pickBoxOutputs(own.outputs),
    nmsIou: own.nms_iou,
    labels,
    ...(members ? { members: members.map(({ rows, weight }) => ({ rows, weight })) } : {}),
    thresholds: {
      default: Object.fromEntries(pick('thresholds.default', thresholds.default)),
      high: Object.fromEntries(pick('thresholds.high', thresholds.high)),
    },
    calibration: Object.fromEntries(
      pick('calibration', calibration).map(([label, curve]) => [
        label,
        readCurve(curve, (side, says) => refuse(`calibration.${label}.${side}`, says)),
      ]),
    ),
    limits: {
      low: readLimits(limits.low),
      default: readLimits(limits.default),
      high: readLimits(limits.high),
    },
    ...(judge ? { judge: { file: judge.file, sha256: judge.sha256, bytes: judge.bytes } } : {}),
  };
}

function readLimits({ certain, to_check: toCheck }: Static<typeof Limits>) {
  return { certain, toCheck };
}

const pickBoxOutputs = ({ boxes, scores }: Static<typeof BoxOutputs>) => ({ boxes, scores });

function readCurve(
  { x, y }: Static<typeof Curve>,
  refuse: (side: 'x' | 'y', says: string) => never,
): CalibrationCurve {
  if (x.length !== y.length) refuse('y', `has ${y.length} numbers; as many as \`x\` are needed.`);
  if (x.some((value, i) => i > 0 && value <= (x[i - 1] ?? 0))) refuse('x', 'does not rise.');
  if (y.some((value, i) => i > 0 && value < (y[i - 1] ?? 0))) refuse('y', 'falls.');
  return { x, y };
}

function readSegmenter(entry: Entry): SegmentModel {
  const { facts, own, refuse } = readModel(SCHEMAS.parts, entry);
  const { logits, stride } = own.outputs;
  if (own.labels[0] !== 'background') refuse('labels', 'does not begin with "background".');
  if (facts.input.width % stride !== 0 || facts.input.height % stride !== 0)
    refuse('outputs.stride', `is ${stride}; a divisor of the input width and height is needed.`);
  return { ...facts, id: 'parts', task: 'segment', outputs: { logits, stride }, labels: own.labels };
}

function readPlateModel(entry: Entry): PlateModel {
  const { facts, own } = readModel(SCHEMAS.plates, entry);
  return {
    ...facts,
    id: 'plates',
    task: 'detect',
    outputs: pickBoxOutputs(own.outputs),
    nmsIou: own.nms_iou,
    labels: ['plate'],
    threshold: own.threshold,
  };
}

function readPresenceModel(entry: Entry): PresenceModel {
  const { facts, own } = readModel(SCHEMAS.vehicle, entry);
  return {
    ...facts,
    id: 'vehicle',
    task: 'presence',
    outputs: { score: own.outputs.score },
    labels: ['vehicle'],
    threshold: own.threshold,
  };
}

function readClassifier(entry: Entry): ClassifyModel {
  const { facts, own, refuse } = readModel(SCHEMAS.classifier, entry);
  const { width, height } = facts.input;
  if (width !== height) refuse('input.height', `is ${height}; as much as the width, ${width}, is needed.`);
  return {
    ...facts,
    id: 'classifier',
    task: 'classify',
    boxInput: own.box_input,
    outputs: { damage: own.outputs.damage, kinds: own.outputs.kinds },
    labels: own.labels,
  };
}
