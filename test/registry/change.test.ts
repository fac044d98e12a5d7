import { expect, it } from 'vitest';
import { type Change, applyChange, describeChange } from '../../src/registry/change.ts';
import { type DocumentKind, KINDS } from '../../src/config/kinds.ts';
import { PROMISED, open, routeWith, setOf } from '../config/support.ts';
import { suppressedInLists } from '../../src/registry/suppressed-lists.ts';

const remove = (collection: DocumentKind, name: string): Change => ({ kind: 'delete', collection, name });

/** The status and the detail of a refused deletion. */
function refusalOf(set: ReturnType<typeof setOf>, collection: DocumentKind, name: string): string {
  const changed = applyChange(set, remove(collection, name));
  return changed.ok ? '' : `${changed.error.status}: ${changed.error.detail}`;
}

it('putting a document leaves everything else, and its own place in an export', () => {
  const set = setOf({ sources: { a: 1, b: 2, c: 3 } });
  const changed = applyChange(set, { kind: 'put', collection: 'sources', name: 'b', document: 9 });
  expect(changed).toEqual({ ok: true, value: setOf({ sources: { a: 1, b: 9, c: 3 } }) });
  expect(changed.ok ? Object.keys(changed.value.sources) : []).toEqual(['a', 'b', 'c']);
  expect(set.sources['b']).toBe(2);
});

it('putting a document named `__proto__` makes a key of that name, for the check of names to see', () => {
  const changed = applyChange(setOf({}), {
    kind: 'put',
    collection: 'sources',
    name: '__proto__',
    document: {},
  });
  expect(changed.ok ? Object.keys(changed.value.sources) : []).toEqual(['__proto__']);
});

it.each([...KINDS])('deleting a document from %s is 404 when it is not there', (collection) => {
  for (const name of ['nothing', 'constructor', 'toString', '__proto__']) {
    expect(applyChange(PROMISED, remove(collection, name))).toMatchObject({
      ok: false,
      error: { status: 404 },
    });
  }
});

it('deleting a document suggests the one that was meant', () => {
  expect(applyChange(PROMISED, remove('templates', 'pictrue'))).toMatchObject({
    error: { detail: 'In templates there is no document `pictrue`; did you mean `picture`?' },
  });
});

it.each([
  ['templates', 'payment-received', 'sources.shop-payments (route paid)'],
  [
    'recipients',
    'shop-owners',
    'sources.shop-payments (route notify-the-shop), sources.signed (route each-alert)',
  ],
  ['accounts', 'sales', 'sources.open'],
  ['accounts', 'default', 'sources.shop-payments'],
] as const)('from %s, %s, is 409 while it is in use by %s', (collection, name, users) => {
  const refused = applyChange(PROMISED, remove(collection, name));
  expect(refused).toMatchObject({ ok: false, error: { status: 409 } });
  expect(refused.ok ? '' : refused.error.detail).toContain(`\`${name}\` is in use by ${users}`);
});

it('deleting a document from recipients is 409 while a step of an escalation names it', () => {
  const escalate = [{ after: '15m', to: ['second-line'] }];
  const set = setOf({
    sources: { a: open({ routes: [routeWith({ escalate })] }) },
    recipients: { 'second-line': { numbers: [] } },
  });
  expect(refusalOf(set, 'recipients', 'second-line')).toMatch(/^409: .* is in use by sources\.a \(route /);
});

it('deleting a document from accounts is 409 while a fallback or an escape channel names it', () => {
  const text = { kind: 'text', message: 'x' };
  const send = { ...text, fallback: [{ ...text, account: 'second' }] };
  const set = setOf({
    sources: { a: open({ routes: [routeWith({ send })] }) },
    templates: { t: send },
    accounts: { second: {}, first: { escape: { via: { account: 'second' } } } },
  });
  expect(refusalOf(set, 'accounts', 'second')).toMatch(
    /^409: .*sources\.a \(route .*templates\.t, accounts\.first;/,
  );
});

it('deleting the account that sources use without naming it says how to go back to its defaults', () => {
  const set = setOf({ sources: { a: open() }, accounts: { default: { rate: false } } });
  expect(applyChange(set, remove('accounts', 'default'))).toMatchObject({
    error: {
      status: 409,
      detail: '`default` is in use by sources.a; to reset it, save it as `{}`.',
    },
  });
});

it('deleting a document that nothing uses is done, and leaves the others', () => {
  const routes = [routeWith({})];
  const set = setOf({
    sources: { a: open({ routes }) },
    recipients: { r: { numbers: [] }, s: { numbers: [] } },
  });
  expect(applyChange(set, remove('recipients', 'r'))).toEqual({
    ok: true,
    value: { ...set, recipients: { s: { numbers: [] } } },
  });
  expect(applyChange(PROMISED, remove('sources', 'open'))).toMatchObject({ ok: true });
});

it.each<[Change, string]>([
  [{ kind: 'replace', set: PROMISED }, 'replace the whole set'],
  [{ kind: 'put', collection: 'sources', name: 'shop', document: {} }, 'put sources/shop'],
  [remove('templates', 'paid'), 'delete templates/paid'],
])('the note of a version %# is in a few words', (change, note) => {
  expect(describeChange(change)).toBe(note);
});

const [ANNA, BEN, CARO, DORA] = ['4915112345671', '4915112345672', '4915112345673', '4915112345674'] as const;

const warnings = (recipients: Record<string, object>, ...out: readonly string[]) =>
  suppressedInLists(setOf({ recipients }), out.length === 0 ? undefined : JSON.stringify(out.join('\n')));

const optedOut = (receiver: string): string =>
  `${receiver} has opted out, so only \`transactional\` routes send to them: if they want all messages again, remove their suppression`;

it('a list is warned of where one of its numbers has opted out, however it is written', () => {
  const team = { numbers: [BEN, '+49 1511 2345671'] };
  expect(warnings({ team }, ANNA, CARO)).toEqual([
    { path: 'recipients.team.numbers[1]', message: optedOut(ANNA) },
  ]);
});

it('a list is warned of where a person has, by a number or an address', () => {
  const people = {
    Anna: ANNA,
    Ben: { phone: BEN },
    Caro: { phone: CARO, address: { ntfy: 'caro-topic' } },
    Dora: { address: { ntfy: 'dora-topic' } },
  };
  expect(warnings({ team: { people } }, ANNA, BEN, 'caro-topic')).toEqual([
    { path: 'recipients.team.people.Anna', message: optedOut(ANNA) },
    { path: 'recipients.team.people.Ben', message: optedOut(BEN) },
    { path: 'recipients.team.people.Caro', message: optedOut('caro-topic') },
  ]);
});

it('a list is not warned of at length: the first three are named, and the others counted', () => {
  const team = { numbers: [ANNA, BEN, CARO, DORA] };
  const said = warnings({ team, other: { numbers: [DORA] } }, DORA, CARO, BEN, ANNA);
  expect(said.map(({ path }) => path)).toEqual([
    'recipients.team.numbers[0]',
    'recipients.team.numbers[1]',
    'recipients.team.numbers[2]',
    'recipients.team',
    'recipients.other.numbers[0]',
  ]);
  expect(said[3]?.message).toBe('and 1 more who have opted out');
  expect(warnings({ team: { numbers: [ANNA, BEN, CARO] } }, ANNA, BEN, CARO)).toHaveLength(3);
});

it('a list is not warned of where nobody in it has opted out', () => {
  const team = { numbers: [ANNA] };
  expect(warnings({ team })).toEqual([]);
  expect(warnings({ team }, BEN)).toEqual([]);
});
