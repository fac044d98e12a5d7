import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeError, hideFromLogs, log } from '../../src/lib/log.ts';
import { parseOwnJson } from '../../src/lib/own-json.ts';

afterEach(() => {
  vi.restoreAllMocks();
  hideFromLogs(() => []);
});

/** Returns the fields of the line that `write` logs. */
function lineOf(write: () => void): Readonly<Record<string, unknown>> {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  write();
  return parseOwnJson<Record<string, unknown>>(String(spy.mock.lastCall?.[0]));
}

describe('log', () => {
  it.each(['info', 'warn', 'error'] as const)('writes one JSON line to console.%s', (level) => {
    const write = vi.spyOn(console, level).mockImplementation(() => undefined);
    log(level, 'event.accepted', { source: 'shop', messages: 2, duplicate: false, account: null });
    expect(write.mock.calls).toEqual([
      ['{"stage":"event.accepted","source":"shop","messages":2,"duplicate":false,"account":null}'],
    ]);
  });

  it('stays one line whatever a value holds', () => {
    const write = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    log('error', 'request.failed', { error: 'two\nlines"}' });
    expect(write.mock.calls[0]?.[0]).not.toContain('\n');
  });

  it('cuts every text to 300 characters', () => {
    const fields = { error: 'x'.repeat(1_000), path: 'y'.repeat(1_000) };
    expect(lineOf(() => log('error', 'request.failed', fields))).toEqual({
      stage: 'request.failed',
      error: 'x'.repeat(300),
      path: 'y'.repeat(300),
    });
  });
});

describe('a phone number in a log', () => {
  it.each([
    ['4915112345678', '+4915•••••78'],
    ['+49 151 123-456-78', '+4915•••••78'],
    ['1234567', '+•••••67'],
    ['', '+•••••'],
  ])('%j is shown as %s', (phone, shown) => {
    expect(lineOf(() => log('error', 'message.dead', { phone }))['phone']).toBe(shown);
  });

  it.each([
    ['no route to 4915112345678.', 'no route to +4915•••••78.'],
    ['no route to +49 (0)151 12345678', 'no route to +4901•••••78'],
    ['no route to 0151 - 1234 - 5678', 'no route to +0151•••••78'],
    ['no route to ٠١٥١١٢٣٤٥٦٧٨', 'no route to +0151•••••78'],
    ['it took 1900000 bytes, status 503', 'it took 1900000 bytes, status 503'],
    ['msg_000000009hk7nd0g is no number', 'msg_000000009hk7nd0g is no number'],
  ])('is masked in words of others, too: %j', (error, shown) => {
    expect(lineOf(() => log('error', 'request.failed', { error }))['error']).toBe(shown);
  });
});

describe('a secret in a log', () => {
  it('is redacted in words of others, before they are cut', () => {
    hideFromLogs(() => ['gateway-key-of-the-tests']);
    const error = `${'x'.repeat(290)} gateway-key-of-the-tests`;
    const line = lineOf(() => log('error', 'request.failed', { error }));
    expect(line['error']).toBe(`${'x'.repeat(290)} [redacted`);
    expect(JSON.stringify(line)).not.toContain('gateway-key');
  });

  it('is asked for when there is something to redact, and not for ids and counts', () => {
    const values = vi.fn(() => ['secret-value']);
    hideFromLogs(values);
    vi.spyOn(console, 'info').mockImplementation(() => undefined);
    log('info', 'event.accepted', { event: 'evt_1', messages: 1 });
    expect(values).not.toHaveBeenCalled();
    lineOf(() => log('error', 'account.paused', { detail: 'it says secret-value' }));
    expect(values).toHaveBeenCalledOnce();
  });
});

describe('describeError', () => {
  it.each([
    [new TypeError('no such thing'), 'TypeError: no such thing'],
    ['just text', 'just text'],
    [undefined, 'undefined'],
  ])('of %o is %j', (thrown, text) => {
    expect(describeError(thrown)).toBe(text);
  });
});
