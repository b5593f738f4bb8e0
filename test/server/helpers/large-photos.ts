import { makeFakeBackend } from './backend.ts';

/** An inspection of this vehicle has photos of twelve megapixels, and a place to check besides the damage. */
export const LARGE = 'veh_large';
/** The place to check of that inspection. */
export const CHECK = 'chk_front_bumper_001';
/** Creates a fake backend that knows such an inspection. */
export function makeProgramsWithLarge(): ReturnType<typeof makeFakeBackend> {
  const backend = makeFakeBackend();
  const { inspect: plain } = backend.engine;
  const large = async (...args: Parameters<typeof plain>) => {
    const found = await plain(...args);
    const { data } = found;
    if (args[0].vehicleId !== LARGE || !data.results) return found;
    const [damage] = data.results.damages;
    const toCheck = damage ? [{ ...damage, damage_id: CHECK, number: 2, confidence: 0.3 }] : [];
    const images = data.images.map((one) => ({ ...one, width: 4000, height: 3000 }));
    return { ...found, data: { ...data, images, results: { ...data.results, to_check: toCheck } } };
  };
  return { ...backend, engine: { ...backend.engine, inspect: large } };
}
