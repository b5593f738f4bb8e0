import { Option } from 'commander';
import { PRECISIONS } from '../../domain/choices.ts';
import { SENSITIVITIES } from '../../domain/sight/detection.ts';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { parseNumberBetween, parseWholeBetween } from '../terminal/option-values.ts';
import { type EvalFlags, type FitFlags, type ModelsFlags, SECOND_PASS_NAMES } from './models-flags.ts';

/** Adds `vehi models` with its sub-commands to the tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  const models = root
    .command('models')
    .description('Lists, checks and measures the models that examine the photos.');
  models.examples('vehi models list', 'vehi models verify', 'vehi models info damage');
  addCommonOptions(
    models
      .command('list')
      .description('Lists the models with version, precision, input size and licence.')
      .examples('vehi models list', 'vehi models list --json')
      .exits({ engine: true }),
  ).action(async (flags: ModelsFlags) => (await import('./models.run.ts')).runModelsList(flags, ctx));
  addCommonOptions(
    models
      .command('verify')
      .description('Checks every model file against the manifest (size, SHA-256) and loads it.')
      .examples('vehi models verify', 'vehi models verify --models ./models')
      .exits({ engine: 'a model is missing, changed or cannot be loaded' }),
  ).action(async (flags: ModelsFlags) => (await import('./models.run.ts')).runModelsVerify(flags, ctx));
  addCommonOptions(
    models
      .command('info')
      .description(
        'Shows one model: files, labels, thresholds, training data with licences, measured figures.',
      )
      .argument('<name>', 'id or name of the model, e.g. damage')
      .examples('vehi models info damage', 'vehi models info parts --json')
      .exits({ engine: true }),
  ).action(async (name: string, flags: ModelsFlags) =>
    (await import('./models.run.ts')).runModelsInfo(name, flags, ctx),
  );
  defineEval(models, ctx);
  defineFit(models, ctx);
}

function defineEval(models: VehiCommand, ctx: CliContext): void {
  addCommonOptions(models.command('eval'))
    .summary('measure the models on annotated photos')
    .description('Measures the models on annotated photos, through the same steps as an inspection.')
    .option('--annotations <file>', 'COCO JSON; an image may list in "labelled" which classes it labels')
    .option('--images <dir>', 'folder of its images')
    .optionsGroup('What is measured:')
    .addOption(
      new Option(
        '--finds',
        'measure how much damage is found, by touch; --annotations is a list of photos looked at whole',
      ).conflicts(['parts', 'plates', 'silhouettes', 'clean', 'only', 'limit', 'secondPass', 'far']),
    )
    .addOption(
      new Option(
        '--corrections <files...>',
        'measure by what reviewers decided instead: reviewed results, or corrections.coco.json of reviews',
      ).conflicts(['annotations', 'images', 'finds', 'parts', 'plates', 'clean', 'only', 'limit', 'far']),
    )
    .option('--parts', 'measure the parts model by the polygons, not the damage model by the boxes')
    .addOption(
      new Option(
        '--plates',
        'measure the plate finder: how much of the boxes "plate" --redact would blur',
      ).conflicts(['parts', 'silhouettes', 'clean', 'sensitivity', 'precision', 'secondPass', 'far']),
    )
    .option(
      '--silhouettes <dir>',
      'with --parts: masks of the whole vehicle; unlabelled pixels inside are not judged',
    )
    .option('--clean <dir>', 'photos without damage, to count false alarms')
    .option('--only <file>', 'only images named in this file, a name per line')
    .option('--limit <n>', 'at most this many images, spread evenly over the file', parseWholeBetween(1))
    .addOption(new Option('--sensitivity <level>', 'thresholds or limits to judge at').choices(SENSITIVITIES))
    .optionsGroup('How photos are examined:')
    .addOption(new Option('--precision <name>', 'which file of the models').choices(PRECISIONS))
    .addOption(
      new Option(
        '--second-pass <plan>',
        'what is examined again, closer (default: as an inspection does)',
      ).choices(SECOND_PASS_NAMES),
    )
    .option(
      '--far <factor>',
      'show each photo as a small part of a clean one, so many times as wide (1.2 to 4)',
      parseNumberBetween(1.2, 4),
    )
    .option('--threads <n>', 'threads that run the models', parseWholeBetween(1))
    .examples(
      'vehi models eval --annotations val.json --images val --clean clean',
      'vehi models eval --annotations val.json --images val --sensitivity high --json',
      'vehi models eval --annotations val.json --images val --far 2.5 --second-pass none',
      'vehi models eval --finds --annotations walk-arounds/labels.json --images walk-arounds',
      'vehi models eval --corrections *.reviewed.json',
      'vehi models eval --parts --annotations parts.json --images parts --silhouettes outlines',
      'vehi models eval --plates --annotations plates.json --images val',
    )
    .exits({ inputRejected: 'annotations or images that cannot be used', engine: true })
    .action(async (flags: EvalFlags & { readonly corrections?: readonly string[] }) => {
      if (flags.corrections === undefined)
        return (await import('./models-eval.run.ts')).runModelsEval(flags, ctx);
      const { runModelsCorrections } = await import('./models-corrections.run.ts');
      return runModelsCorrections(flags.corrections, flags, ctx);
    });
}

function defineFit(models: VehiCommand, ctx: CliContext): void {
  addCommonOptions(models.command('fit'))
    .summary('choose limits on labelled photos')
    .description(
      'Fits the judge and the limits of certain finds and those to check on labelled photos, and says by ten folds what they are worth.',
    )
    .argument('<labels...>', 'label files, each next to its photos, as for eval --finds')
    .option('--write', 'write judge.json and the limits into the folder of models')
    .option('--threads <n>', 'threads that run the models', parseWholeBetween(1))
    .examples(
      'vehi models fit photos/labels.json',
      'vehi models fit photos/labels.json walk-arounds/labels.json --models ./models --write',
    )
    .exits({ inputRejected: 'labels or photos that cannot be used', engine: true })
    .action(async (labels: string[], flags: FitFlags) =>
      (await import('./models-fit.run.ts')).runModelsFit(labels, flags, ctx),
    );
}

function addCommonOptions(command: VehiCommand): VehiCommand {
  return command
    .option('--json', 'the result as one JSON document on stdout')
    .option('--models <dir>', 'folder with manifest.json and the models (VEHI_MODEL_DIR)');
}
