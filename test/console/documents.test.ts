import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentOf, ESCAPE_CHANNELS, standardOf, typedOf } from '../../console/pages/accounts/accounts.tsx';
import type { Written } from '../../console/api/types.ts';
import {
  changed,
  linesOf,
  namesIn,
  readReceivers,
  receiversOf,
  usedBy,
} from '../../console/pages/recipients/receivers.ts';
import { distinct, fitting, groupsOf } from '../../console/pages/rejections/rejections.tsx';
import {
  bodyOf,
  faultsOf,
  isEmpty,
  NOTHING_TYPED,
  paramsOf,
  textsOf,
} from '../../console/pages/send/fields.ts';
import { differences } from '../../console/pages/versions/compare.ts';
import { de, GATEWAY_WORDS } from '../../console/texts/de.ts';
import { en } from '../../console/texts/en.ts';
import remedies from '../../assets/remedies.json';
import { addressOfGateway, gatewayFacts } from '../../shared/new-source/gateways.ts';
import { KIND_NAMES } from '../../src/gateway/kinds.ts';
import { MAKERS } from '../../src/gateway/makers/makers.ts';
import { parseDuration } from '../../src/lib/time.ts';
import { accountPolicy, documentSchemas, sendSchema } from './relay.mjs';

test('receivers are read as people write them, each once, perhaps with a name before the number', () => {
  expect(readReceivers('+49 151 / 123-45678\n\n 0049 (151) 12345678\n4915187654321 ')).toEqual({
    numbers: ['4915112345678', '4915187654321'],
    people: {},
    count: 2,
    wrong: [],
  });
  const people = { Anna: '4915112345678', 'Ben Müller': '4915187654321' };
  const typed = 'Anna +49 151 12345678\nBen Müller: 0049 151 87654321';
  expect(readReceivers(typed)).toEqual({ numbers: [], people, count: 2, wrong: [] });
  const document = { numbers: ['4930123456'], people };
  expect(readReceivers(linesOf(document), people)).toMatchObject(document);
});

test('a number without its country code, what is none, and a name for the second time, is named as it was typed', () => {
  const wrong = ['0151 12345678', 'mum', 'Anna +49 151 1', 'Ben +491511234568'];
  const [first, second, third, last] = wrong;
  const typed = [first, second, '+49 151 12345678', third, 'Ben +491511234567', last].join('\n');
  expect(readReceivers(typed).wrong).toEqual(wrong);
  const line = fc.string({ maxLength: 20 }).filter((one) => !/[\r\n]/.test(one));
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const { numbers, people, wrong: others } = readReceivers(lines.join('\n'));
      expect(numbers.every((one) => /^[1-9]\d{6,14}$/.test(one))).toBe(true);
      expect(numbers.length + Object.keys(people).length + others.length).toBeLessThanOrEqual(lines.length);
    }),
  );
});

test('people keep their addresses, and those without a number stay; a number has the name that lists give it: none with two names, or as a viewer’s mask', () => {
  const people = {
    Anna: { phone: '+49 151 12345678', address: { telegram: '1' } },
    Ben: { address: { ntfy: 'ben' } },
  };
  expect(linesOf({ people })).toBe('Anna +4915112345678');
  expect(readReceivers('Anna +49 151 87654321', people).people).toEqual({
    Anna: { phone: '4915187654321', address: { telegram: '1' } },
    Ben: { address: { ntfy: 'ben' } },
  });
  expect(receiversOf({ people })[1]).toEqual({ name: 'Ben', phone: null, addresses: ['ntfy: ben'] });
  const anna = { Anna: '+49 151 000000-13', Ben: { phone: '4915100000014' } };
  const lists = [{ people: anna }, { numbers: ['4915100000015'] }];
  expect(Object.fromEntries(namesIn(lists))).toEqual({ '4915100000013': 'Anna', '4915100000014': 'Ben' });
  const other = { people: { Anna: '4915100000013', Benjamin: '4915100000014' } };
  expect([...namesIn([...lists, other]).keys()]).toEqual(['4915100000013']);
  expect(namesIn([{ people: { Anna: '49…13' } }]).size).toBe(0);
});

