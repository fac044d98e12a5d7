import { describe, expect, it } from 'vitest';
import { sourceOf } from '../ingest/support.ts';
import { errorsOf, open } from './support.ts';

const MIB = 1_048_576;
const OPEN = { perMinute: 60, burst: 60, bytesPerHour: 64 * MIB, messagesPerMinute: 120 };
const BY_ADDRESS = { ...OPEN, perMinute: 600, burst: 600 };
const secrets = ['HOOK_SECRET'];
const token = (place: string) => ({
  scheme: 'token',
  in: place,
  ...(place !== 'path' && { name: 'X-Token' }),
});
const hmac = { scheme: 'hmac', header: 'X-Signature', algorithm: 'sha256', encoding: 'hex' };

describe('without a limit of its own', () => {
  it.each([
    ['a source that anybody may post to', { verify: { scheme: 'none' } }, OPEN],
    ['one with a token in its path', { verify: token('path'), secrets }, BY_ADDRESS],
    ['one with a token in its query', { verify: token('query'), secrets }, BY_ADDRESS],
    ['one with a token in a header', { verify: token('header'), secrets }, null],
    ['one with a token in the body', { verify: token('body'), secrets }, null],
    ['one with a password', { verify: { scheme: 'basic' }, secrets }, null],
    ['one that is signed', { provider: 'stripe', verify: undefined, secrets }, null],
    [
      'one that takes any of several has that of the weakest',
      { verify: { scheme: 'any', of: [hmac, token('query')] }, secrets },
      BY_ADDRESS,
    ],
    [
      'one that takes any of several that are signed',
      { verify: { scheme: 'any', of: [hmac, hmac] }, secrets },
      null,
    ],
  ])('%s', (_, document, limit) => {
    expect(sourceOf({ limit: undefined, ...document }).limit).toEqual(limit);
  });
});

describe('a limit of its own', () => {
  it('has a minute’s worth at once unless it says otherwise, and the bytes of its kind of verification', () => {
    expect(sourceOf({ limit: { per_minute: 5 } }).limit).toEqual({ ...OPEN, perMinute: 5, burst: 5 });
    expect(sourceOf({ limit: { per_minute: 5, burst: 9, mib_per_hour: 2 } }).limit).toEqual({
      perMinute: 5,
      burst: 9,
      bytesPerHour: 2 * MIB,
      messagesPerMinute: 120,
    });
    const signed = { provider: 'stripe', verify: undefined, secrets, limit: { per_minute: 5 } };
    expect(sourceOf(signed).limit).toEqual({
      perMinute: 5,
      burst: 5,
      bytesPerHour: null,
      messagesPerMinute: null,
    });
  });

  it('may name one thing only: the rest is that of its kind of verification', () => {
    expect(sourceOf({ limit: { messages_per_minute: 500 } }).limit).toEqual({
      ...OPEN,
      messagesPerMinute: 500,
    });
    expect(sourceOf({ limit: {} }).limit).toEqual(OPEN);
  });

  it('of a source that proves its senders has to say how many webhooks', () => {
    const signed = { provider: 'stripe', secrets, limit: { burst: 5, messages_per_minute: 5 } };
    expect(errorsOf({ sources: { shop: signed } })).toEqual([
      'sources.shop.limit.per_minute: is required: a source that verifies its senders has no default',
    ]);
  });

  it('can be none', () => {
    expect(sourceOf({ limit: false }).limit).toBeNull();
  });

  it.each([
    [
      true,
      'sources.shop.limit: must be `{ per_minute, burst, mib_per_hour, messages_per_minute }`, or false for no limit',
    ],
    [
      60,
      'sources.shop.limit: must be `{ per_minute, burst, mib_per_hour, messages_per_minute }`, or false for no limit',
    ],
  ])('says what is wrong with %j', (limit, message) => {
    expect(errorsOf({ sources: { shop: open({ limit }) } })).toEqual([message]);
  });

  it('names a misspelt key', () => {
    const errors = errorsOf({ sources: { shop: open({ limit: { per_minutes: 5 } }) } });
    expect(errors.join('\n')).toMatch(/limit/);
  });
});
