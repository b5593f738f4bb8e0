import type { PhotoEdge, ShotHint } from '../domain/judge/check-shot.ts';
import type { LanguageCode } from '../domain/language.ts';
import type { Angle } from '../domain/photo.ts';
import translations from './data/capture-translations.json' with { type: 'json' };
import { english, type Say } from './say.ts';
import { readTexts, writeWith } from './translate.ts';
import { humanize } from './words.ts';

/** Returns the writer of a language for the phone's page, loading only the texts of a capture. */
export const writeForPhone = (code: LanguageCode): Say =>
  code === 'en' ? english : writeWith(readTexts(translations.texts, code), code);

/** Names a view that the user should photograph. */
export function nameView(angle: Angle, say: Say): string {
  switch (angle) {
    case 'front_left':
      return say`Front left corner`;
    case 'front_right':
      return say`Front right corner`;
    case 'rear_left':
      return say`Rear left corner`;
    case 'rear_right':
      return say`Rear right corner`;
    default:
      return say.word(humanize(angle));
  }
}

/** Names an optional photo and explains how to take it; undefined for others. */
export function nameExtra(slot: string, say: Say): readonly [title: string, help: string] | undefined {
  switch (slot) {
    case 'dashboard':
      return [say`Dashboard`, say`with the odometer, ignition on`];
    case 'vin_interior':
      return [say`VIN`, say`at the windshield or the door frame`];
    case 'damage':
      return [say`Damage, close up`, say`from half a meter, as many as there are`];
    default:
      return undefined;
  }
}

/** Describes a hint about a photo in words. */
export function describeHint(hint: ShotHint, say: Say): string {
  switch (hint.code) {
    case 'no_vehicle':
      return say`No vehicle can be seen.`;
    case 'other_view':
      return say`This looks like: ${nameView(hint.seen, say)}.`;
    case 'cut_off':
      return say`Step back: the vehicle is cut off ${say.word(EDGES[hint.edge])}.`;
    case 'too_far':
      return say`Come closer: the vehicle is small.`;
    case 'other_vehicle':
      return say`The paint differs from ${hint.photo}: is this another vehicle?`;
    case 'blur':
      return say`Blurred: hold still and let the camera focus.`;
    case 'dark':
      return say`Too dark: more light shows small damage.`;
    case 'bright':
      return say`Too bright: damage there cannot be seen.`;
    case 'glare':
      return say`Glare: another angle avoids it.`;
    case 'low_resolution':
      return say`Few pixels: choose a larger picture size in the camera.`;
  }
}

const EDGES = {
  left: 'on the left',
  right: 'on the right',
  top: 'at the top',
  bottom: 'at the bottom',
} as const satisfies Record<PhotoEdge, string>;
