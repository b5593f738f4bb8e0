import { Option } from 'commander';
import { PATHS, SETTINGS, type SettingName } from '../../config/setting-table.ts';

/** Returns the flag of each setting. */
export function listSettingOptions(): readonly (readonly [name: SettingName, option: Option])[] {
  return (Object.keys(SETTINGS) as SettingName[]).map((name) => {
    const { kind, about } = SETTINGS[name];
    const takes = PATHS.has(name) ? 'path' : kind === 'integer' ? 'n' : kind === 'share' ? 'share' : 'value';
    const option = new Option(`--${name.replaceAll('_', '-')} <${takes}>`, about);
    return [name, typeof kind === 'string' ? option : option.choices(kind)];
  });
}
