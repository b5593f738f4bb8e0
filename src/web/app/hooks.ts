import { useEffect, useState } from 'preact/hooks';

/** Loaded data, or an error message. */
interface Loaded<T> {
  readonly value: T | null;
  readonly problem: string | null;
  reload(): void;
}

/** Loads the data of a view, again whenever `key` changes. */
export function useLoaded<T>(load: () => Promise<T>, key: string): Loaded<T> {
  const [state, setState] = useState<{ key: string; value: T | null; problem: string | null }>({
    key: '',
    value: null,
    problem: null,
  });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isStale = false;
    load().then(
      (value) => !isStale && setState({ key, value, problem: null }),
      (error: unknown) =>
        !isStale && setState(({ value }) => ({ key, value, problem: describeError(error) })),
    );
    return () => {
      isStale = true;
    };
  }, [key, attempt]);
  const loaded = state.key === key ? state : { value: null, problem: null };
  return { value: loaded.value, problem: loaded.problem, reload: () => setAttempt(attempt + 1) };
}

/** Tracks an action started by a button: true while it runs, and its error message. */
export function useAction(): {
  readonly busy: boolean;
  readonly problem: string | null;
  run(work: () => Promise<unknown>): void;
} {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  return {
    busy,
    problem,
    run(work) {
      setBusy(true);
      setProblem(null);
      work()
        .catch((error: unknown) => setProblem(describeError(error)))
        .finally(() => setBusy(false));
    },
  };
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
