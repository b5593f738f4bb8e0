import type { Command } from 'commander';

/** Shells with a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

interface Word {
  readonly name: string;
  readonly description: string;
}

/** A command for completion; `path` is the words after `vehi`, empty for the root. */
interface CommandNode {
  readonly path: string;
  /** Subcommands, or the values of the first argument. */
  readonly commands: readonly Word[];
  readonly options: readonly {
    readonly flag: string;
    readonly description: string;
    readonly values: readonly string[];
  }[];
}

/** Completion values not defined by the command tree. */
interface KnownValues {
  /** Values of flags, keyed by flag, or by command and flag if they differ between commands. */
  readonly flags: Readonly<Record<string, readonly string[]>>;
  /** Values of the first argument, keyed by command. */
  readonly arguments: Readonly<Record<string, readonly Word[]>>;
}

/**
 * Generates the completion script of a shell for the whole command tree: flags after a dash, and file names if no word
 * matches (completed by the shell, which quotes them correctly).
 */
export function writeCompletionScript(shell: Shell, root: Command, values: KnownValues): string {
  const nodes = listNodes(root, '', values);
  return { bash: writeBashScript, zsh: writeZshScript, fish: writeFishScript }[shell](nodes);
}

function listNodes(command: Command, path: string, values: KnownValues): CommandNode[] {
  const help = command.createHelp();
  const commands = command.commands;
  const choices =
    command.registeredArguments[0]?.argChoices?.map((name) => ({ name, description: '' })) ?? [];
  const node: CommandNode = {
    path,
    commands: [
      ...commands.map((child) => ({
        name: child.name(),
        description: child.summary() || child.description(),
      })),
      ...(values.arguments[path] ?? choices),
    ].map(({ name, description }) => ({ name, description: toOneLine(description) })),
    options: help.visibleOptions(command).map((option) => ({
      flag: option.long ?? option.short ?? '',
      description: toOneLine(option.description),
      values:
        option.argChoices ?? values.flags[`${path} ${option.long}`] ?? values.flags[option.long ?? ''] ?? [],
    })),
  };
  return [node, ...commands.flatMap((child) => listNodes(child, `${path} ${child.name()}`.trim(), values))];
}

function toOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/['"`$\\[\]]/g, '');
}

/** Determines the command path typed so far, skipping options. */
const BASH_PATH = `  local path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) case " $_vehi_paths " in *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;; esac ;; esac
  done`;

function writeBashScript(nodes: readonly CommandNode[]): string {
  const slash = (path: string) => path.replaceAll(' ', '/');
  const paths = nodes.map(({ path }) => slash(path)).filter(Boolean);
  const values = nodes.flatMap(({ path, options }) =>
    options
      .filter((option) => option.values.length > 0)
      .map((option) => `    "${slash(path)} ${option.flag}") reply="${option.values.join(' ')}" ;;`),
  );
  const cases = nodes.map(({ path, commands, options }) => {
    const names = commands.map(({ name }) => name).join(' ');
    const flags = options.map(({ flag }) => flag).join(' ');
    return `    "${slash(path)}") commands="${names}" options="${flags}" ;;`;
  });
  return `# vehi completion for bash: eval "$(vehi completion bash)"
_vehi_paths="${paths.join(' ')}"
_vehi() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" reply="" commands="" options=""
  # --flag=value reaches this as three words.
  if [ "$current" = "=" ]; then current=""
  elif [ "$previous" = "=" ]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
${BASH_PATH}
  case "$path $previous" in
${values.join('\n')}
  esac
  if [ -z "$reply" ]; then
    case "$path" in
${cases.join('\n')}
    esac
    case "$current" in -*) reply="$options" ;; *) reply="$commands" ;; esac
  fi
  COMPREPLY=($(compgen -W "$reply" -- "$current"))
}
complete -o default -F _vehi vehi
`;
}

function writeZshScript(nodes: readonly CommandNode[]): string {
  const cases = nodes.map((node) => {
    const commands = node.commands
      .map(({ name, description }) => `'${name}:${description.replaceAll(':', ' ')}'`)
      .join(' ');
    const options = node.options
      .map(({ flag, description }) => `'${flag}:${description.replaceAll(':', ' ')}'`)
      .join(' ');
    return `    "${node.path}") commands=(${commands}); options=(${options}) ;;`;
  });
  const values = nodes.flatMap(({ path, options }) =>
    options
      .filter((option) => option.values.length > 0)
      .map((option) => `    "${path} ${option.flag}") compadd -- ${option.values.join(' ')}; return ;;`),
  );
  return `#compdef vehi
# vehi completion for zsh: vehi completion zsh > "\${fpath[1]}/_vehi"
_vehi() {
  local -a commands options paths
  local trail="" word
  paths=(${nodes.map(({ path }) => `"${path}"`).join(' ')})
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && continue
    (( \${paths[(Ie)\${trail:+$trail }$word]} )) && trail="\${trail:+$trail }$word"
  done
  word="\${words[CURRENT-1]}"
  if [[ \${words[CURRENT]} == --*=* ]]; then word="\${words[CURRENT]%%=*}"; compset -P '*='; fi
  case "$trail $word" in
${values.join('\n')}
  esac
  case "$trail" in
${cases.join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then _describe option options
  elif (( \${#commands} )); then _describe command commands
  else _files; fi
}
compdef _vehi vehi
`;
}

function writeFishScript(nodes: readonly CommandNode[]): string {
  const lines = nodes.flatMap((node) => {
    const names = node.path.split(' ').filter(Boolean);
    const subcommands = node.commands.map(({ name }) => name).join(' ');
    const seen = names.map((name) => `__fish_seen_subcommand_from ${name}`);
    const none = subcommands ? [`not __fish_seen_subcommand_from ${subcommands}`] : [];
    const condition = [...seen, ...none].join('; and ') || 'true';
    return [
      ...node.commands.map(
        ({ name, description }) => `complete -c vehi -n '${condition}' -f -a ${name} -d '${description}'`,
      ),
      ...node.options
        .filter(({ flag }) => flag.startsWith('--'))
        .map(({ flag, description, values }) => {
          const valueFlags = values.length > 0 ? ` -x -a '${values.join(' ')}'` : '';
          return `complete -c vehi -n '${seen.join('; and ') || '__fish_use_subcommand'}' -l ${flag.slice(2)} -d '${description}'${valueFlags}`;
        }),
    ];
  });
  return `# vehi completion for fish: vehi completion fish > ~/.config/fish/completions/vehi.fish\n${lines.join('\n')}\n`;
}
