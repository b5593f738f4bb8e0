import { ANGLES } from '../domain/damage.ts';
import { type Static, Type } from '../lib/type.ts';
import { Nullable, StringEnum } from './common.ts';
import { IMAGE_BYTES_MAX } from './requests.ts';

export const UploadQuerySchema = Type.Object({
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Name of the file; a result shows it.' }),
  ),
});

export const UploadRequestSchema = Type.Object(
  {
    bytes: Type.Integer({
      minimum: 1,
      maximum: IMAGE_BYTES_MAX,
      description: 'Length of the photo, as it will be sent.',
    }),
    sha256: Type.String({
      pattern: '^[0-9a-fA-F]{64}$',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      description: 'SHA-256 of the photo; a photo with another one is not inspected.',
    }),
  },
  { description: 'A photo that is to be sent to an address of its own.' },
);
export type UploadRequest = Static<typeof UploadRequestSchema>;

const UploadAddressSchema = Type.Object(
  {
    url: Type.String({
      description: 'Takes the photo once it is sent by PUT, without an API key. Keep it as secret as a key.',
    }),
    headers: Type.Object(
      { 'content-length': Type.String() },
      { description: 'Sent with the photo exactly as they are; HTTP clients add the length by themselves.' },
    ),
    expires_at: Type.String({ format: 'date-time', description: 'The photo must be sent before.' }),
  },
  { description: 'Where the photo is to be sent, where the request announced it.' },
);

export const UploadSchema = Type.Object({
  upload_id: Type.String({ pattern: '^upl_' }),
  url: Type.String({ description: 'What `images[].url` of a visual inspection takes.' }),
  bytes: Type.Integer({ minimum: 1 }),
  sha256: Type.String(),
  angle: Nullable(StringEnum(ANGLES, { description: 'What the name of the file says.' })),
  expires_at: Type.String({ format: 'date-time', description: 'Gone from then on, or once inspected.' }),
  put: Type.Optional(UploadAddressSchema),
});
export const UploadViewSchema = Type.Object({
  upload_id: Type.String({ pattern: '^upl_' }),
  angle: Nullable(
    StringEnum(ANGLES, {
      description: 'What the parts in the picture say; null where they do not, as inside and in close-ups.',
    }),
  ),
});
export type UploadView = Static<typeof UploadViewSchema>;
export type UploadAnswer = Static<typeof UploadSchema>;
