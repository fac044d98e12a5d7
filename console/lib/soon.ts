import { useCallback, useEffect, useRef } from 'preact/hooks';

const GATHER_MS = 400;
const PAUSE_MS = 2_000;

/** Calls `work` a moment later, once for many calls, and not more often than every two seconds. */
export function useSoon(work: () => void): () => void {
  const current = useRef(work);
  current.current = work;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const doneAt = useRef(0);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return useCallback(() => {
    if (timer.current !== undefined) return;
    timer.current = setTimeout(
      () => {
        timer.current = undefined;
        doneAt.current = Date.now();
        current.current();
      },
      Math.max(GATHER_MS, doneAt.current + PAUSE_MS - Date.now()),
    );
  }, []);
}
