import { useEffect, useRef, useState } from 'preact/hooks';
import { parseDuration } from '../../src/lib/time.ts';
import { RETRYABLE_STATES } from '../../src/schema/states.ts';
import { ask, Refused } from '../api/client.ts';
import type { StepAnswer } from '../api/types.ts';
import { number, phoneText, stamp } from '../lib/format.ts';
import { wordsOf } from '../lib/load.ts';
import { own } from '../texts/relay-texts.ts';
import { t } from '../texts/texts.ts';
import { Button, IdLink, Trouble } from '../ui/basics.tsx';
import { Dialog, focusFoot, Progress } from '../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../ui/form.tsx';

export type BulkKind = 'replay' | 'retry' | 'cancel';

export type ListFilter = Readonly<Record<string, string>>;

type BulkProps = { readonly kind: BulkKind; readonly filter: ListFilter; readonly onClose: () => void };

/** Does something to all that the filters of a list show: counts, asks, does it in steps, and says what was done. */
export function Bulk({ kind, filter, onClose }: BulkProps) {
  const [state, setState] = useState<string>(() => filter['state'] ?? 'dead');
  // Messages that came through are not sent again, unless somebody wants that.
  const [isOnlyFailed, setOnlyFailed] = useState(kind === 'replay');
  const [typed, setTyped] = useState('');
  const chosen: ListFilter = kind === 'retry' ? { ...filter, state } : filter;
  const body: ListFilter = isOnlyFailed ? { ...chosen, only: 'failed' } : chosen;
  const count = useSteps(kind, body, true);
  const work = useSteps(kind, body, false);
  useEffect(count.run, [JSON.stringify(body)]);
  const words = t.bulk[kind];
  const { done: counted, phones } = count.sum;
  const isDone = count.is === 'done';
  const isNothing = isDone && counted === 0;
  const isAll = Object.keys(filter).length === 0;
  return (
    // While it runs, closing stops it: nothing goes on that nobody sees.
    <Dialog title={words.title} onClose={work.is === 'running' ? work.stop : onClose}>
      <div class="stack dialog-body">
        {work.is === 'idle' && kind === 'retry' && filter['state'] === undefined && (
          <SelectField
            label={t.common.state}
            value={state}
            options={RETRYABLE_STATES.map((one) => [one, t.states[one]] as const)}
            onChange={setState}
          />
        )}
        {work.is === 'idle' && kind === 'replay' && (
          <div>
            <CheckField label={t.bulk.replay.onlyFailed} value={isOnlyFailed} onChange={setOnlyFailed} />
            <p class="help">{t.bulk.replay.onlyFailedHelp}</p>
          </div>
        )}
        <ul class="flow bulk-filters" aria-label={t.bulk.filters}>
          {filterWords(chosen).map((one) => (
            <li class="small" key={one}>
              {one}
            </li>
          ))}
        </ul>
        {work.is !== 'idle' ? (
          <Working kind={kind} of={counted} work={work} onClose={onClose} />
        ) : (
          <>
            {count.is === 'running' && (
              <Progress
                label={counted === 0 ? t.bulk.counting : t.bulk.countedSoFar(number(counted))}
                done={0}
                of={null}
              />
            )}
            {count.error !== '' && <Trouble error={count.error} again={count.run} />}
            {isDone && (
              <div role="status" class="stack">
                <p>
                  <strong>{isNothing ? t.bulk.nothing : words.what(counted)}</strong>
                </p>
                {!isNothing && (
                  <>
                    {phones.size > 0 && (
                      <p>{t.bulk.receivers(phones.size, kind === 'replay' && !isOnlyFailed)}</p>
                    )}
                    {!isOnlyFailed && <p class="soft">{words.warn}</p>}
                    {kind === 'retry' && state === 'uncertain' && (
                      <p class="box warn">{t.bulk.retry.uncertain}</p>
                    )}
                    {isAll && (
                      <TextField
                        label={t.bulk.typeNumber(String(counted))}
                        value={typed}
                        onInput={setTyped}
                      />
                    )}
                  </>
                )}
                <BulkResult {...count.sum} />
              </div>
            )}
            <footer class="flow dialog-foot">
              <Button onClick={onClose}>
                {isNothing || kind === 'cancel' ? t.common.close : t.common.cancel}
              </Button>
              {!isNothing && (
                <Button
                  look="danger"
                  disabled={!isDone || (isAll && typed.trim() !== String(counted))}
                  onClick={work.run}
                >
                  {words.action(isDone ? number(counted) : '…')}
                </Button>
              )}
            </footer>
          </>
        )}
      </div>
    </Dialog>
  );
}

