import { afterEach, expect, it, vi } from 'vitest';
import { describeError, log, logFor } from '../../src/lib/log.ts';
import { parseOwnJson } from '../../src/lib/json.ts';

afterEach(() => {
  vi.restoreAllMocks();
  logFor({});
});

/** Returns the fields of the line that `write` logs. */
function lineOf(write: () => void): Readonly<Record<string, unknown>> {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  write();
  return parseOwnJson<Record<string, unknown>>(String(spy.mock.lastCall?.[0]));
}

it('a log is one JSON line, whatever a value holds, with at most 300 characters of each text', () => {
  logFor({ LOG_LEVEL: 'debug' });
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    const write = vi.spyOn(console, level).mockImplementation(() => undefined);
    log(level, 'event.accepted', { source: 'shop', messages: 2, duplicate: false, account: null });
    const line = '{"stage":"event.accepted","source":"shop","messages":2,"duplicate":false,"account":null}';
    expect(write.mock.calls).toEqual([[line]]);
  }
  const error = `two\nlines"}${'x'.repeat(1_000)}`;
  const line = lineOf(() => log('error', 'request.failed', { error, path: 'y'.repeat(1_000) }));
  expect(line).toEqual({ stage: 'request.failed', error: error.slice(0, 300), path: 'y'.repeat(300) });
});

it('a phone number is masked in a log, also in words of others', () => {
  expect(lineOf(() => log('error', 'message.dead', { phone: '4915112345678' }))['phone']).toBe(
    '+4915•••••78',
  );
  const error = 'it took 1900000 bytes, no route to +49 (0)151 12345678';
  const line = lineOf(() => log('error', 'request.failed', { error }));
  expect(line['error']).toBe('it took 1900000 bytes, no route to +4901•••••78');
});

it('a secret in a log is redacted in words of others, before they are cut', () => {
  logFor({ GATEWAY_API_KEY: 'gateway-key-of-the-tests' });
  const error = `${'x'.repeat(290)} gateway-key-of-the-tests`;
  const line = lineOf(() => log('error', 'request.failed', { error }));
  expect(line['error']).toBe(`${'x'.repeat(290)} [redacted`);
  expect(JSON.stringify(line)).not.toContain('gateway-key');
});

it('a log has what each event does as it should only where LOG_LEVEL is debug', () => {
  const write = vi.spyOn(console, 'debug').mockImplementation(() => undefined);
  for (const LOG_LEVEL of ['info', undefined, 'debug']) {
    logFor({ LOG_LEVEL });
    log('debug', 'message.sent', { message: 'msg_1' });
  }
  expect(write).toHaveBeenCalledOnce();
});

it('an error is described in one line', () => {
  const described = ['TypeError: no such thing', 'just text', 'undefined'];
  expect([new TypeError('no such thing'), 'just text', undefined].map(describeError)).toEqual(described);
});