test('what the form does not show of a list stays, and a list without receivers still has its key', () => {
  const throttle = { max: 5, per: '1h' };
  const quiet = { from: '22:00', to: '07:00', do: 'digest' };
  const people = { Anna: '4915112345678' };
  const document = { numbers: ['1'], throttle, quiet };
  expect(changed(document, { numbers: [], people }, quiet)).toEqual({ throttle, people, quiet });
  expect(changed({ people: { Anna: '1' } }, { numbers: [], people: {} }, null)).toEqual({ numbers: [] });
});

test('a list is used by routes that name it, or one of its people, also in their steps', () => {
  const escalate = [
    { after: '5m', to: 'day' },
    { after: '1h', to: ['team/ben'] },
  ];
  const shop = [
    { name: 'paid', to: 'team' },
    { name: 'late', to: 'day', escalate },
    { name: 'other', to: ['teams', '{{ payload.team }}'] },
  ];
  const alerts = { routes: [{ name: 'firing', to: ['owners', 'team/anna'] }] };
  const used = usedBy('team', { shop: { routes: shop }, alerts, empty: {} });
  expect(used.map(({ source, route }) => `${source}/${route}`)).toEqual([
    'shop/paid',
    'shop/late',
    'alerts/firing',
  ]);
});

test('the form of an account that nobody changes changes nothing; an empty field leaves the standard, an unchecked box the limit; what is no number is refused', () => {
  const documents: readonly Written[] = [
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
  ];
  for (const document of documents) expect(documentOf(document, typedOf(document))).toEqual(document);
  const before = { rate: { per_minute: 60, burst: 9 }, notify: { url: 'https://ntfy.sh/x' } };
  const typed = { ...typedOf(before), perMinute: ' ', isCapped: false, notifyUrl: '' };
  expect(documentOf(before, typed)).toEqual({ per_recipient: false });
  expect(documentOf({}, { ...typedOf({}), perMinute: 'many' })).toEqual({ rate: { per_minute: 0 } });
});

test('an escape channel is added, changed with its own keys, and removed', () => {
  const escape = { after: '5m', via: { kind: 'ntfy', secret: 'NOTIFY_ESCAPE' } };
  const slack = { ...typedOf({}), escapeKind: 'slack', escapeSecret: ' NOTIFY_ME ' };
  const via = { kind: 'slack', secret: 'NOTIFY_ME' };
  expect(documentOf({}, slack)).toEqual({ escape: { via } });
  expect(documentOf({ escape }, slack)).toEqual({ escape: { after: '5m', via } });
  expect(documentOf({ escape }, { ...slack, escapeKind: '' })).toEqual({});
});

const shownFor = (document: Written, typed: object = {}) =>
  standardOf(document, { ...typedOf(document), ...typed });

test('an empty field of an account shows what the relay takes for it, which takes each channel of the form', () => {
  for (const gateway of ['v2', 'http', ...MAKERS.map(({ id }) => id)]) {
    const { rate, perRecipient } = accountPolicy({ gateway });
    const [perMinute, burst] = [String(rate?.perMinute), String(rate?.burst)];
    expect(shownFor({ gateway }), gateway).toMatchObject({
      perMinute,
      burst,
      perHour: String(perRecipient?.perHour),
    });
  }
  for (const n of [3, 30]) {
    const { rate } = accountPolicy({ gateway: 'ntfy', rate: { per_minute: n } });
    expect(shownFor({ gateway: 'ntfy' }, { perMinute: String(n) }).burst).toBe(String(rate?.burst));
  }
  const via = { kind: 'ntfy', secret: 'NOTIFY_ESCAPE' };
  const { escape, canary } = accountPolicy({ escape: { via }, canary: { to: '4915112345678' } });
  const { escapeAfter, canaryEvery, canaryWithin } = shownFor({ escape: { via } });
  const shown = [escapeAfter, canaryEvery, canaryWithin].map((text) => parseDuration(text));
  const taken = [escape?.afterMs, canary?.everyMs, canary?.withinMs];
  expect(shown).toEqual(taken.map((value) => ({ ok: true, value })));
  expect(shownFor({ escape: { after: '90s', via } }).escapeAfter).toBe('90s');
  for (const [kind] of ESCAPE_CHANNELS)
    expect(documentSchemas.accounts.safeParse({ escape: { via: { ...via, kind } } }).success, kind).toBe(
      true,
    );
});