interface WorkingProps extends Pick<BulkProps, 'kind' | 'onClose'> {
  readonly of: number;
  readonly work: ReturnType<typeof useSteps>;
}

function Working({ kind, of, work: { sum, is, error, run, stop }, onClose }: WorkingProps) {
  const { done } = sum;
  const isRunning = is === 'running';
  return (
    <>
      {isRunning ? (
        <Progress label={t.bulk.runningOf(number(done), number(Math.max(of, done)))} done={done} of={of} />
      ) : (
        <p role="status">
          <strong>{t.bulk[kind].done(done, number(sum.messages))}</strong>
          {is === 'stopped' && <> {t.bulk.stopped}</>}
        </p>
      )}
      {error !== '' && <Trouble error={error} />}
      {!isRunning && <BulkResult {...sum} />}
      <footer key={is} class="flow dialog-foot" ref={focusFoot}>
        {isRunning && <Button onClick={stop}>{t.bulk.stop}</Button>}
        {(is === 'stopped' || is === 'failed') && <Button onClick={run}>{t.bulk.goOn}</Button>}
        {!isRunning && (
          <Button look="main" onClick={onClose}>
            {t.common.close}
          </Button>
        )}
      </footer>
    </>
  );
}

function BulkResult({ skipped, events, done }: BulkSum) {
  const reasons = Object.entries(skipped);
  return (
    <>
      {reasons.length > 0 && (
        <div>
          <h3>{t.bulk.skipped}</h3>
          <ul class="bulk-list">
            {reasons.map(([reason, count]) => (
              <li key={reason}>
                {number(count)} {own<string>(t.bulk.skipReasons, reason) ?? reason}
              </li>
            ))}
          </ul>
        </div>
      )}
      {events.length > 0 && (
        <div>
          <h3>{t.bulk.made}</h3>
          <ul class="bulk-list">
            {events.map((id) => (
              <li key={id}>
                <IdLink path="/events" id={id} />
              </li>
            ))}
          </ul>
          {done > events.length && <p class="soft">{t.common.andMore(number(done - events.length))}</p>}
        </div>
      )}
    </>
  );
}

type StepsAre = 'idle' | 'running' | 'stopped' | 'failed' | 'done';

/** Does something to many, or counts them, in steps. `run` begins, or goes on where it was stopped or failed. */
function useSteps(kind: BulkKind, body: ListFilter, isDryRun: boolean) {
  const key = JSON.stringify(body);
  const [state, setState] = useState({ key, sum: NOTHING_YET, is: 'idle' as StepsAre, error: '' });
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const run = (): void => {
    const mine = new AbortController();
    stop.current?.abort();
    stop.current = mine;
    let sum = state.key === key ? state.sum : NOTHING_YET;
    const show = (is: StepsAre, error = ''): void => {
      // Another run has taken its place: what this one says is of no interest.
      if (stop.current === mine) setState({ key, sum, is, error });
    };
    const onStep = (now: BulkSum): void => {
      sum = now;
      show('running');
    };
    show('running');
    runSteps((cursor) => askStep(kind, body, isDryRun, cursor), sum, onStep, mine.signal).then(
      ({ next }) => show(next === null ? 'done' : 'stopped'),
      (thrown: unknown) => show('failed', wordsOf(thrown)),
    );
  };
  return { ...state, is: state.key === key ? state.is : 'idle', run, stop: () => stop.current?.abort() };
}

