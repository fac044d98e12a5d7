import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get, type Query, Refused, withQuery } from '../api/client.ts';
import type { ProblemAnswer } from '../api/types.ts';
import { faultText, problemText, relayText } from '../texts/relay-texts.ts';
import { t } from '../texts/texts.ts';
import { keepLoaded, loadedBefore } from './router.ts';
import { live } from './live.ts';

/** The last answer stays while a newer one is loading. */
export interface Loaded<Value> {
  readonly value: Value | null;
  readonly error: string | null;
  /** The error's HTTP status; null: there was no answer. */
  readonly status: number | null;
  readonly isLoading: boolean;
  readonly again: () => void;
}

/**
 * Loads when the page opens, when `key` changes, and every `everyMs` while somebody looks at it. An answer that comes
 * after a newer question is dropped.
 */
export function useLoad<Value>(
  key: string,
  load: (signal: AbortSignal) => Promise<Value>,
  everyMs?: number,
): Loaded<Value> {
  const [state, setState] = useState<Omit<Loaded<Value>, 'again'>>(() => ({
    ...NOTHING,
    // The last value of the same question on the same page.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what this very hook kept
    value: (loadedBefore(key) as Value | undefined) ?? null,
  }));
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => keepLoaded(key, () => latest.current.value), [key]);
  const [turn, setTurn] = useState(0);
  const current = useRef(load);
  current.current = load;
  const lastKey = useRef(key);
  useEffect(() => {
    const stop = new AbortController();
    // The old answer to another question must not look like the new one's.
    const isOther = lastKey.current !== key;
    lastKey.current = key;
    setState((old) => (isOther ? NOTHING : { ...old, isLoading: true }));
    const show = (change: Partial<Loaded<Value>>): void => {
      if (!stop.signal.aborted) setState((old) => ({ ...old, ...change, isLoading: false }));
    };
    current.current(stop.signal).then(
      (value) => show({ value, error: null, status: null }),
      (thrown: unknown) =>
        show({ error: wordsOf(thrown), status: thrown instanceof Refused ? thrown.status : null }),
    );
    return () => stop.abort();
  }, [key, turn]);
  const again = useCallback(() => setTurn((old) => old + 1), []);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => live.isLookedAt && again(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, again]);
  // Until then the state is that of the question before: a search would say for a moment that nothing was found.
  return { ...(lastKey.current === key ? state : NOTHING), again };
}

/** Loads what is at a path of the API; null: there is nothing to ask for. */
export const useGet = <Answer>(path: string | null, query: Query = {}, everyMs?: number) =>
  useLoad(
    withQuery(path ?? '', query),
    (signal) => (path === null ? Promise.resolve(null) : get<Answer>(path, query, signal)),
    everyMs,
  );

/** Work that somebody asks for: whether it is under way, and why it could not be done. `thrown` null: it could. */
export function useWork() {
  const [isBusy, setBusy] = useState(false);
  const [thrown, setThrown] = useState<unknown>(null);
  const run = (work: () => Promise<unknown>): void => {
    setBusy(true);
    setThrown(null);
    work()
      .catch(setThrown)
      .finally(() => setBusy(false));
  };
  return { isBusy, thrown, run, forget: () => setThrown(null) };
}

const NOTHING = { value: null, error: null, status: null, isLoading: true };

export const faultsIn = (thrown: unknown): NonNullable<ProblemAnswer['errors']> =>
  thrown instanceof Refused ? (thrown.problem.errors ?? []) : [];

/** Why something could not be done, with the first of what was wrong with a document. */
export function wordsOf(thrown: unknown): string {
  const fault = faultsIn(thrown).find(({ path }) => path.split('.').length > 2);
  return fault ? `${reasonOf(thrown)} ${fault.path}: ${faultText(fault)}` : reasonOf(thrown);
}

export function reasonOf(thrown: unknown): string {
  // Browsers describe a missing answer in their own words and language.
  if (thrown instanceof TypeError) return t.common.offline;
  if (!(thrown instanceof Refused))
    return thrown instanceof Error ? thrown.message : relayText(String(thrown));
  return problemText({ code: thrown.problem.code, message: thrown.message });
}
