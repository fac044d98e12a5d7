import { useEffect, useRef, useState } from 'preact/hooks';
import { RETRYABLE_STATES } from '../../src/outbox/state/states.ts';
import { ask, Refused } from '../api/client.ts';
import type { StepAnswer } from '../api/types.ts';
import { number, phoneText, stamp } from '../lib/format.ts';
import { wordsOf } from '../lib/load.ts';
import { t } from '../texts/texts.ts';
import { Button, IdLink, Trouble } from '../ui/basics.tsx';
import { Dialog, focusFoot, Progress } from '../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../ui/form.tsx';

interface BulkProps {
  readonly kind: BulkKind;
  readonly filter: ListFilter;
  readonly onClose: () => void;
}

/** Does something to all that the filters of a list show: counts, asks, does it in steps, and says what was done. */
export function Bulk({ kind, filter, onClose }: BulkProps) {
  const [state, setState] = useState<string>(() => filter['state'] ?? 'dead');
  // Messages that came through are not sent again, unless somebody wants that.
  const [isOnlyFailed, setOnlyFailed] = useState(kind === 'replay');
  const [typed, setTyped] = useState('');
  const body: ListFilter = {
    ...filter,
    ...(kind === 'retry' && { state }),
    ...(isOnlyFailed && { only: 'failed' }),
  };
  const count = useSteps(kind, body, true);
  const work = useSteps(kind, body, false);
  useEffect(count.run, [JSON.stringify(body)]);
  const words = t.bulk[kind];
  const counted = count.sum.done;
  const isDone = count.is === 'done';
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
          {filterWords(kind === 'retry' ? { ...filter, state } : filter).map((one) => (
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
                  <strong>{counted === 0 ? t.bulk.nothing : words.what(counted)}</strong>
                </p>
                {counted > 0 && count.sum.phones.size > 0 && (
                  <p>
                    {t.bulk.receivers(count.sum.phones.size, kind === 'replay' && body['only'] === undefined)}
                  </p>
                )}
                {counted > 0 && body['only'] === undefined && <p class="soft">{words.warn}</p>}
                {counted > 0 && kind === 'retry' && state === 'uncertain' && (
                  <p class="box warn">{t.bulk.retry.uncertain}</p>
                )}
                {counted > 0 && isAll && (
                  <TextField label={t.bulk.typeNumber(String(counted))} value={typed} onInput={setTyped} />
                )}
                <BulkResult sum={count.sum} />
              </div>
            )}
            <footer class="flow dialog-foot">
              <Button onClick={onClose}>
                {(counted === 0 && isDone) || kind === 'cancel' ? t.common.close : t.common.cancel}
              </Button>
              {(counted > 0 || !isDone) && (
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

interface WorkingProps {
  readonly kind: BulkKind;
  readonly of: number;
  readonly work: ReturnType<typeof useSteps>;
  readonly onClose: () => void;
}

const Working = ({ kind, of, work: { sum, is, error, run, stop }, onClose }: WorkingProps) => {
  const { done } = sum;
  return (
    <>
      {is === 'running' ? (
        <Progress label={t.bulk.runningOf(number(done), number(Math.max(of, done)))} done={done} of={of} />
      ) : (
        <p role="status">
          <strong>{t.bulk[kind].done(done, number(sum.messages))}</strong>
          {is === 'stopped' && <> {t.bulk.stopped}</>}
        </p>
      )}
      {error !== '' && <Trouble error={error} />}
      {is !== 'running' && <BulkResult sum={sum} />}
      <footer key={is} class="flow dialog-foot" ref={focusFoot}>
        {is === 'running' && <Button onClick={stop}>{t.bulk.stop}</Button>}
        {(is === 'stopped' || is === 'failed') && <Button onClick={run}>{t.bulk.goOn}</Button>}
        {is !== 'running' && (
          <Button look="main" onClick={onClose}>
            {t.common.close}
          </Button>
        )}
      </footer>
    </>
  );
};

const REASONS: Readonly<Record<string, string>> = t.bulk.skipReasons;

function BulkResult({ sum: { skipped, events, done } }: { sum: BulkSum }) {
  const reasons = Object.entries(skipped);
  return (
    <>
      {reasons.length > 0 && (
        <div>
          <h3>{t.bulk.skipped}</h3>
          <ul class="bulk-list">
            {reasons.map(([reason, count]) => (
              <li key={reason}>
                {number(count)} {REASONS[reason] ?? reason}
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

/**
 * Does something to many, or only counts them, in steps that can be stopped. `run` begins, or goes on where it was stopped or
 * failed.
 */
function useSteps(kind: BulkKind, body: ListFilter, isDryRun: boolean) {
  const [state, setState] = useState({ sum: NOTHING_YET, is: 'idle' as StepsAre, error: '' });
  const stop = useRef<AbortController | null>(null);
  const sum = useRef(NOTHING_YET);
  const key = JSON.stringify(body);
  const of = useRef(key);
  useEffect(() => () => stop.current?.abort(), []);
  const run = (): void => {
    if (of.current !== key) sum.current = NOTHING_YET;
    of.current = key;
    const mine = new AbortController();
    stop.current?.abort();
    stop.current = mine;
    const show = (is: StepsAre, error = ''): void => {
      // Another run has taken its place: what this one says is of no interest.
      if (stop.current === mine) setState({ sum: sum.current, is, error });
    };
    show('running');
    runSteps({
      ask: (cursor) => askStep(kind, body, isDryRun, cursor),
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
  return { ...state, is: of.current === key ? state.is : 'idle', run, stop: () => stop.current?.abort() };
}

export type BulkKind = 'replay' | 'retry' | 'cancel';

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
  const given = {
    ...filter,
    ...(Object.keys(filter).length === 0 && { all: true }),
    ...(only !== undefined && { only }),
    ...(cursor !== null && { cursor }),
  };
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask('POST', PATHS[kind], { body: given, query: { dry_run: isDryRun || undefined } });
    } catch (thrown) {
      if (!(thrown instanceof Refused) || thrown.status !== 503 || tries === TRIES) throw thrown;
      await new Promise((done) => setTimeout(done, 500 * 2 ** tries));
    }
  }
}

const STATES: Readonly<Record<string, string>> = t.states;

function shownValue(name: string, value: string): string {
  if (name === 'state') return STATES[value] ?? value;
  if (name === 'phone') return phoneText(value);
  return name === 'since' || name === 'until' ? momentText(value) : value;
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

export type ListFilter = Readonly<Record<string, string>>;

const DURATION_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * The filters of a list as something is done to all that it shows: those that are set, and of these the ones it knows.
 * `2h` becomes a moment, so that every step means the same. `now`: ms.
 */
export function bulkFilter(
  query: Readonly<Record<string, string>>,
  names: readonly string[],
  now: number,
): ListFilter {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query[name] ?? '';
      if (value === '') return [];
      return [[name, name === 'since' || name === 'until' ? moment(value, now) : value]];
    }),
  );
}

function moment(text: string, now: number): string {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const ms = DURATION_MS[unit];
  return count === undefined || ms === undefined ? text : new Date(now - Number(count) * ms).toISOString();
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
  const left = { ...step.skipped, ...(step.in_flight !== undefined && { in_flight: step.in_flight }) };
  for (const [reason, count = 0] of Object.entries(left))
    if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count;
  return {
    done: sum.done + (step.replayed ?? step.retried ?? step.cancelled ?? 0),
    messages: sum.messages + (step.messages ?? 0),
    skipped,
    events: [...sum.events, ...(step.events ?? []).map(({ event }) => event)].slice(0, MAX_EVENTS),
    phones: step.phones === undefined ? sum.phones : new Set([...sum.phones, ...step.phones]),
    next: step.next_cursor,
  };
}

interface Run {
  readonly ask: (cursor: string | null) => Promise<StepAnswer>;
  readonly from: BulkSum;
  readonly onStep: (sum: BulkSum) => void;
  readonly signal: AbortSignal;
}

/** Step after step until nothing is left, or somebody stops it: then it ends after the step that is under way. */
export async function runSteps({ ask, from, onStep, signal }: Run): Promise<BulkSum> {
  let sum = from;
  do {
    sum = plus(sum, await ask(sum.next));
    onStep(sum);
  } while (sum.next !== null && !signal.aborted);
  return sum;
}
