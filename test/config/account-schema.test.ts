import { describe, expect, it } from 'vitest';
import { errorsOf } from './support.ts';

const account = (document: unknown) => errorsOf({ accounts: { default: document } });

describe('an account', () => {
  it.each([
    [{ rate: true }, 'rate: must be `{ per_minute, burst }`, or false for no limit'],
    [{ rate: 30 }, 'rate: must be `{ per_minute, burst }`, or false for no limit'],
    [{ rate: {} }, 'rate.per_minute: is required: a whole number from 1 to 1000000'],
    [{ rate: { per_minute: 5, brst: 1 } }, 'rate.brst: unknown key `brst`; did you mean `burst`?'],
    [{ per_recipient: { per_hour: -1 } }, 'per_recipient.per_hour: must be a whole number from 1 to 1000000'],
    [{ per_recipient: true }, 'per_recipient: must be `{ per_hour }`, or false for no limit'],
    [{ timeout: '1ms' }, 'timeout: must be between 100ms and 2m, not 1ms'],
    [{ retry: '5s' }, 'retry: must be a list of durations'],
    [{ retry: ['5s', 5] }, 'retry[1]: must be a duration such as `30s`, `5m`, `3h` or `2d`'],
    [{ permanent_errors: [5] }, 'permanent_errors[0]: must be text: put it in quotes'],
    [{ circuit: { failures: 0 } }, 'circuit.failures: must be a whole number from 1 to 1000'],
    [{ retention: '1m' }, 'retention: must be between 1h and 3650d, not 1m'],
    [
      { shards: 4 },
      'shards: unknown key `shards`; known keys: rate, per_recipient, timeout, retry, permanent_errors, circuit, retention, new_contacts, digest_above, notify, escape, canary, gateway, base_url, options, http',
    ],
    [{ notify: {} }, 'notify.url: is required: an https URL'],
  ])('%j: %s', (document, error) => {
    expect(account(document)).toEqual([`accounts.default.${error}`]);
  });

  it.each(['(', '[', '\\', '{'])('refuses %j, which is no regular expression', (pattern) => {
    expect(account({ permanent_errors: ['fine', pattern] })[0]).toContain(
      'accounts.default.permanent_errors[1]: is not a regular expression',
    );
  });

  it.each([
    'http://example.com/x',
    'http://127.0.0.1.example/x',
    'ftp://example.com',
    'https://user:pass@example.com',
    'https://example.com/#x',
    'nowhere',
  ])('does not call %s', (url) => {
    expect(account({ notify: { url } })[0]).toContain('accounts.default.notify.url: must be an https URL');
  });

  it.each(['http://localhost:8790/x', 'http://127.0.0.2/x', 'http://[::1]/x'])('calls %s', (url) => {
    expect(account({ notify: { url } })).toEqual([]);
  });

  it('needs the name of the secret that its notify address has a place for, and the other way round', () => {
    expect(account({ notify: { url: 'https://x.example/{secret}' } })).toEqual([
      'accounts.default.notify.secret: is required: name the Worker secret that replaces `{secret}` in `url`',
    ]);
    expect(account({ notify: { url: 'https://x.example/', secret: 'NOTIFY_PATH' } })).toEqual([
      'accounts.default.notify.url: must contain `{secret}` where the secret goes',
    ]);
  });
});
