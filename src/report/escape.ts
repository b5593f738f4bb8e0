const ENTITIES = new Map(Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }));

/** Writes a character as its reference in HTML and XML. */
export const writeReference = (character: string): string =>
  ENTITIES.get(character) ?? `&#${character.charCodeAt(0)};`;
