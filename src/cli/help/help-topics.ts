/** Topics of `vehi help TOPIC`; `help-text.ts` generates their text. */
export const TOPICS = [
  { name: 'exit-codes', about: 'what the exit codes mean' },
  { name: 'formats', about: 'what results can be printed and written as' },
  { name: 'prices', about: 'what an amount includes, and what may come on top' },
  { name: 'config', about: 'settings, their environment variables and where they are read from' },
] as const;
export type TopicName = (typeof TOPICS)[number]['name'];