const PATHS: Readonly<Record<BulkKind, string>> = {
  replay: '/events/replay',
  retry: '/messages/retry',
  cancel: '/messages/cancel',
};

/** The attempts at a step that gets no answer. A step that is repeated does nothing twice. */
const TRIES = 4;

/** One step. Without a filter the API wants to hear that all are meant. */
async function askStep(
  kind: BulkKind,
  { only, ...filter }: ListFilter,
  isDryRun: boolean,
  cursor: string | null,
): Promise<StepAnswer> {
  const body = {
    ...filter,
    ...(Object.keys(filter).length === 0 && { all: true }),
    only,
    ...(cursor !== null && { cursor }),
  };
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask('POST', PATHS[kind], { body, query: { dry_run: isDryRun || undefined } });
    } catch (thrown) {
      if (!(thrown instanceof Refused) || thrown.status !== 503 || tries === TRIES) throw thrown;
      await new Promise((done) => setTimeout(done, 500 * 2 ** tries));
    }
  }
}

const isMoment = (name: string): boolean => name === 'since' || name === 'until';

function shownValue(name: string, value: string): string {
  if (name === 'state') return own<string>(t.states, value) ?? value;
  if (name === 'phone') return phoneText(value);
  return isMoment(name) ? momentText(value) : value;
}

function filterWords(filter: ListFilter): readonly string[] {
  const words: Readonly<Record<string, (value: string) => string>> = t.bulk.filterWords;
  const found = Object.entries(filter).map(
    ([name, value]) => words[name]?.(shownValue(name, value)) ?? `${name}: ${value}`,
  );
  return found.length === 0 ? [t.bulk.all] : found;
}

/** A text that is not a time is shown unchanged; the API reports the error. */
export const momentText = (text: string): string => (Number.isNaN(Date.parse(text)) ? text : stamp(text));

/**
 * The filters of a list as something is done to all that it shows: those that are set, and of these the ones it knows.
 * `2h` becomes a moment, so that every step means the same. `now`: ms.
 */
export function bulkFilter(query: ListFilter, names: readonly string[], now: number): ListFilter {
  const given = names.flatMap((name) => {
    const value = query[name] ?? '';
    const ago = parseDuration(value);
    if (isMoment(name) && ago.ok) return [[name, new Date(now - ago.value).toISOString()] as const];
    return value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

export const NOTHING_YET = {
  done: 0,
  messages: 0,
  skipped: {} as Readonly<Record<string, number>>,
  events: [] as readonly string[],
  /** The receivers who would get something, each once. */
  phones: new Set() as ReadonlySet<string>,
  next: null as string | null,
};

export type BulkSum = Readonly<typeof NOTHING_YET>;

/** More than these would be a list that nobody reads. */
const MAX_EVENTS = 20;

export function plus(sum: BulkSum, step: StepAnswer): BulkSum {
  const skipped: Record<string, number> = { ...sum.skipped };
  for (const [reason, count = 0] of Object.entries({ ...step.skipped, in_flight: step.in_flight }))
    if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count;
  return {
    done: sum.done + (step.replayed ?? step.retried ?? step.cancelled ?? 0),
    messages: sum.messages + (step.messages ?? 0),
    skipped,
    events: [...sum.events, ...(step.events ?? []).map(({ event }) => event)].slice(0, MAX_EVENTS),
    phones: new Set([...sum.phones, ...(step.phones ?? [])]),
    next: step.next_cursor,
  };
}

/** Step after step until nothing is left, or somebody stops it: then it ends after the step that is under way. */
export async function runSteps(
  ask: (cursor: string | null) => Promise<StepAnswer>,
  from: BulkSum,
  onStep: (sum: BulkSum) => void,
  signal: AbortSignal,
): Promise<BulkSum> {
  let sum = from;
  do {
    sum = plus(sum, await ask(sum.next));
    onStep(sum);
  } while (sum.next !== null && !signal.aborted);
  return sum;
}
