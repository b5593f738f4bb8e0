/** Topics of `vehi help TOPIC`; `help-text.ts` generates their text. */
export const TOPICS = [
  { name: 'exit-codes', description: 'meaning of the exit codes' },
  { name: 'formats', description: 'output formats of results' },
  { name: 'prices', description: 'what amounts include and exclude' },
  { name: 'config', description: 'settings, their environment variables and sources' },
] as const;
export type TopicName = (typeof TOPICS)[number]['name'];
