/** Topics of `vehi help TOPIC`; `help-text.ts` generates their text. */
export const TOPICS = [
  { name: 'exit-codes', about: 'meaning of the exit codes' },
  { name: 'formats', about: 'output formats of results' },
  { name: 'prices', about: 'what amounts include and exclude' },
  { name: 'config', about: 'settings, their environment variables and sources' },
] as const;
export type TopicName = (typeof TOPICS)[number]['name'];
