import { expect, test } from 'vitest';
import { documentOf, typedOf, type AccountDocument } from '../../console/pages/accounts/policy.ts';

test.each<AccountDocument>([
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

test('what is no number is the relay’s to refuse', () => {
  expect(documentOf({}, { ...typedOf({}), perMinute: 'many' })).toEqual({ rate: { per_minute: 0 } });
});
