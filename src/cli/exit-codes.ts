/** Exit codes of the command line (contract decisions, "Command line"). */
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
