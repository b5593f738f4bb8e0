import {
  DETECTOR_LABELS,
  type DetectorLabel,
  type Limits,
  SEGMENT_LABELS,
  SENSITIVITIES,
  type Sensitivity,
} from '../../domain/sight/detection.ts';
import { Field } from '../../lib/field.ts';
import type { Member } from '../boxes/agreement.ts';
import {
  type CalibrationCurve,
  type ClassValues,
  type DataFile,
  type DetectModel,
  type Manifest,
  MODEL_IDS,
  type ModelFacts,
  type ModelInput,
  type ModelVariant,
  type PlateModel,
  PRECISIONS,
  type PresenceModel,
  type SegmentModel,
  type TrainingSource,
} from './manifest.ts';

/**
 * Reads the text of a manifest, trusting nothing in it. `document` is its path, for messages.
 * @throws VehiError `MODEL_MANIFEST_INVALID` naming the field at fault.
 */
export function parseManifest(text: string, document: string): Manifest {
  const root = Field.parse(text, {
    document,
    kind: 'engine',
    code: 'MODEL_MANIFEST_INVALID',
    hint: 'Reinstall vehi, or point --models DIR (VEHI_MODEL_DIR) at a folder of models made for this version.',
  });
  root.get('schema_version').oneOf([1]);
  const list: Field = root.get('models');
  const models = list.list(2, 4);
  const ids = models.map((model) => model.get('id').oneOf(MODEL_IDS));
  if (new Set(ids).size !== ids.length) list.wrong('models whose ids differ');
  const [damage, parts, plates, vehicle] = MODEL_IDS.map((id) => models[ids.indexOf(id)]);
  if (damage === undefined || parts === undefined)
    list.wrong('one model with id "damage" and one with id "parts"');
  return {
    damage: readDetector(damage),
    parts: readSegmenter(parts),
    ...(plates ? { plates: readPlateModel(plates) } : {}),
    ...(vehicle ? { vehicle: readPresenceModel(vehicle) } : {}),
  };
}

function readFacts(model: Field): ModelFacts {
  const variants = model.get('variants').list(1, PRECISIONS.length).map(readVariant);
  const precisions = variants.map((variant) => variant.precision);
  if (new Set(precisions).size !== precisions.length) model.get('variants').wrong('one file per precision');
  const trainingData = model.get('training_data');
  return {
    name: model.get('name').text(100),
    version: model.get('version').matching(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/, 'a version such as 1.2.3'),
    variants,
    defaultPrecision: model.get('default_precision').oneOf(precisions),
    input: readInput(model.get('input')),
    licence: model.get('licence').text(200),
    trainingData: trainingData.present ? trainingData.list(0, 200).map(readSource) : [],
    measured: model.get('measured').raw() ?? null,
  };
}

const SHA256 = /^[0-9a-f]{64}$/;
const SHA256_NEEDED = '64 lower-case hexadecimal digits';

function readVariant(variant: Field): ModelVariant {
  return {
    precision: variant.get('precision').oneOf(PRECISIONS),
    file: variant
      .get('file')
      .matching(
        /^[A-Za-z0-9_][A-Za-z0-9_-]{0,80}(\.[A-Za-z0-9_-]{1,20}){0,3}\.onnx$/,
        'a bare file name that ends in .onnx',
      ),
    sha256: variant.get('sha256').matching(SHA256, SHA256_NEEDED),
    bytes: variant.get('bytes').integer(1, 512 * 1024 * 1024),
  };
}

function readInput(input: Field): ModelInput {
  input.get('layout').oneOf(['NCHW']);
  input.get('channels').oneOf(['RGB']);
  input.get('resize').oneOf(['stretch']);
  return {
    name: input.get('name').text(100),
    width: input.get('width').integer(16, 2048),
    height: input.get('height').integer(16, 2048),
    mean: perChannel(input.get('mean'), 0, 1),
    std: perChannel(input.get('std'), 0.001, 10),
  };
}

function perChannel(field: Field, least: number, most: number): [number, number, number] {
  const [red, green, blue] = field.list(3, 3).map((value) => value.number(least, most));
  if (red === undefined || green === undefined || blue === undefined) field.wrong('three numbers');
  return [red, green, blue];
}

function readSource(source: Field): TrainingSource {
  return {
    source: source.get('source').text(),
    licence: source.get('licence').text(),
    images: source.get('images').integer(0, 1e9),
    labels: source
      .get('labels')
      .list(0, 200)
      .map((label) => label.text(100)),
  };
}

function readLabels<const T extends string>(field: Field, known: readonly T[]): T[] {
  const labels = field.list(1, known.length).map((label) => label.oneOf(known));
  if (new Set(labels).size !== labels.length) field.wrong('labels that differ from each other');
  return labels;
}

