/** Languages of printed reports, as ISO 639-1 codes. */
export const LANGUAGES = ['en', 'de', 'fr'] as const;
export type LanguageCode = (typeof LANGUAGES)[number];
