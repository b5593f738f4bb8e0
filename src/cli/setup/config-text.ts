import { SETTING_NAMES, SETTINGS, type SettingName, type SettingValues } from '../../config/settings.ts';
import { listChoices } from '../../config/values.ts';

const HEAD = `// Settings of vehi for this folder and everything below it. Flags and the environment outrank them;
// "vehi config list --sources" says which value holds and where it comes from.
`;

/**
 * Returns the text of a vehi.config.json: every setting with its description, those without a value commented out with
 * their default or an example. Each line ends with a comma, so that any of them can be switched on or off alone.
 */
export function writeConfigText(values: SettingValues): string {
  const write = (name: SettingName) => {
    const { about, env, fallback, example, schema }: Example = SETTINGS[name];
    const choices = example === undefined ? listChoices({ schema }) : undefined;
    const value = values[name];
    const line = `"${name}": ${JSON.stringify(value ?? fallback ?? example ?? null)},`;
    const words = `${about}${choices ? `: ${choices.join(', ')}` : ''} (${env})`;
    return `  // ${words}\n  ${value === undefined ? '// ' : ''}${line}\n`;
  };
  return `${HEAD}{\n${SETTING_NAMES.map(write).join('\n')}}\n`;
}

type Example = (typeof SETTINGS)[SettingName] & { readonly example?: string | number };
