/** Exit codes of the command line (contract decisions, "Command line"); of several, the highest applies. */
export const EXIT = {
  done: 0,
  thresholdHit: 1,
  usage: 2,
  inputRejected: 3,
  engine: 4,
  remote: 5,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_OF_SIGNAL = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated } as const;

export type ExitName = keyof typeof EXIT;

/** General meaning of each exit code, for commands without a specific one. */
export const EXIT_WORDS: Readonly<Record<ExitName, string>> = {
  done: 'done',
  thresholdHit: 'a threshold was hit (--fail-on)',
  usage: 'usage or configuration',
  inputRejected: 'an input is missing or was rejected',
  engine: 'the engine failed: a model is missing, changed or could not run',
  remote: 'a service could not be reached, or the key is refused',
  interrupted: 'interrupted (Ctrl-C)',
  terminated: 'terminated (SIGTERM)',
};
