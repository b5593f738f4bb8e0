import { useEffect, useState } from 'preact/hooks';
import { ApiError, describeError } from '../shared/api.ts';

const POLL_MS = 2000;

/** Returns the delay in milliseconds before a request is repeated, at least that for which the service asks. */
export const findDelayMs = (error: unknown): number =>
  error instanceof ApiError ? Math.max(POLL_MS, error.retryAfterMs) : POLL_MS;

/**
 * Loads the data of a view, again whenever `key` changes; until then the view keeps what it shows, which is stale. A
 * request that failed for a passing reason is repeated.
 * @param isInWork repeats the request while it is true of the loaded value
 */
export function useLoaded<T>(load: () => Promise<T>, key: string, isInWork?: (value: T) => boolean) {
  const [state, setState] = useState<{ key: string; value: T | null; error?: unknown }>({ key, value: null });
  const [attempt, setAttempt] = useState(0);
  const reload = () => setAttempt((last) => last + 1);
  useEffect(() => {
    let isStale = false;
    load().then(
      (value) => !isStale && setState({ key, value }),
      (error: unknown) =>
        !isStale && setState((last) => ({ key, value: last.key === key ? last.value : null, error })),
    );
    return () => {
      isStale = true;
    };
  }, [key, attempt]);
  useEffect(() => {
    const { value, error } = state;
    const isDue = error instanceof ApiError ? error.isTransient : value !== null && isInWork?.(value);
    if (!isDue) return;
    const timer = setTimeout(reload, findDelayMs(error));
    return () => clearTimeout(timer);
  }, [state]);
  const problem = state.key === key && state.error !== undefined ? describeError(state.error) : null;
  return { value: state.value, isStale: state.key !== key, problem, reload };
}

/** Tracks an action started by a button: whether it runs, and its error message. */
export function useAction() {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  return {
    isRunning,
    problem,
    run(work: () => Promise<unknown>): void {
      setRunning(true);
      setProblem(null);
      work()
        .catch((error: unknown) => setProblem(describeError(error)))
        .finally(() => setRunning(false));
    },
  };
}
