import { isTypeAlias } from '../../src/domain/type-aliases.ts';
import { listIds, send, service, VISUAL } from './running-service.ts';

/** Extensions of an assessment that name its lines and its currency: with lines and a currency that it has. */
function estimateOf(body: Record<string, unknown>): Record<string, unknown> {
  const edits = (body.line_edits as { add?: object }[] | undefined)?.filter((edit) => edit.add !== undefined);
  const vehicle = body.vehicle as { vin?: string; currency?: string } | undefined;
  const options = body.assessment_options as { currency?: string } | undefined;
  const currency = options?.currency === undefined ? 'USD' : 'EUR';
  return {
    ...(edits && { line_edits: edits.map((edit) => ({ ...edit, add: { ...edit.add, price: 5 } })) }),
    ...(options?.currency === undefined ? {} : { assessment_options: { ...options, currency } }),
    ...(vehicle && {
      vehicle: {
        ...vehicle,
        ...(vehicle.vin === undefined ? {} : { vin: '1M8GDM9AXKP042788' }),
        ...(vehicle.currency === undefined ? {} : { currency: 'EUR' }),
      },
    }),
  };
}

/** What a schema cannot say: which photos, inspections and damages there are. */
export const SENSE: Readonly<Record<string, (body: Record<string, unknown>) => Promise<unknown>>> = {
  changeReview: async (body) => ({
    ...(await withRevision(body)),
    decisions: [{ decision: 'nothing_more', image_index: 1 }],
  }),
  finishReview: withRevision,
  placeBox: async (body) => ({ ...body, image_index: 0, box: { x: 600, y: 400, width: 90, height: 60 } }),
  async createVisualInspection(body) {
    const urls = service.line.demo_photos;
    const images = (body.images as object[]).map((image, i) => ({ ...image, url: urls[i % urls.length] }));
    return { ...body, images };
  },
  async createDamageAssessment(body) {
    const damages = (body.damages as { type: string; subtype?: string }[]).map(
      ({ subtype, ...damage }, i) => ({
        ...damage,
        // An alias of a type is itself the subtype.
        ...(subtype === undefined || isTypeAlias(damage.type) ? {} : { subtype }),
        damage_id: `d${i}`,
      }),
    );
    const overrides = (body.overrides as { option?: string; type?: string; severity?: string }[] | undefined)
      ?.slice(0, damages.length)
      .map(({ option: _, ...override }, i) => ({ ...override, damage_id: `d${i}` }))
      .filter(({ type, severity }) => type ?? severity);
    const { inspection_id: given, ...rest } = body;
    const known = given === undefined ? {} : await listIds('inspection_id', 0);
    return {
      ...rest,
      ...known,
      damages,
      ...(overrides === undefined ? {} : { overrides }),
      ...estimateOf(body),
    };
  },
};

/** Adds the revision of the inspection that is reviewed. */
export async function withRevision(body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { inspection_id = '' } = await listIds('reviewed_id', 0);
  const answer = await send({ method: 'get', path: `${VISUAL}/${inspection_id}/review`, headers: {} });
  return { ...body, revision: (JSON.parse(answer.text) as { data: { revision: number } }).data.revision };
}
