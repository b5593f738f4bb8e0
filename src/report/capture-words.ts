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
  switch (angle) {
    case 'front_left':
      return t`Front left corner`;
    case 'front_right':
      return t`Front right corner`;
    case 'rear_left':
      return t`Rear left corner`;
    case 'rear_right':
      return t`Rear right corner`;
    default:
      return t.word(humanize(angle));
  }
}

/** Names an optional photo and explains how to take it; undefined for others. */
export function nameExtra(slot: string, t: Translator): readonly [title: string, help: string] | undefined {
  switch (slot) {
    case 'dashboard':
      return [t`Dashboard`, t`with the odometer, ignition on`];
    case 'vin_interior':
      return [t`VIN`, t`at the windshield or the door frame`];
    case 'damage':
      return [t`Damage, close up`, t`from half a meter, as many as there are`];
    default:
      return undefined;
  }
}

/** Describes a hint about a photo in words. */
export function describeHint(hint: ShotHint, t: Translator): string {
  switch (hint.code) {
    case 'no_vehicle':
      return t`No vehicle can be seen.`;
    case 'other_view':
      return t`This looks like: ${nameView(hint.seen, t)}.`;
    case 'cut_off':
      return t`Step back: the vehicle is cut off ${t.word(EDGES[hint.edge])}.`;
    case 'too_far':
      return t`Come closer: the vehicle is small.`;
    case 'other_vehicle':
      return t`The paint differs from ${hint.photo}: is this another vehicle?`;
    case 'blur':
      return t`Blurred: hold still and let the camera focus.`;
    case 'dark':
      return t`Too dark: more light shows small damage.`;
    case 'bright':
      return t`Too bright: damage there cannot be seen.`;
    case 'glare':
      return t`Glare: another angle avoids it.`;
    case 'low_resolution':
      return t`Few pixels: choose a larger picture size in the camera.`;
  }
}

const EDGES = {
  left: 'on the left',
  right: 'on the right',
  top: 'at the top',
  bottom: 'at the bottom',
} as const satisfies Record<PhotoEdge, string>;
