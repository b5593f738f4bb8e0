import { PRECISIONS } from '../../domain/choices.ts';
import type { Field } from '../../lib/field.ts';
import type {
  DataFile,
  DetectModel,
  ModelFacts,
  ModelInput,
  ModelVariant,
  TrainingSource,
} from './manifest.ts';

/** Reads what every model says of itself. */
export function readFacts(model: Field): ModelFacts {
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
    mean: readPerChannel(input.get('mean'), 0, 1),
    std: readPerChannel(input.get('std'), 0.001, 10),
  };
}

function readPerChannel(field: Field, least: number, most: number): [number, number, number] {
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

/** Reads labels of a closed list. */
export function readLabels<const T extends string>(field: Field, known: readonly T[]): T[] {
  const labels = field.list(1, known.length).map((label) => label.oneOf(known));
  if (new Set(labels).size !== labels.length) field.wrong('labels that differ from each other');
  return labels;
}

/** Reads which file of numbers goes with a model. */
export function readDataFile(data: Field): DataFile {
  return {
    file: data
      .get('file')
      .matching(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,80}\.json$/, 'a bare file name that ends in .json'),
    sha256: data.get('sha256').matching(SHA256, SHA256_NEEDED),
    bytes: data.get('bytes').integer(1, 1024 * 1024),
  };
}

/** Reads the outputs of a model that gives boxes, and when two of them are one. */
export function readBoxOutputs(model: Field): Pick<DetectModel, 'outputs' | 'nmsIou'> {
  const outputs = model.get('outputs');
  return {
    outputs: { boxes: outputs.get('boxes').text(100), scores: outputs.get('scores').text(100) },
    nmsIou: model.get('nms_iou').number(0.05, 0.95),
  };
}

/** Reads the output of a model that says something about every cell of its input. */
export function readGrid(model: Field, input: ModelInput): { logits: string; stride: number } {
  const outputs = model.get('outputs');
  const stride = outputs.get('stride').integer(1, 32);
  if (input.width % stride !== 0 || input.height % stride !== 0)
    outputs.get('stride').wrong('a divisor of the input width and height');
  return { logits: outputs.get('logits').text(100), stride };
}
