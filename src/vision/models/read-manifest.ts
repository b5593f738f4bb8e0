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
  type ClassifyModel,
  type ClassValues,
  type DetectModel,
  type Manifest,
  MODEL_IDS,
  type PlateModel,
  type PresenceModel,
  type SegmentModel,
} from './manifest.ts';
import { readBoxOutputs, readDataFile, readFacts, readGrid, readLabels } from './read-model-facts.ts';

/**
 * Reads the text of a manifest, trusting nothing in it. `document` is its path, for messages.
 * @throws VehiError `MODEL_MANIFEST_INVALID` naming the field at fault.
 */
export function parseModelManifest(text: string, document: string): Manifest {
  const root = Field.parse(text, {
    document,
    kind: 'engine',
    code: 'MODEL_MANIFEST_INVALID',
    hint: 'Reinstall vehi, or point --models DIR (VEHI_MODEL_DIR) at a folder of models made for this version.',
  });
  root.get('schema_version').oneOf([1]);
  const list: Field = root.get('models');
  const models = list.list(2, MODEL_IDS.length);
  const ids = models.map((model) => model.get('id').oneOf(MODEL_IDS));
  if (new Set(ids).size !== ids.length) list.wrong('models whose ids differ');
  const [damage, parts, plates, vehicle, classifier] = MODEL_IDS.map((id) => models[ids.indexOf(id)]);
  if (damage === undefined || parts === undefined)
    list.wrong('one model with id "damage" and one with id "parts"');
  return {
    damage: readDetector(damage),
    parts: readSegmenter(parts),
    ...(plates ? { plates: readPlateModel(plates) } : {}),
    ...(vehicle ? { vehicle: readPresenceModel(vehicle) } : {}),
    ...(classifier ? { classifier: readClassifier(classifier) } : {}),
  };
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
    ...(model.get('judge').present ? { judge: readDataFile(model.get('judge')) } : {}),
  };
}

function readLimits(limits: Field): Limits {
  const certain = limits.get('certain').number(0, 1);
  return { certain, toCheck: limits.get('to_check').number(0, certain) };
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
  return { ...facts, id: 'parts', task: 'segment', outputs: readGrid(model, facts.input), labels };
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

function readClassifier(model: Field): ClassifyModel {
  model.get('task').oneOf(['classify']);
  const outputs = model.get('outputs');
  const facts = readFacts(model);
  if (facts.input.width !== facts.input.height)
    model.get('input').get('height').wrong('as much as the width');
  return {
    ...facts,
    id: 'classifier',
    task: 'classify',
    boxInput: model.get('box_input').text(100),
    outputs: { damage: outputs.get('damage').text(100), kinds: outputs.get('kinds').text(100) },
    labels: readLabels(model.get('labels'), DETECTOR_LABELS),
  };
}
