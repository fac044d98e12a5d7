import { expect, it } from 'vitest';
import { createOutput } from '../../cli/output.ts';
import type { Change } from '../../cli/relay/follow.ts';
import { showChange } from '../../cli/commands/tail.ts';
import { widthOf } from '../../cli/text.ts';

const NOW = Date.now();
const AT = new Date(NOW).toISOString();
const EVENT = 'evt_01m7ygnc6tevq7n99nkb7gx0s0';
const MESSAGE = 'msg_000000009hk7nd0g';

const retrying: Change = {
  type: 'message',
  at: AT,
  message: MESSAGE,
  event: EVENT,
  source: 'alerts',
  route: 'each-alert',
  kind: 'text',
  n: 2,
  duration_ms: 12,
  state: 'retrying',
  outcome: 'server_error',
  http_status: 500,
  reason: 'the gateway answered 500: it failed',
  next_attempt_at: new Date(NOW + 30_000).toISOString(),
};

/** The printed lines of a change, without its time, which is local. Absent columns: in a pipe. */
function shown(change: Change, columns?: number, mark?: string): readonly string[] {
  let text = '';
  const write = (more: string) => (text += more);
  const stdout = { write, ...(columns !== undefined && { isTTY: true, columns }) };
  showChange(createOutput({ stdout, stderr: stdout, env: { NO_COLOR: '1' } }, false), change, mark);
  const start = /^.*?(?=retrying|routed|unmatched|again|sent|refused)/;
  return text.trimEnd().replace(start, '').split('\n');
}

it('a line of the tail says what a message waits for, instead of when it is tried', () => {
  const [line = ''] = shown({ ...retrying, waits: { for: 'pause', detail: 'gateway' } });
  expect(line).toContain('12 ms; waits: its account is paused by gateway');
  expect(line).not.toContain('again at');
  // A login that was refused pauses the account.
  expect(shown({ ...retrying, outcome: 'unauthorized' }).join(' ')).not.toContain('again at');
});

it('a line of the tail says what an event came to', () => {
  const event = { type: 'event', at: AT, event: EVENT, source: 'alerts', duplicate: false } as const;
  const routed = { ...event, event_type: 'firing', state: 'routed' };
  const again = { ...routed, duplicate: true, waiting: 2 };
  const unmatched = { ...event, state: 'unmatched', event_type: null };
  for (const [change, mark, line] of [
    [routed, undefined, `routed     ${EVENT}  alerts firing`],
    [{ ...routed, subject: 'Web-1 +1' }, undefined, `routed     ${EVENT}  alerts firing “Web-1 +1”`],
    [again, undefined, `again      ${EVENT}  alerts firing, 2 items waiting for a notification`],
    [unmatched, undefined, `unmatched  ${EVENT}  alerts: no route matched`],
    [routed, '  (while away)', `routed     ${EVENT}  alerts firing  (while away)`],
  ] as const)
    expect(shown(change, undefined, mark)).toEqual([line]);
});

it('a line of the tail says what of a request did not fit', () => {
  const one = { type: 'rejection', at: AT, source: 'shop', status: 401, code: 'stale' } as const;
  expect(shown({ ...one, n: 17, detail: 't is 912 s old' })).toEqual([
    'refused    rejection 17          shop 401 stale: t is 912 s old',
  ]);
});

it('a line of the tail is whole at any width', () => {
  for (const columns of [40, 60, 80, 120]) {
    const lines = shown(retrying, columns);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    const text = lines.join(' ').replaceAll(/\s+/g, ' ');
    expect(text).toContain('HTTP 500, 12 ms: the gateway answered 500: it failed; again at');
    expect(text).not.toContain('…');
  }
});
