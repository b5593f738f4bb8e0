import { SETTINGS, type SettingName } from '../../config/setting-table.ts';

export type SettingValues = Readonly<Partial<Record<SettingName, string | number>>>;

const HEAD = `// Settings of vehi for this folder and everything below it. Flags and the environment outrank them;
// "vehi config list --sources" says which value holds and where it comes from.
`;

/**
 * Returns the text of a vehi.config.json: every setting with its description, those without a value commented out with
 * their default or an example. Each line ends with a comma, so that any of them can be switched on or off alone.
 */
export function writeConfigText(values: SettingValues): string {
  const entries = (Object.keys(SETTINGS) as SettingName[]).map((name) => {
    const facts: (typeof SETTINGS)[SettingName] & { readonly example?: string | number } = SETTINGS[name];
    const { kind, about, env, fallback, example } = facts;
    const one = typeof kind === 'string' || example !== undefined ? '' : `: ${kind.join(', ')}`;
    const value = values[name];
    const line = `"${name}": ${JSON.stringify(value ?? fallback ?? example)},`;
    return `  // ${about}${one} (${env})\n  ${value === undefined ? '// ' : ''}${line}\n`;
  });
  return `${HEAD}{\n${entries.join('\n')}}\n`;
}
