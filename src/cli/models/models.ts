import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';

const JSON_WORDS = 'the result as one JSON document on stdout';

/** Adds `vehi models` with its subcommands to the command tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  const models = root
    .command('models')
    .description('Lists, checks and measures the models that examine the photos.');
  models.examples('vehi models list', 'vehi models verify', 'vehi models info damage');
  models
    .command('list')
    .description('Lists the models with version, precision, input size and licence.')
    .examples('vehi models list', 'vehi models list --json')
    .exits({ engine: true })
    .flags({ json: JSON_WORDS })
    .action(async (flags: FlagsOf<'models list'>) =>
      (await import('./models.run.ts')).runModelsList(flags, ctx),
    );
  models
    .command('verify')
    .description('Checks every model file against the manifest (size, SHA-256) and loads it.')
    .examples('vehi models verify', 'vehi models verify --models ./models')
    .exits({ engine: 'a model is missing, changed or cannot be loaded' })
    .flags({ json: JSON_WORDS })
    .action(async (flags: FlagsOf<'models list'>) =>
      (await import('./models.run.ts')).runModelsVerify(flags, ctx),
    );
  models
    .command('info')
    .description('Shows one model: files, labels, thresholds, training data with licences, measured figures.')
    .argument('<name>', 'id or name of the model, e.g. damage')
    .examples('vehi models info damage', 'vehi models info parts --json')
    .exits({ engine: true })
    .flags({ json: JSON_WORDS })
    .action(async (name: string, flags: FlagsOf<'models list'>) =>
      (await import('./models.run.ts')).runModelsInfo(name, flags, ctx),
    );
  defineEval(models, ctx);
}

function defineEval(models: VehiCommand, ctx: CliContext): void {
  models
    .command('eval')
    .summary('measure the models on annotated photos')
    .description('Measures the damage model on annotated photos, through the same steps as an inspection.')
    .flags({
      json: JSON_WORDS,
      sensitivity: 'thresholds to judge at: default or high',
      precision: 'which file of the models',
    })
    .examples(
      'vehi models eval --annotations val.json --images val --clean clean',
      'vehi models eval --annotations val.json --images val --sensitivity high --json',
      'vehi models eval --corrections *.reviewed.json',
    )
    .exits({ inputRejected: 'annotations or images that cannot be used', engine: true })
    .action(async (flags: FlagsOf<'models eval'>) => {
      if (flags.corrections === undefined)
        return (await import('./models-eval.run.ts')).runModelsEval(flags, ctx);
      const { runModelsCorrections } = await import('./models-corrections.run.ts');
      return runModelsCorrections(flags.corrections, flags, ctx);
    });
}
