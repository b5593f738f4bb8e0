import { ANGLES } from '../domain/photo.ts';
import { NamedObject, type Static, StringEnum, Type } from '../lib/type.ts';
import { Nullable } from './common.ts';

export const UploadQuerySchema = Type.Object({
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Name of the file; a result shows it.' }),
  ),
});

export const UploadSchema = NamedObject('Upload', {
  upload_id: Type.String({ pattern: '^upl_' }),
  url: Type.String({ description: 'Value for `images[].url` of a visual inspection.' }),
  bytes: Type.Integer({ minimum: 1 }),
  sha256: Type.String(),
  angle: Nullable(StringEnum(ANGLES, { description: "Angle in the file's name; null if none." })),
  expires_at: Type.String({
    format: 'date-time',
    description: 'The upload is deleted then, or once it was inspected.',
  }),
});
export const UploadViewSchema = Type.Object({
  upload_id: Type.String({ pattern: '^upl_' }),
  angle: Nullable(
    StringEnum(ANGLES, { description: 'Angle by the parts seen; null if they show none, as in close-ups.' }),
  ),
});
export type UploadView = Static<typeof UploadViewSchema>;
export type UploadAnswer = Static<typeof UploadSchema>;
