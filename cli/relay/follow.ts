import { setTimeout as sleep } from 'node:timers/promises';
import { pollAfter } from '../../shared/poll-pace.ts';
import type { Client } from '../client.ts';
import type { CommandResult } from '../failure.ts';
import { oneLine } from '../text.ts';
import { readHistory, tailAnswer, type Change } from './history.ts';
import { Shown } from './shown.ts';
import { watchStalled } from './waiting.ts';

const MAX_WAIT_MS = 30_000;

/** The wait where nobody can press a key, after an hour: with its lists, a day costs less than 3,000 requests. */
const ALONE_MS = 180_000;

/** Lists are read from this time before the last known change (ms): what took longer to be written stands before it. */
const OVERLAP_MS = 10_000;

/**
 * The origin of a change: the relay's tail, the lists at the start, either of them after the relay could not be reached
 * for a while, or the lists since a message still waits.
 */
type ChangeOrigin = 'live' | 'earlier' | 'away' | 'waiting';

export interface FollowOptions {
  readonly query: { readonly source?: string | undefined; readonly type?: string | undefined };
  /** The part of the past to show: since when (ms), and the number of last changes. Null: none. */
  readonly start: { readonly since: number; readonly last: number } | null;
  readonly onStart: () => void;
  readonly onChange: (change: Change, origin: ChangeOrigin) => void;
  readonly onWarning: (text: string) => void;
  /** Resolves when somebody presses Enter; null: there is no terminal. */
  readonly enter: (() => Promise<void>) | null;
  readonly clock?: () => number;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** Shows what happens, until the relay refuses to say it. Waits and tries again while it cannot be reached. */
export async function follow(client: Client, options: FollowOptions): Promise<CommandResult> {
  const { query, start, enter, onStart, onChange, onWarning, clock = Date.now, pause = sleep } = options;
  const shown = new Shown();
  const takeStalled = watchStalled(client, (change) => onChange(change, 'waiting'), onWarning);
  const signs = { touchedAt: clock(), newsAt: 0 };
  let cursor: string | undefined;
  let knownAt = clock();
  let failures = 0;

  const show = (change: Change, origin: ChangeOrigin, isListed: boolean): void => {
    knownAt = Math.max(knownAt, Date.parse(change.at));
    if (!shown.take(change, isListed)) return;
    onChange(change, origin);
    // The lists already say why a message waits.
    if (!isListed && enter !== null) takeStalled(change);
  };
  const showLists = async (since: number, last: number, origin: ChangeOrigin): Promise<void> => {
    const history = await readHistory(client, { ...query, since });
    if (!history.ok) return onWarning(`earlier entries cannot be read: ${history.error.message}`);
    const { changes, isCut } = history.value;
    const some = changes.slice(-last);
    if (isCut && some.length < last)
      onWarning('not everything is shown here: see `events`, `messages` and `rejections`');
    for (const change of some) show(change, origin, true);
  };
  let touched: Promise<void> | null = null;
  const rest = async (): Promise<void> => {
    const wait = pollAfter(signs, clock());
    if (enter === null) {
      await pause(wait ?? ALONE_MS);
      return;
    }
    if (wait === null) onWarning('paused, since no key was pressed for an hour: Enter goes on');
    touched ??= enter();
    const isTouched = await Promise.race([
      touched.then(() => true),
      ...(wait === null ? [] : [pause(wait).then(() => false)]),
    ]);
    if (!isTouched) return;
    signs.touchedAt = clock();
    touched = null;
  };

  for (;;) {
    const answer = await client.get('/tail', tailAnswer, { ...query, cursor });
    if (!answer.ok) {
      const { message, status, unsure } = answer.error;
      const isRefused = unsure !== true && status !== undefined && status !== 429;
      if (cursor === undefined || isRefused) return answer;
      const wait = Math.min(MAX_WAIT_MS, 500 * 2 ** failures);
      failures += 1;
      onWarning(`${oneLine(message)}; trying again in ${Math.ceil(wait / 1_000)} s`);
      await pause(wait);
      continue;
    }
    const { items, missed, cursor: next } = answer.value.data;
    const origin = failures === 0 ? 'live' : 'away';
    failures = 0;
    if (cursor === undefined) {
      onStart();
      // What had just happened is before the tail, also if the lists are read again.
      if (start === null) for (const change of items) shown.take(change, false);
      if (start !== null) await showLists(start.since, start.last, 'earlier');
    } else {
      if (missed) await showLists(knownAt - OVERLAP_MS, Infinity, origin);
      for (const change of items) show(change, origin, false);
      if (items.length > 0) signs.newsAt = clock();
    }
    cursor = next;
    await rest();
  }
}
