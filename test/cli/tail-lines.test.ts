import { describe, expect, it } from 'vitest';
import { createOutput } from '../../cli/output.ts';
import type { Dated } from '../../cli/relay/history.ts';
import { showFrame } from '../../cli/tail-lines.ts';
import { widthOf } from '../../cli/text.ts';

const NOW = Date.now();
const AT = new Date(NOW).toISOString();

const retrying: Dated = {
  type: 'message',
  at: AT,
  message: 'msg_000000009hk7nd0g',
  event: 'evt_01m7ygnc6tevq7n99nkb7gx0s0',
  source: 'alerts',
  route: 'each-alert',
  kind: 'text',
  state: 'retrying',
  n: 2,
  outcome: 'server_error',
  http_status: 500,
  duration_ms: 12,
  reason: 'the gateway answered 500: it failed',
  next_attempt_at: new Date(NOW + 30_000).toISOString(),
};

const event: Dated = {
  type: 'event',
  at: AT,
  event: 'evt_01m7ygnc6tevq7n99nkb7gx0s0',
  source: 'alerts',
  event_type: 'firing',
  state: 'routed',
  duplicate: false,
};

/** The printed lines of a frame, without its time, which is local. Absent columns: in a pipe. */
function shown(frame: Dated, columns?: number, mark?: string): readonly string[] {
  let text = '';
  const stdout = {
    write: (more: string) => (text += more),
    ...(columns !== undefined && { isTTY: true, columns }),
  };
  showFrame(createOutput({ stdout, stderr: stdout, env: { NO_COLOR: '1' } }, false), frame, mark);
  return text
    .trimEnd()
    .split('\n')
    .map((line, at) =>
      at === 0 ? line.replace(/^.*?(?=retrying|routed|unmatched|again|sent|refused)/, '') : line,
    );
}

describe('a line of the tail', () => {
  it('says what a message waits for, instead of when it is tried', () => {
    const waits = { for: 'pause', detail: 'gateway' };
    const [line = ''] = shown({ ...retrying, state: 'retrying', waits });
    expect(line).toContain('12 ms; waits: its account is paused by gateway');
    expect(line).not.toContain('again at');
  });

  it('names no time for a login that was refused: the account is paused', () => {
    expect(shown({ ...retrying, outcome: 'unauthorized' }).join(' ')).not.toContain('again at');
  });

  it('says why a message is not sent, and when it is tried again', () => {
    const [line = '', ...more] = shown(retrying);
    expect(more).toEqual([]);
    expect(line).toMatch(
      /^retrying {3}msg_000000009hk7nd0g {2}alerts\/each-alert attempt 2, server_error, HTTP 500, 12 ms: the gateway answered 500: it failed; again at .*\d\d:\d\d/,
    );
  });

  it('says no more of what is sent at once than how long it took', () => {
    const { reason: _, next_attempt_at: __, ...rest } = retrying;
    const sent = { ...rest, state: 'sent', outcome: 'sent', http_status: 200 };
    expect(shown({ ...sent, n: 1 })).toEqual(['sent       msg_000000009hk7nd0g  alerts/each-alert 12 ms']);
    expect(shown(sent)).toEqual(['sent       msg_000000009hk7nd0g  alerts/each-alert attempt 2, 12 ms']);
  });

  it('says what an event came to', () => {
    const id = event.event;
    expect(shown(event)).toEqual([`routed     ${id}  alerts firing`]);
    expect(shown({ ...event, subject: 'High memory web-1 +1' })).toEqual([
      `routed     ${id}  alerts firing “High memory web-1 +1”`,
    ]);
    expect(shown({ ...event, duplicate: true, waiting: 2 })).toEqual([
      `again      ${id}  alerts firing, 2 items waiting for a notification`,
    ]);
    expect(shown({ ...event, state: 'unmatched', event_type: null })).toEqual([
      `unmatched  ${id}  alerts: no route matched`,
    ]);
    expect(shown(event, undefined, '  (while away)')).toEqual([
      `routed     ${id}  alerts firing  (while away)`,
    ]);
  });

  it('says what of a request did not fit, also where the relay numbers none', () => {
    const one = { type: 'rejection', at: AT, source: 'shop', status: 401, reason: 'stale' } as const;
    expect(shown({ ...one, n: 17, detail: 't is 912 s old' })).toEqual([
      'refused    rejection 17          shop 401 stale: t is 912 s old',
    ]);
    expect(shown(one)).toEqual(['refused    401                   shop 401 stale']);
  });

  it.each([40, 60, 80, 120])('is whole at %d columns', (columns) => {
    const lines = shown(retrying, columns);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    const text = lines.join(' ').replaceAll(/\s+/g, ' ');
    expect(text).toContain('HTTP 500, 12 ms: the gateway answered 500: it failed; again at');
    expect(text).not.toContain('…');
  });
});
