/** Languages of PDF and HTML reports, and of the capture page, as ISO 639-1 codes. */
export const LANGUAGES = ['en', 'de', 'fr'] as const;
export type LanguageCode = (typeof LANGUAGES)[number];
