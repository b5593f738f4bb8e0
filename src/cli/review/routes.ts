import type { Photo } from '../../contract/inspection.ts';
import type { DrawnBox, ReviewSnapshot, Said } from '../../contract/review.ts';
import { DAMAGE_TYPES, SEVERITIES } from '../../domain/damage.ts';
import { isPartName } from '../../domain/parts.ts';
import { VehiError } from '../../lib/errors.ts';
import { isObject } from '../../lib/fields.ts';
import { EXPORTS } from './exports.ts';
import { type Answer, answerError, answerJson, type Route } from './page-server.ts';
import type { PagePictures } from './pictures.ts';
import type { ReviewState } from './review-state.ts';
import type { Reviewing } from './reviewing.ts';
import type { Sessions } from './session.ts';

/** What the routes work with. */
interface PageParts {
  readonly reviewing: Reviewing;
  readonly state: ReviewState;
  readonly sessions: Sessions;
  readonly pictures: PagePictures;
  /** Name of the file that finishing writes. */
  readonly output: string;
  /** Decisions were saved. */
  readonly onSaved: (revision: number) => void;
  readonly export: (
    name: string,
    reviewed: ReviewSnapshot['reviewed'],
    redact: boolean,
  ) => Promise<string | Uint8Array>;
  readonly finish: (reviewed: ReviewSnapshot) => Promise<void>;
}

/** Sides of the pictures that are made of a whole photo, pixels. */
const SIDES = ['320', '2048'];
const MOST_CUT_SIDE = 2048;
const MOST_NAME = 120;

/** Returns the routes between the page and the command; all are relative, so that they work behind a prefix. */
export function listPageRoutes(parts: PageParts): readonly Route[] {
  const { reviewing, state, sessions, pictures } = parts;
  const { images } = reviewing.inspection.data;
  const photoAt = (index: string | undefined) => images.find((photo) => String(photo.index) === index);
  const picture = async (
    [session = '', index]: readonly string[],
    load: (photo: Photo) => ReturnType<PagePictures['whole']>,
  ): Promise<Answer> => {
    const photo = photoAt(index);
    if (!sessions.showsPictures(session) || !photo)
      return answerError(404, 'NOT_FOUND', 'there is no such picture.');
    const shown = await load(photo);
    if ('missing' in shown) return answerError(404, 'PHOTO_MISSING', shown.missing);
    return { type: 'image/jpeg', body: shown.jpeg, headers: { 'Cache-Control': 'private, max-age=86400' } };
  };
  return [
    {
      method: 'GET',
      path: /^\/api\/review$/,
      answer: async () =>
        answerJson({ ...state.current(), inspection: reviewing.inspection, output: parts.output }),
    },
    {
      method: 'PUT',
      path: /^\/api\/review$/,
      async answer({ body }) {
        const { revision, decisions, reviewer } = isObject(body) ? body : {};
        if (typeof revision !== 'number' || typeof reviewer !== 'string' || reviewer.length > MOST_NAME)
          throw new VehiError('input', 'INVALID_REQUEST', 'revision, decisions and reviewer are needed.');
        const put = await state.put({ revision, decisions, reviewer });
        if (put === 'conflict') return answerJson(state.current(), 409);
        parts.onSaved(put.revision);
        return answerJson(put);
      },
    },
    {
      method: 'POST',
      path: /^\/api\/place$/,
      async answer({ body }) {
        const { index, box, said } = placeRequest(body, images);
        return answerJson(await reviewing.place(index, box, said));
      },
    },
    {
      method: 'POST',
      path: /^\/api\/look$/,
      async answer({ body }) {
        const photo = photoAt(String(isObject(body) ? body.image_index : ''));
        if (photo) reviewing.prepare(photo.index);
        return answerJson({});
      },
    },
    {
      method: 'GET',
      path: /^\/p\/([\w-]+)\/(\d+)\/(\d+)\.jpg$/,
      open: true,
      answer: async ({ params }) =>
        SIDES.includes(params[2] ?? '')
          ? picture(params, (photo) => pictures.whole(photo, Number(params[2])))
          : answerError(404, 'NOT_FOUND', 'there is no such picture.'),
    },
    {
      method: 'GET',
      path: /^\/p\/([\w-]+)\/(\d+)\/cut\.jpg$/,
      open: true,
      async answer({ params, query }) {
        const [x, y, width, height, side] = ['x', 'y', 'w', 'h', 'side'].map((name) =>
          Number(query.get(name)),
        ) as [number, number, number, number, number];
        const whole = [x, y, width, height, side].every((value) => Number.isSafeInteger(value) && value >= 0);
        if (!whole || width < 1 || height < 1 || side < 1)
          return answerError(404, 'NOT_FOUND', 'there is no such picture.');
        const most = Math.min(side, MOST_CUT_SIDE);
        return picture(params, (photo) => pictures.cut(photo, { x, y, width, height }, most));
      },
    },
    {
      method: 'GET',
      path: /^\/x\/([\w-]+)\/([\w.]+)$/,
      open: true,
      async answer({ params: [session = '', name], query }) {
        const wanted = EXPORTS.find((one) => one.name === name);
        if (!sessions.showsPictures(session) || !wanted)
          return answerError(404, 'NOT_FOUND', 'there is nothing at this address.');
        const { reviewed } = state.current();
        const body = await parts.export(wanted.name, reviewed, query.get('redact') === '1');
        const file = `${reviewed.data.vehicle_id.replace(/[^\w-]/g, '_')}-${wanted.name}`;
        return {
          type: wanted.type,
          body,
          headers: { 'Content-Disposition': `attachment; filename="${file}"` },
        };
      },
    },
    {
      method: 'POST',
      path: /^\/api\/finish$/,
      async answer({ body }) {
        const now = state.current();
        if (!isObject(body) || body.revision !== now.revision) return answerJson(now, 409);
        await parts.finish(now);
        return answerJson({ output: parts.output });
      },
    },
  ];
}

/** Throws VehiError input naming the field. */
function placeRequest(body: unknown, images: readonly Photo[]) {
  const fields = isObject(body) ? body : {};
  const photo = images.find(({ index }) => index === fields.image_index);
  const wrong = (field: string) => new VehiError('input', 'INVALID_REQUEST', `${field} cannot be used.`);
  if (!photo) throw wrong('image_index');
  const { x, y, width, height } = (isObject(fields.box) ? fields.box : {}) as Record<string, number>;
  const box = { x, y, width, height } as DrawnBox;
  const whole = Object.values(box).every((side) => Number.isSafeInteger(side) && side >= 0);
  if (!whole || box.width < 1 || box.height < 1) throw wrong('box');
  if (box.x + box.width > photo.width || box.y + box.height > photo.height) throw wrong('box');
  const { type, severity, part } = fields;
  if (type !== undefined && !DAMAGE_TYPES.some((one) => one === type)) throw wrong('type');
  if (severity !== undefined && !SEVERITIES.some((one) => one === severity)) throw wrong('severity');
  if (part !== undefined && !(typeof part === 'string' && isPartName(part))) throw wrong('part');
  const said = Object.fromEntries(
    Object.entries({ type, severity, part }).filter(([, value]) => value !== undefined),
  ) as Said;
  return { index: photo.index, box, said };
}
