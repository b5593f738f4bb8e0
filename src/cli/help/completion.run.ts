import { FAIL_ON_KINDS, listFailOnWords } from '../../config/fail-on.ts';
import { SETTINGS } from '../../config/settings.ts';
import { PART_NAMES } from '../../domain/parts.ts';
import { listCurrencies, loadTables } from '../../pricing/index.ts';
import { listPrintedKinds } from '../outputs/kinds.ts';
import { type LoadTree, listChildren } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { write } from '../terminal/output.ts';
import { type Shell, writeCompletionScript } from './completion.ts';
import { TOPICS } from './help-topics.ts';

/** Runs `vehi completion`. */
export async function runCompletion(shell: Shell, ctx: CliContext, wholeTree: LoadTree): Promise<void> {
  const tables = loadTables();
  const regions = tables.regions.rows.map((row) => row.code);
  const tree = await wholeTree();
  const settings = Object.entries(SETTINGS).map(([name, { description }]) => ({ name, description }));
  const values = {
    flags: {
      '--region': regions,
      '--currency': listCurrencies(tables),
      '--damage': PART_NAMES,
      '--fail-on': listFailOnWords(),
      'assess --fail-on': listFailOnWords(FAIL_ON_KINDS.assess),
      'report --fail-on': listFailOnWords(FAIL_ON_KINDS.report),
      'compare --fail-on': [...listFailOnWords(FAIL_ON_KINDS.compare), 'none'],
      'inspect --format': listPrintedKinds('inspect'),
      'assess --format': listPrintedKinds('assess'),
      'report --format': listPrintedKinds('report'),
      'init --format': listPrintedKinds('inspect'),
    },
    arguments: {
      help: [
        ...listChildren(tree)
          .filter((child) => child.name() !== 'help')
          .map((child) => ({
            name: child.name(),
            description: child.summary() || child.description(),
          })),
        ...TOPICS,
      ],
      'config get': settings,
      'config set': settings,
    },
  };
  await write(ctx.stdout, writeCompletionScript(shell, tree, values));
}
