import { expect, it } from 'vitest';
import type { Message } from '../../cli/relay/shapes.ts';
import { itemWaitText, waitMs, waitText, whyText } from '../../cli/waits.ts';
import { ITEM_WAIT_REASONS, WAIT_REASONS } from '../../src/schema/states.ts';

/** A message as the relay answers it. */
const messageOf = (over: Partial<Message>): Message => ({
  id: 'msg_000000009hk7nd0g',
  event: null,
  source: null,
  route: null,
  account: 'default',
  kind: 'text',
  phone: '4915112345678',
  params: { phone: '4915112345678', message: 'hello' },
  state: 'queued',
  attempts: [],
  created_at: new Date().toISOString(),
  config_version: 1,
  ...over,
});

/** Today at half past nine. */
const NOW = new Date(new Date().setHours(9, 30, 0, 0));
const later = (ms: number): string => new Date(NOW.getTime() + ms).toISOString();
const UNTIL = later(300_000);
const AT = '09:35:00 (in 5 min)';

const textOf = (waits: NonNullable<Message['waits']>, over: Partial<Message> = {}): string | undefined =>
  waitText(messageOf({ ...over, waits }), NOW);

it('what a message waits for is said in words, for every reason that there is', () => {
  const [reason, response] = ['the gateway answered 500: it failed', '{"message":"the disk is full"}'];
  const code = 'server-error';
  const attempt = {
    n: 1,
    at: UNTIL,
    duration_ms: 5,
    outcome: 'server_error',
    code,
    detail: reason,
    response,
  };
  const retry = { for: 'retry', until: UNTIL, attempt: 2, of: 10 };
  expect(textOf(retry, { state: 'retrying', code, reason, attempts: [attempt] })).toBe(
    `attempt 2 of 10 at ${AT}: ${reason} (“the disk is full”)`,
  );
  expect(whyText(messageOf({ state: 'expired', reason: 'too old' }), NOW)).toBe('too old');
  for (const reason of WAIT_REASONS) expect(textOf({ for: reason })).not.toBe(reason);
});

const msOf = (time: object) => waitMs(messageOf({ waits: { for: 'pace', ...time } }), NOW);

it('a message waits until then, and no longer once it is over or unknown', () => {
  expect([{ until: UNTIL }, { until: later(-1_000) }, {}].map(msOf)).toEqual([300_000, 0, 0]);
});

it('what an item waits for is said in words, for every reason that there is', () => {
  const quiet = `waits for the end of quiet hours; not before ${AT}`;
  expect(itemWaitText({ for: 'quiet', until: UNTIL }, NOW)).toBe(quiet);
  expect(itemWaitText({ for: 'group' }, NOW)).toBe('waits for its group');
  expect(itemWaitText(undefined, NOW)).toBe('waits');
  for (const reason of ITEM_WAIT_REASONS) expect(itemWaitText({ for: reason }, NOW)).not.toBe('waits');
});
