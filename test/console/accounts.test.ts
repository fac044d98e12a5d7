import { expect, test } from 'vitest';
import { documentOf, typedOf, type EditedAccount } from '../../console/pages/accounts/policy.ts';

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
