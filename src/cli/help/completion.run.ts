import { type FailingCommand, listFailOnWords } from '../../config/fail-on.ts';
import { isSettingName, SETTING_NAMES, SETTINGS } from '../../config/settings.ts';
import { listChoices } from '../../config/values.ts';
import { PART_NAMES } from '../../domain/parts.ts';
import { makeUsageError } from '../../lib/errors.ts';
import { listCurrencies } from '../../pricing/currencies.ts';
import { loadTables } from '../../pricing/tables/load.ts';
import { EXIT_CODES_TOPIC } from '../commands.ts';
import { listKinds, type OutputCommand } from '../outputs/kinds.ts';
import type { CliContext } from '../terminal/context.ts';
import { write } from '../terminal/output.ts';
import { listChildren, type VehiCommand } from '../vehi-command.ts';

/** Each script asks `vehi completion words` for candidates; if there are none, the shell completes file names. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_vehi() { COMPREPLY=($(compgen -W "$(vehi completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}")" -- "\${COMP_WORDS[COMP_CWORD]#=}")); }
complete -o default -F _vehi vehi`,
  zsh: `#compdef vehi
_vehi() {
  local -a found=(\${(f)"$(vehi completion words -- "\${(@)words[2,CURRENT]}")"})
  if [[ \${words[CURRENT]} == --*=* ]]; then compset -P '*='; fi
  if (( $#found )); then compadd -a found; else _files; fi
}
compdef _vehi vehi`,
  fish: `function __vehi_find
  set -l current (commandline -ct)
  set -l flag (string match -r -- '^--[^=]+=' $current; or echo)
  set -g __vehi_found $flag(vehi completion words -- (commandline -opc)[2..] $current)
  set -q __vehi_found[1]
end
complete -c vehi -f -n __vehi_find -a '$__vehi_found'`,
};

/** Prints the script of a shell, or the candidates for `words`. @throws VehiError usage for another shell */
export async function runCompletion(
  shell: string,
  words: readonly string[],
  _flags: object,
  ctx: CliContext,
  root: VehiCommand,
): Promise<void> {
  const shells = Object.keys(SCRIPTS);
  if (shell !== 'words' && !shells.includes(shell))
    throw makeUsageError(`there is no script for ${shell}.`, `Shells: ${shells.join(', ')}.`);
  const lines = shell === 'words' ? listCandidates(words, root) : [SCRIPTS[shell]];
  await write(ctx.stdout, lines.map((line) => `${line}\n`).join(''));
}

function listCandidates(words: readonly string[], root: VehiCommand): readonly string[] {
  const typed = words
    .flatMap((word) => (word.startsWith('--') ? word.split('=') : [word]))
    .filter((word) => word !== '=');
  const current = words.at(-1) === '=' ? '' : (typed.at(-1) ?? '');
  const before = words.at(-1) === '=' ? typed : typed.slice(0, -1);
  const isHelp = before[0] === 'help';
  let command = root;
  for (const word of isHelp ? before.slice(1) : before)
    command = listChildren(command).find((one) => one.name() === word) ?? command;
  const { path } = command;
  const option = command.options.find(({ long }) => long === before.at(-1));
  if (option?.required) return option.argChoices ?? listFlagValues(path, option.long ?? '');
  const visible = command.createHelp().visibleOptions(command);
  if (current.startsWith('-')) return visible.map(({ long }) => long ?? '');
  if (path === 'config set' && !isHelp) return listSettingWords(before.at(-1) ?? '');
  if (path === 'completion' && !isHelp) return Object.keys(SCRIPTS);
  const topics = path === '' && isHelp ? [EXIT_CODES_TOPIC] : [];
  return [...listChildren(command).map((one) => one.name()), ...topics];
}

/** Lists the values of a setting, which are those of its flag for `inspect`; the names of all if it is none. */
function listSettingWords(name: string): readonly string[] {
  if (!isSettingName(name)) return SETTING_NAMES;
  const [flag = ''] = SETTINGS[name].flag.split(' ');
  return listChoices(SETTINGS[name]) ?? listFlagValues('inspect', flag);
}

function listFlagValues(path: string, flag: string): readonly string[] {
  if (flag === '--region') return loadTables().regions.rows.map(({ code }) => code);
  if (flag === '--currency') return listCurrencies(loadTables());
  if (flag === '--damage') return PART_NAMES;
  if (flag === '--fail-on') return listFailOnWords(path as FailingCommand);
  return flag === '--format' ? listKinds('printed', path as OutputCommand) : [];
}
