import type { PhotoEdge, ShotHint } from '../domain/grading/check-shot.ts';
import type { LanguageCode } from '../domain/language.ts';
import type { Angle } from '../domain/photo.ts';
import translations from './data/capture-translations.json' with { type: 'json' };
import { createTranslator, readTexts } from './translate.ts';
import { english, type Translator } from './translator.ts';
import { humanize } from './words.ts';

/** Returns the writer of a language for the phone's page, loading only the texts of a capture. */
export const writeForPhone = (code: LanguageCode): Translator =>
  code === 'en' ? english : createTranslator(readTexts(translations.texts, code), code);

/** Names a view that the user should photograph. */
export function nameView(angle: Angle, t: Translator): string {
  const corners: Readonly<Partial<Record<Angle, string>>> = {
    front_left: t`Front left corner`,
    front_right: t`Front right corner`,
    rear_left: t`Rear left corner`,
    rear_right: t`Rear right corner`,
  };
  return corners[angle] ?? t.word(humanize(angle));
}

/** Names an optional photo and explains how to take it; undefined for others. */
export function nameExtra(slot: string, t: Translator): readonly [title: string, help: string] | undefined {
  const extras = new Map<string, readonly [title: string, help: string]>([
    ['dashboard', [t`Dashboard`, t`with the odometer, ignition on`]],
    ['vin_interior', [t`VIN`, t`at the windshield or the door frame`]],
    ['damage', [t`Damage, close up`, t`from half a meter, as many as there are`]],
  ]);
  return extras.get(slot);
}

/** Describes a hint about a photo in words. */
export function describeHint(hint: ShotHint, t: Translator): string {
  if (hint.code === 'other_view') return t`This looks like: ${nameView(hint.seen, t)}.`;
  if (hint.code === 'cut_off') return t`Step back: the vehicle is cut off ${t.word(EDGES[hint.edge])}.`;
  if (hint.code === 'other_vehicle') return t`The paint differs from ${hint.photo}: is this another vehicle?`;
  const words: Readonly<Record<typeof hint.code, string>> = {
    no_vehicle: t`No vehicle can be seen.`,
    too_far: t`Come closer: the vehicle is small.`,
    blur: t`Blurred: hold still and let the camera focus.`,
    dark: t`Too dark: more light shows small damage.`,
    bright: t`Too bright: damage there cannot be seen.`,
    glare: t`Glare: another angle avoids it.`,
    low_resolution: t`Few pixels: choose a larger picture size in the camera.`,
  };
  return words[hint.code];
}

const EDGES = {
  left: 'on the left',
  right: 'on the right',
  top: 'at the top',
  bottom: 'at the bottom',
} as const satisfies Record<PhotoEdge, string>;
