import { LANGUAGES } from '../domain/language.ts';
import { ANGLES } from '../domain/photo.ts';
import { type Static, StringEnum, Type } from '../lib/type.ts';
import { Nullable, OptionalText } from './common.ts';

const ShotHintSchema = Type.Union([
  Type.Object({
    code: StringEnum(['no_vehicle', 'too_far', 'blur', 'dark', 'bright', 'glare', 'low_resolution']),
  }),
  Type.Object({ code: Type.Literal('other_view'), seen: StringEnum(ANGLES) }),
  Type.Object({ code: Type.Literal('cut_off'), edge: StringEnum(['left', 'right', 'top', 'bottom']) }),
  Type.Object({ code: Type.Literal('other_vehicle'), photo: Type.String() }),
]);

/** A photo in the folder of a capture: its file name, and what to change about it. */
const CapturedPhotoSchema = Type.Object({ name: Type.String(), hints: Type.Array(ShotHintSchema) });
export type CapturedPhoto = Static<typeof CapturedPhotoSchema>;

const ShotSchema = Type.Object({
  slot: Type.String({ description: 'Names the photo in addresses and files: `front_left`, `known_3`.' }),
  kind: StringEnum(['view', 'extra', 'known']),
  angle: Type.Optional(StringEnum(ANGLES, { description: 'Outside view; only for the kind `view`.' })),
  title: OptionalText('Number and name of a known damage, in the language of the page.'),
  has_earlier: Type.Boolean({ description: 'An earlier photo to repeat is at `capture/earlier/SLOT`.' }),
  takes_several: Type.Boolean({ description: 'A further photo is added instead of replacing the earlier.' }),
  photos: Type.Array(CapturedPhotoSchema),
});
/** A photo requested by a capture. */
export type Shot = Static<typeof ShotSchema>;

/** State of a capture, as its page reads it. */
export const CaptureStateSchema = Type.Object({
  capture_id: Type.String({ description: 'Hash of the folder; photos waiting on a phone keep it.' }),
  vehicle_id: Type.String(),
  language: StringEnum(LANGUAGES),
  shots: Type.Array(ShotSchema),
  stage: StringEnum(['open', 'inspecting', 'finished', 'failed']),
  outcome: Type.Array(Type.String(), { description: 'Findings, or why there is no result; one line each.' }),
  report: Nullable(Type.String({ description: 'Address of the report, relative to the page.' })),
});
export type CaptureState = Static<typeof CaptureStateSchema>;