function readDetector(model: Field): DetectModel {
  model.get('task').oneOf(['detect']);
  const labels = readLabels(model.get('labels'), DETECTOR_LABELS);
  const thresholds = model.get('thresholds');
  return {
    ...readFacts(model),
    id: 'damage',
    task: 'detect',
    ...readBoxOutputs(model),
    labels,
    ...(model.get('members').present ? { members: readMembers(model.get('members')) } : {}),
    thresholds: {
      default: readClassValues(thresholds.get('default'), labels),
      high: readClassValues(thresholds.get('high'), labels),
    },
    calibration: Object.fromEntries(
      labels.map((label) => [label, readCurve(model.get('calibration').get(label))]),
    ),
    limits: Object.fromEntries(
      SENSITIVITIES.map((name) => [name, readLimits(model.get('limits').get(name))]),
    ) as Record<Sensitivity, Limits>,
    symmetric: model.get('symmetric').present && model.get('symmetric').oneOf([true, false]),
    ...(model.get('second_look').present ? { secondLook: readDataFile(model.get('second_look')) } : {}),
  };
}

function readLimits(limits: Field): Limits {
  const certain = limits.get('certain').number(0, 1);
  return { certain, toCheck: limits.get('to_check').number(0, certain) };
}

function readDataFile(data: Field): DataFile {
  return {
    file: data
      .get('file')
      .matching(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,80}\.json$/, 'a bare file name that ends in .json'),
    sha256: data.get('sha256').matching(SHA256, SHA256_NEEDED),
    bytes: data.get('bytes').integer(1, 1024 * 1024),
  };
}

function readMembers(field: Field): Member[] {
  const members = field.list(2, 4).map((member) => ({
    rows: member.get('rows').integer(1, 1_000_000),
    weight: member.get('weight').number(0, 1),
  }));
  const total = members.reduce((sum, { weight }) => sum + weight, 0);
  if (Math.abs(total - 1) > 1e-6) field.wrong('weights that add up to 1');
  return members;
}

function readClassValues(field: Field, labels: readonly DetectorLabel[]): ClassValues {
  return Object.fromEntries(labels.map((label) => [label, field.get(label).number(0, 1)]));
}

function readCurve(curve: Field): CalibrationCurve {
  const x = curve
    .get('x')
    .list(2, 256)
    .map((value) => value.number(0, 1));
  const y = curve
    .get('y')
    .list(x.length, x.length)
    .map((value) => value.number(0, 1));
  if (x.some((value, i) => i > 0 && value <= (x[i - 1] ?? 0))) curve.get('x').wrong('numbers that rise');
  if (y.some((value, i) => i > 0 && value < (y[i - 1] ?? 0))) curve.get('y').wrong('numbers that never fall');
  return { x, y };
}

function readSegmenter(model: Field): SegmentModel {
  model.get('task').oneOf(['segment']);
  const labels = readLabels(model.get('labels'), SEGMENT_LABELS);
  if (labels[0] !== 'background') model.get('labels').wrong('"background" as the first label');
  const facts = readFacts(model);
  return {
    ...facts,
    id: 'parts',
    task: 'segment',
    outputs: readGrid(model, facts.input),
    labels,
  };
}

function readPlateModel(model: Field): PlateModel {
  model.get('task').oneOf(['detect']);
  model.get('labels').list(1, 1)[0]?.oneOf(['plate']);
  return {
    ...readFacts(model),
    id: 'plates',
    task: 'detect',
    ...readBoxOutputs(model),
    labels: ['plate'],
    threshold: model.get('threshold').number(0.01, 0.99),
  };
}

/** Outputs of a model that gives boxes, and when two of them are one. */
function readBoxOutputs(model: Field): Pick<DetectModel, 'outputs' | 'nmsIou'> {
  const outputs = model.get('outputs');
  return {
    outputs: { boxes: outputs.get('boxes').text(100), scores: outputs.get('scores').text(100) },
    nmsIou: model.get('nms_iou').number(0.05, 0.95),
  };
}

/** Output of a model that says something about every cell of its input. */
function readGrid(model: Field, input: ModelInput): { logits: string; stride: number } {
  const outputs = model.get('outputs');
  const stride = outputs.get('stride').integer(1, 32);
  if (input.width % stride !== 0 || input.height % stride !== 0)
    outputs.get('stride').wrong('a divisor of the input width and height');
  return { logits: outputs.get('logits').text(100), stride };
}

function readPresenceModel(model: Field): PresenceModel {
  model.get('task').oneOf(['presence']);
  model.get('labels').list(1, 1)[0]?.oneOf(['vehicle']);
  return {
    ...readFacts(model),
    id: 'vehicle',
    task: 'presence',
    outputs: { score: model.get('outputs').get('score').text(100) },
    labels: ['vehicle'],
    threshold: model.get('threshold').number(0, 1),
  };
}
