import { Type } from '../../lib/type.ts';

/** Result amount, major units. */
export const Money = Type.Number({ minimum: 0 });
/** Labor hours in a result. */
export const Hours = Type.Number({ minimum: 0, description: 'Hours, one decimal.' });
/** Reason for a figure set by a user (request). */
export const Reason = Type.Optional(Type.String({ minLength: 1, maxLength: 500 }));
/** Amount set by a user (request), major units. */
export const Price = Type.Number({ minimum: 0, maximum: 1e9, description: 'Response currency.' });
