import { expect, it } from 'vitest';
import { type Change, applyChange, describeChange } from '../../src/registry/change.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { type DocumentKind, KINDS } from '../../src/config/documents/name.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { removalWarnings } from '../../src/registry/publishing.ts';
import { containing, PROMISED, open, routeWith, setOf } from '../config/support.ts';
import { suppressedInLists } from '../../src/registry/overlay.ts';

const remove = (collection: DocumentKind, name: string): Change => ({ kind: 'delete', collection, name });

/** The status and the detail of a refused deletion. */
function refusalOf(set: ReturnType<typeof setOf>, collection: DocumentKind, name: string): string {
  const changed = applyChange(set, remove(collection, name));
  return changed.ok ? '' : `${changed.error.status}: ${changed.error.detail}`;
}

it('putting a document leaves everything else, and its own place in an export; `__proto__` is a name for the check of names to see', () => {
  const set = setOf({ sources: { a: 1, b: 2, c: 3 } });
  const changed = applyChange(set, { kind: 'put', collection: 'sources', name: 'b', document: 9 });
  expect(changed).toEqual({ ok: true, value: setOf({ sources: { a: 1, b: 9, c: 3 } }) });
  expect(changed.ok ? Object.keys(changed.value.sources) : []).toEqual(['a', 'b', 'c']);
  expect(set.sources['b']).toBe(2);
  const proto = applyChange(setOf({}), {
    kind: 'put',
    collection: 'sources',
    name: '__proto__',
    document: {},
  });
  expect(proto.ok ? Object.keys(proto.value.sources) : []).toEqual(['__proto__']);
});

it('deleting a document is 404 when it is not there, with the one that was meant, and 409 while it is in use, with its users', () => {
  for (const collection of KINDS)
    for (const name of ['nothing', 'constructor', 'toString', '__proto__'])
      expect(refusalOf(PROMISED, collection, name)).toMatch(/^404: /);
  expect(refusalOf(PROMISED, 'templates', 'pictrue')).toBe(
    '404: In templates there is no document `pictrue`; did you mean `picture`?',
  );
  const lists = 'sources.shop-payments (route notify-the-shop), sources.signed (route each-alert)';
  for (const [collection, name, users] of [
    ['templates', 'payment-received', 'sources.shop-payments (route paid)'],
    ['recipients', 'shop-owners', lists],
    ['accounts', 'sales', 'sources.open'],
    ['accounts', 'default', 'sources.shop-payments'],
  ] as const)
    expect(refusalOf(PROMISED, collection, name)).toContain(`\`${name}\` is in use by ${users}`);
  // The account that sources use without naming it.
  const set = setOf({ sources: { a: open() }, accounts: { default: { rate: false } } });
  expect(refusalOf(set, 'accounts', 'default')).toBe(
    '409: `default` is in use by sources.a; to reset it, save it as `{}`.',
  );
});

it('deleting a document is 409 while a step of an escalation, a fallback or an escape channel names it, or one of its people', () => {
  const escalate = [
    { after: '15m', to: ['second-line'] },
    { after: '1h', to: ['managers/ben'] },
  ];
  const text = { kind: 'text', message: 'x' };
  const send = { ...text, fallback: [{ ...text, account: 'second' }] };
  const set = setOf({
    sources: { a: open({ routes: [routeWith({ to: ['owners/anna'], escalate, send })] }) },
    recipients: { 'second-line': {}, managers: {}, owners: {} },
    templates: { t: send },
    accounts: { second: {}, first: { escape: { via: { account: 'second' } } } },
  });
  for (const list of ['second-line', 'managers', 'owners'])
    expect(refusalOf(set, 'recipients', list)).toMatch(/^409: .* is in use by sources\.a \(route /);
  expect(refusalOf(set, 'accounts', 'second')).toMatch(
    /^409: .*sources\.a \(route .*templates\.t, accounts\.first;/,
  );
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

it('the note of a version says in a few words what was changed', () => {
  const changes: readonly Change[] = [
    { kind: 'replace', set: PROMISED },
    { kind: 'put', collection: 'sources', name: 'shop', document: {} },
    remove('templates', 'paid'),
  ];
  expect(changes.map(describeChange)).toEqual([
    'replace the whole set',
    'put sources/shop',
    'delete templates/paid',
  ]);
});

const [ANNA, BEN, CARO, DORA] = ['4915112345671', '4915112345672', '4915112345673', '4915112345674'] as const;

const warnings = (recipients: Record<string, object>, ...out: readonly string[]) =>
  suppressedInLists(setOf({ recipients }), out.length === 0 ? undefined : JSON.stringify(out.join('\n')));

const optedOut = (receiver: string): string =>
  `${receiver} has opted out, so only \`transactional\` routes send to them: if they want all messages again, remove their suppression`;

it('a list is warned of where one of its numbers has opted out, however it is written, or a person, by a number or an address', () => {
  const team = { numbers: [BEN, '+49 1511 2345671'] };
  expect(warnings({ team }, ANNA, CARO)).toMatchObject([
    { path: 'recipients.team.numbers[1]', message: optedOut(ANNA) },
  ]);
  const people = {
    Anna: ANNA,
    Ben: { phone: BEN },
    Caro: { phone: CARO, address: { ntfy: 'caro-topic' } },
    Dora: { address: { ntfy: 'dora-topic' } },
  };
  expect(warnings({ team: { people } }, ANNA, BEN, 'caro-topic')).toMatchObject([
    { path: 'recipients.team.people.Anna', message: optedOut(ANNA) },
    { path: 'recipients.team.people.Ben', message: optedOut(BEN) },
    { path: 'recipients.team.people.Caro', message: optedOut('caro-topic') },
  ]);
});

it('a list is not warned of at length: the first three are named, and the others counted', () => {
  const team = { numbers: [ANNA, BEN, CARO, DORA] };
  const said = warnings({ team, other: { numbers: [DORA] } }, DORA, CARO, BEN, ANNA);
  const named = [0, 1, 2].map((at) => `recipients.team.numbers[${at}]`);
  expect(said.map(({ path }) => path)).toEqual([...named, 'recipients.team', 'recipients.other.numbers[0]']);
  expect(said[3]?.message).toBe('and 1 more who have opted out');
  expect(warnings({ team: { numbers: [ANNA, BEN, CARO] } }, ANNA, BEN, CARO)).toHaveLength(3);
});

it('a list is not warned of where nobody in it has opted out', () => {
  const team = { numbers: [ANNA] };
  expect(warnings({ team })).toEqual([]);
  expect(warnings({ team }, BEN)).toEqual([]);
});

const configOf = (accounts: ConfigSet['accounts']) => compileConfig(setOf({ accounts }), 1).config;
const holding = { status: () => Promise.resolve({ queued: 3, retrying: 1, sending: 1 }) };
const broken = { status: () => Promise.reject(new Error('overloaded')) };

it('an account that is removed is warned of with all that waits in it, but not `default`, which has settings without a document', async () => {
  const documents = { default: {}, sales: {}, other: {} };
  const removed = { before: configOf(documents), after: configOf({ other: {} }), documents };
  for (const [outbox, count] of [
    [holding, '5 waiting messages'],
    [broken, 'an unknown number of waiting messages'],
  ] as const)
    expect(await removalWarnings(removed, () => outbox)).toMatchObject([
      { path: 'accounts.sales', message: containing(count) },
    ]);
});
