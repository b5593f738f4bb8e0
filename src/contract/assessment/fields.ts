import { Type } from '../../lib/type.ts';

/** An amount of a result, major units. */
export const Money = Type.Number({ minimum: 0 });
/** A difference of amounts, major units. */
export const Signed = Type.Number();
/** Hours of a result. */
export const Hours = Type.Number({ minimum: 0, description: 'Hours, one decimal.' });
/** Why a person set a figure (request). */
export const Reason = Type.Optional(Type.String({ minLength: 1, maxLength: 500 }));
/** An amount that a person sets (request), major units. */
export const Price = Type.Number({ minimum: 0, maximum: 1e9, description: 'Response currency.' });
