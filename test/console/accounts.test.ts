import { expect, test } from 'vitest';
import {
  documentOf,
  ESCAPE_CHANNELS,
  standardOf,
  typedOf,
  type EditedAccount,
} from '../../console/pages/accounts/policy.ts';
import { MAKERS } from '../../src/gateway/makers/makers.ts';
import { parseDuration } from '../../src/lib/duration.ts';
import { accountPolicy, documentSchemas } from './relay.mjs';

test.each<EditedAccount>([
  {},
  { rate: false, per_recipient: false },
  { rate: { per_minute: 60 }, per_recipient: { per_hour: 10 }, retention: '30d' },
  {
    rate: { per_minute: 60, burst: 9 },
    notify: { url: 'https://hooks.slack.com/{secret}', secret: 'SLACK', format: 'slack' },
    gateway: 'ntfy',
    escape: { after: '5m', via: { kind: 'ntfy', secret: 'NOTIFY_ESCAPE' } },
  },
  { escape: { via: { account: 'backup', to: '4915112345678' } } },
  { canary: { to: '4915112345678', every: '2d', answer_within: '1h', at: '07:00', language: 'de' } },
])('a form that nobody changes changes nothing: %j', (document) => {
  expect(documentOf(document, typedOf(document))).toEqual(document);
});

test('an empty field leaves the standard, and an unchecked box the limit away', () => {
  const before = { rate: { per_minute: 60, burst: 9 }, notify: { url: 'https://ntfy.sh/x' } };
  const typed = { ...typedOf(before), perMinute: ' ', isCapped: false, notifyUrl: '' };
  expect(documentOf(before, typed)).toEqual({ per_recipient: false });
});

test('an escape channel is added, changed and removed', () => {
  const escape = { after: '5m', via: { kind: 'ntfy', secret: 'NOTIFY_ESCAPE' } };
  const typed = { ...typedOf({}), escapeKind: 'slack', escapeSecret: ' NOTIFY_ME ' };
  const via = { kind: 'slack', secret: 'NOTIFY_ME' };
  expect(documentOf({}, typed)).toEqual({ escape: { via } });
  expect(documentOf({ escape }, typed)).toEqual({ escape: { after: '5m', via } });
  expect(documentOf({ escape }, { ...typed, escapeKind: '' })).toEqual({});
});

test('a canary is added with the usual keys, changed with its own, and removed', () => {
  const usual = { timezone: 'Europe/Berlin', language: 'de' };
  const typed = { ...typedOf({}), canaryTo: ' +49 151 12345678', canaryWithin: ' 1h ' };
  expect(documentOf({}, typed, usual)).toEqual({
    canary: { ...usual, to: '4915112345678', answer_within: '1h' },
  });
  const canary = { to: '4915112345678', every: '2d', at: '07:00' };
  const changed = { ...typed, canaryTo: '-1001234567890', canaryWithin: '' };
  expect(documentOf({ canary }, changed, usual)).toEqual({ canary: { to: '-1001234567890', at: '07:00' } });
  expect(documentOf({ canary }, { ...typed, canaryTo: ' ' }, usual)).toEqual({});
});

test('what is no number is the relay’s to refuse', () => {
  expect(documentOf({}, { ...typedOf({}), perMinute: 'many' })).toEqual({ rate: { per_minute: 0 } });
});

const shownFor = (document: EditedAccount, typed: object = {}) =>
  standardOf(document, { ...typedOf(document), ...typed });

test.each(['v2', 'http', ...MAKERS.map(({ id }) => id)])(
  'an empty field shows what the relay takes for it: %s',
  (gateway) => {
    const { rate, perRecipient } = accountPolicy({ gateway });
    expect(shownFor({ gateway })).toMatchObject({
      perMinute: String(rate?.perMinute),
      burst: String(rate?.burst),
      perHour: String(perRecipient?.perHour),
    });
  },
);

test.each([3, 30])(
  'an empty burst shows what the relay takes with %d a minute, whoever the maker is',
  (n) => {
    const document = { gateway: 'ntfy', rate: { per_minute: n } };
    expect(shownFor({ gateway: 'ntfy' }, { perMinute: String(n) }).burst).toBe(
      String(accountPolicy(document).rate?.burst),
    );
  },
);

test('an empty duration shows what the relay takes for it', () => {
  const via = { kind: 'ntfy', secret: 'NOTIFY_ESCAPE' };
  const { escape, canary } = accountPolicy({ escape: { via }, canary: { to: '4915112345678' } });
  const { escapeAfter, canaryEvery, canaryWithin } = shownFor({ escape: { via } });
  expect([escapeAfter, canaryEvery, canaryWithin].map((text) => parseDuration(text))).toEqual(
    [escape?.afterMs, canary?.everyMs, canary?.withinMs].map((value) => ({ ok: true, value })),
  );
  expect(shownFor({ escape: { after: '90s', via } }).escapeAfter).toBe('90s');
});

test.each(ESCAPE_CHANNELS)('the relay takes each channel that the form offers: %s', (kind) => {
  const escape = { via: { kind, secret: 'NOTIFY_ESCAPE' } };
  expect(documentSchemas.accounts.safeParse({ escape }).success).toBe(true);
});