test('what is kept and removed is the old text, what is kept and added the new one', () => {
  const line = fc.constantFrom('a', 'b', 'c', '');
  const text = fc.array(line, { maxLength: 6 }).map((lines) => `${lines.join('\n')}\n.`);
  fc.assert(
    fc.property(text, text, (old, now) => {
      // Short enough that no line is left out for being far from a change.
      const lines = differences(old, now);
      if (old === now) return lines.length === 0;
      const of = (mark: string): string =>
        lines.flatMap((one) => (one.mark === ' ' || one.mark === mark ? [one.text] : [])).join('\n');
      return old.includes(of('-')) && now.includes(of('+'));
    }),
  );
});

test('a message that is typed is one that the relay takes, once nothing is marked, as it is where it has nothing; what is empty or of another kind is left out', () => {
  const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== '');
  const some = fc.array(word, { minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(fc.constantFrom(...KIND_NAMES), word, some, (kind, text, options) => {
      const texts = textsOf(kind).map(
        ([name, { holds }]) => [name, holds === 'url' ? 'https://a.example/b' : text] as const,
      );
      const typed = { texts: Object.fromEntries(texts), options };
      expect(faultsOf(kind, typed)).toEqual({});
      expect(sendSchema.safeParse(bodyOf(kind, typed)).success).toBe(true);
    }),
  );
  expect(faultsOf('text', NOTHING_TYPED)).toEqual({ message: 'required' });
  expect(faultsOf('poll', NOTHING_TYPED)).toEqual({ question: 'required', options: 'twoOptions' });
  const noUrl = { texts: { image_url: 'a.png' }, options: [] };
  expect(faultsOf('image', noUrl)).toEqual({ image_url: 'address' });
  expect(KIND_NAMES.every((kind) => isEmpty(kind, NOTHING_TYPED))).toBe(true);
  const url = 'https://a.example';
  const typed = { texts: { url, title: '', message: 'of the text' }, options: ['x', 'y'] };
  expect(bodyOf('link-preview', typed)).toEqual({ kind: 'link-preview', url });
  // As the phone shows options.
  const poll = { texts: { question: 'Q' }, options: ['Yes, please', ' No ', ''] };
  expect(paramsOf('poll', poll)).toEqual({ question: 'Q', options: 'Yes\u201A please,No' });
});

const rejection = (n: number, source: string, code: 'stale' | 'mismatch' = 'stale') => {
  const at = `2026-01-01T00:00:0${n}.000Z`;
  return { n, at, source, status: 401, code, detail: '' };
};

test('rejections are counted by source and code, the most frequent first, and filtered by them', () => {
  const all = [rejection(4, 'b'), rejection(3, 'a'), rejection(2, 'b', 'mismatch'), rejection(1, 'b')];
  const groups = groupsOf(all).map(({ source, code, count, last }) =>
    [source, code, count, last.n].join(' '),
  );
  expect(groups).toEqual(['b stale 2 4', 'a stale 1 3', 'b mismatch 1 2']);
  const of = (source: string, code: string) => fitting(all, { source, code }).map(({ n }) => n);
  expect([of('', ''), of('b', ''), of('b', 'stale')]).toEqual([
    [4, 3, 2, 1],
    [4, 2, 1],
    [4, 1],
  ]);
  expect([of('c', ''), distinct(['b', 'a', 'b'])]).toEqual([[], ['a', 'b']]);
});

test('each reason of a rejection has words in each language, and a translated remedy; so have gateways', () => {
  for (const { rejections } of [en, de])
    expect(Object.keys(rejections.reasons)).toEqual(expect.arrayContaining(Object.keys(remedies)));
  expect(Object.keys(de.rejections.remedies)).toEqual(expect.arrayContaining(Object.keys(remedies)));
  const said = gatewayFacts.flatMap(({ id, costs, needs }) => [costs, needs, addressOfGateway(id)]);
  expect(said.filter((text) => text !== null && !Object.hasOwn(GATEWAY_WORDS, text))).toEqual([]);
});
