import { useEffect, useRef, useState } from 'preact/hooks';
import { wordsOf } from '../../lib/load.ts';
import { askStep, type BulkKind } from './ask-step.ts';
import { NOTHING_YET, runSteps, type BulkSum } from './steps.ts';

export interface BulkSteps {
  readonly sum: BulkSum;
  readonly is: 'idle' | 'running' | 'stopped' | 'failed' | 'done';
  readonly error: string | null;
  /** Begins, or goes on where it was stopped or failed. */
  readonly run: () => void;
  readonly stop: () => void;
}

/** Does something to many, or only counts them, in steps that can be stopped. */
export function useSteps(
  kind: BulkKind,
  body: Readonly<Record<string, string>>,
  isDryRun: boolean,
): BulkSteps {
  const [state, setState] = useState<Omit<BulkSteps, 'run' | 'stop'>>(IDLE);
  const stop = useRef<AbortController | null>(null);
  const sum = useRef(NOTHING_YET);
  useEffect(() => () => stop.current?.abort(), []);
  const run = (): void => {
    const mine = new AbortController();
    stop.current?.abort();
    stop.current = mine;
    const show = (is: BulkSteps['is'], error: string | null = null): void => {
      // Another run has taken its place: what this one says is of no interest.
      if (stop.current === mine) setState({ sum: sum.current, is, error });
    };
    show('running');
    runSteps({
      ask: (cursor) => askStep({ kind, body, isDryRun, cursor }),
      from: sum.current,
      onStep: (now) => {
        sum.current = now;
        show('running');
      },
      signal: mine.signal,
    }).then(
      ({ next }) => show(next === null ? 'done' : 'stopped'),
      (thrown: unknown) => show('failed', wordsOf(thrown)),
    );
  };
  return { ...state, run, stop: () => stop.current?.abort() };
}

const IDLE = { sum: NOTHING_YET, is: 'idle', error: null } as const;
