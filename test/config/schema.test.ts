import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { documentsOf, rightOnes } from '../../src/config/documents/check.ts';
import { issueErrors } from '../../src/config/documents/issues.ts';
import { unknownName } from '../../src/config/documents/unknown-name.ts';
import { strictDocument } from '../../src/schema/parts.ts';
import { verifySchema } from '../../src/signature/scheme.ts';
import { errorsOf, expectErrors, open, PROMISED, routeErrors, setOf } from './support.ts';

const source = (document: unknown) => errorsOf({ sources: { shop: document } });
const openSource = (document: object) => source(open(document));
const account = (document: unknown) => errorsOf({ accounts: { default: document } });
const named = (name: string, document: unknown): Record<string, unknown> =>
  // As it comes from JSON: there `__proto__` is a key like any other.
  Object.fromEntries([[name, document]]);

it('the promised documents are all taken as they are written', () => {
  expect(errorsOf(PROMISED)).toEqual([]);
});

const shift = (over: object) => ({ shifts: [{ order: ['ben'], from: '20:00', to: '08:00', ...over }] });

const local = (text: string) => `2026-12-${text}:00`;

const override = (begin: string, end: string, person = 'ben') => ({
  overrides: [{ person, from: local(begin), to: local(end) }],
});

const faultOf = (verify: object) => {
  const { issues = [] } = z.safeParse(verifySchema, verify, { reportInput: true }).error ?? {};
  return issues.flatMap((issue) => issueErrors('', issue)).map(({ code, params }) => [code, params]);
};

it('a name that is none of those that are allowed has the code of this, and the names that are', () => {
  const places = { allowed: 'header, query, path, body' };
  expect(faultOf({ scheme: 'token', in: 'cookie' })).toEqual([['not-one-of', places]]);
  const schemes = { allowed: 'hmac, hash, ed25519, ecdsa, rsa, jwt, basic, token, oidc, any, none' };
  expect(faultOf({ scheme: 'hmca' })).toEqual([['not-one-of', schemes]]);
  expect(faultOf({ in: 'path' })).toEqual([['required', undefined]]);
});

const verified = (verify: unknown) => source({ verify, secrets: ['HOOK_SECRET'] }).slice(0, 1);

it('what is wrong is said of a source', () => {
  expect(source(null)).toEqual(['sources.shop: must be an object of keys and values']);
  const handshake = { secret: 'ADMIN_TOKEN' };
  expectErrors('sources.shop.', openSource, [
    [{ rutes: [] }, 'rutes: unknown key `rutes`; did you mean `routes`?'],
    [{ secrets: 'A' }, 'secrets: must be a list of names of secrets'],
    [{ secrets: Array(9).fill('A') }, 'secrets: must have at most 8 names of secrets'],
    [{ handshake: {} }, 'handshake.secret: must be the name of a secret'],
    [{ handshake }, 'handshake.secret: is a credential of hookbell itself and cannot sign webhooks'],
    [{ country: 49 }, 'country: must be text: put it in quotes'],
    [{ account: 5 }, 'account: must be a name, as text'],
    [{ store: 'ful' }, 'store: must be one of full, metadata; did you mean `full`?'],
    [{ routes: {} }, 'routes: must be a list of routes'],
    [{ routes: [null] }, 'routes[0]: must be an object of keys and values'],
    [{ heartbeat: '9m' }, 'heartbeat: must be between 10m and 90d, not 9m'],
    [{ premium: 'yes' }, 'premium: '],
    [{ exponents: { isk: 2 } }, 'exponents'],
    [{ event: { id: 'none' } }, 'event.id: names nothing of the event'],
    [{ event: { subject: '{{ x' } }, 'event.subject: '],
    [{ event: { items: { at: 'lines' } } }, 'event.items.at: must be the path of a list'],
    [{ answers: { accepted: 500 } }, 'answers.accepted: must be a whole number from 200 to 299'],
    [{ limit: 60 }, 'limit: must be `{ per_minute, burst, mib_per_hour, messages_per_minute }`, or false'],
    [{ limit: { per_minutes: 5 } }, 'limit.per_minutes: unknown key'],
  ]);
});

it('what is wrong is said of a place, a language or a time zone that is none, and of a verification, in the branch that was meant', () => {
  for (const country of ['UK', 'de', 'XX', 'DEU', '__proto__'])
    expectErrors('sources.shop.country: must be an ISO 3166 country code', openSource, [[{ country }, '']]);
  for (const locale of ['german', 'xx_yy', '', 'de-'])
    expectErrors('sources.shop.locale: must be a BCP 47 language tag', openSource, [[{ locale }, '']]);
  for (const timezone of ['Berlin', 'Europe/Berlim', ''])
    expectErrors('sources.shop.timezone: must be an IANA time zone', openSource, [[{ timezone }, '']]);
  for (const locale of ['de', 'de-DE', 'pt-BR', 'sr-Latn-RS', 'ar'])
    expect(openSource({ locale })).toEqual([]);
  expectErrors('sources.shop.verify', verified, [
    ['none', ': must have a `scheme`'],
    [{ scheme: 'hmca' }, '.scheme: must have a `scheme`'],
    [{ scheme: 'token', in: 'path', nme: 1 }, '.nme: unknown key `nme`; known keys: scheme, in'],
    [{ scheme: 'token', in: 'cookie' }, '.in: must say where the token is'],
    [{ scheme: 'token', in: 'header' }, '.name: is required'],
    [{ scheme: 'hmac', header: 'X', algoritm: 'sha1' }, '.algoritm: unknown key `algoritm`; did you mean'],
  ]);
});

it('what is wrong is said of a route', () => {
  expectErrors('sources.shop.routes[0].', routeErrors, [
    [{ name: undefined }, 'name: is required: a name, as text'],
    [{ name: 'a b' }, 'name: must be 1 to 64 of A–Z, a–z, 0–9, `-` and `_`'],
    [{ Send: 1 }, 'Send: unknown key `Send`; did you mean `send`?'],
    [{ to: 4930123456 }, 'to: must be text: put the number in quotes, such as "+49 151 12345678"'],
    [{ to: null }, 'to: must be a number in quotes, the name of a recipients list, a template, or a list'],
    [{ to: '' }, 'to: must not be empty'],
    [{ to: [] }, 'to: must not be empty'],
    [{ to: ['4930123456', 5] }, 'to[1]: must be text: put it in quotes'],
    [{ when: true }, 'when: must be text: put it in quotes'],
    [{ stop: 'yes' }, 'stop: must be true or false'],
    [{ delay: 5 }, 'delay: must be a duration such as `30s`, `5m`, `3h` or `2d`'],
    [{ delay: '99d' }, 'delay: must be between 0ms and 30d, not 99d'],
    [{ on_uncertain: 'hodl' }, 'on_uncertain: must be one of retry, hold; did you mean `hold`?'],
    [{ max_length: 0 }, 'max_length: must be a whole number from 1 to 65536'],
  ]);
});

it('what is wrong is said of a template', () => {
  const kinds = 'one of text, image, voice, link-preview, poll, status';
  const [question, image_url] = ['?', 'https://x.example/a.png'];
  expectErrors('templates.paid', (paid: unknown) => errorsOf({ templates: { paid } }), [
    ['hello', ': must be a template: a `kind` and its parameters'],
    [null, ': must be a template: a `kind` and its parameters'],
    [[], ': must be a template: a `kind` and its parameters'],
    [{}, `.kind: is required: ${kinds}`],
    [{ kind: 'Text' }, `.kind: must be ${kinds}; did you mean \`text\`?`],
    [{ kind: 'constructor' }, `.kind: must be ${kinds}`],
    [{ kind: 'text' }, '.message: is required'],
    [{ kind: 'text', message: '' }, '.message: must not be empty'],
    [{ kind: 'text', message: 5 }, '.message: must be text: put it in quotes'],
    [
      { kind: 'image', image_url, text: 'y' },
      '.text: unknown key `text`; known keys: kind, image_url, caption',
    ],
    [{ kind: 'poll', question, options: 'a,b' }, '.options: must be a list of options'],
    [{ kind: 'poll', question, options: ['a'] }, '.options: must have at least 2 options'],
    [{ kind: 'poll', question, options: ['a', ''] }, '.options[1]: must not be empty'],
  ]);
  // Both what is missing and what was meant.
  expect(errorsOf({ templates: { paid: { kind: 'text', mesage: 'x' } } })).toEqual([
    'templates.paid.message: is required',
    'templates.paid.mesage: unknown key `mesage`; did you mean `message`?',
  ]);
});

it('what is wrong is said of a recipients list, and of an account', () => {
  expectErrors('recipients.team.', (team: unknown) => errorsOf({ recipients: { team } }), [
    [{}, 'numbers: is required: a list of numbers, or `people` by name'],
    [{ numbers: [4915112345678] }, 'numbers[0]: must be text: put the number in quotes'],
    [{ numbers: ['4915112345678', '+49 151'] }, 'numbers[1]: "+491…" is too short for a phone number'],
    [{ numbers: ['0151 12345678'] }, 'numbers[0]: "0151…" has no country code: begin with it'],
    [{ people: { 'Anna/Ben': '+49 151 12345678' } }, 'people.Anna/Ben: is not a valid name'],
  ]);
  const VIA = { kind: 'ntfy', secret: 'NOTIFY_TOPIC' };
  const secret = 'NOTIFY_PATH';
  expectErrors('accounts.default.', account, [
    [{ rate: true }, 'rate: must be `{ per_minute, burst }`, or false for no limit'],
    [{ rate: 30 }, 'rate: must be `{ per_minute, burst }`, or false for no limit'],
    [{ rate: {} }, 'rate.per_minute: is required: a whole number from 1 to 1000000'],
    [{ rate: { per_minute: 5, brst: 1 } }, 'rate.brst: unknown key `brst`; did you mean `burst`?'],
    [{ per_recipient: { per_hour: -1 } }, 'per_recipient.per_hour: must be a whole number from 1 to'],
    [{ per_recipient: true }, 'per_recipient: must be `{ per_hour }`, or false for no limit'],
    [{ timeout: '1ms' }, 'timeout: must be between 100ms and 2m, not 1ms'],
    [{ retry: '5s' }, 'retry: must be a list of durations'],
    [{ retry: ['5s', 5] }, 'retry[1]: must be a duration such as `30s`, `5m`, `3h` or `2d`'],
    [{ permanent_errors: [5] }, 'permanent_errors[0]: must be text: put it in quotes'],
    [{ circuit: { failures: 0 } }, 'circuit.failures: must be a whole number from 1 to 1000'],
    [{ retention: '1m' }, 'retention: must be between 1h and 3650d, not 1m'],
    [{ shards: 4 }, 'shards: unknown key `shards`; known keys: rate, per_recipient, timeout, retry,'],
    [{ notify: {} }, 'notify.url: is required: an https URL'],
    [{ notify: { url: 'https://x.example/{secret}' } }, 'notify.secret: is required: name the Worker secret'],
    [{ notify: { url: 'https://x.example/', secret } }, 'notify.url: must contain `{secret}` where'],
    [{ escape: {} }, 'escape.via: is required'],
    [{ escape: { via: {} } }, 'escape.via: needs `kind` and `secret`, or `account`'],
    [{ escape: { via: { kind: 'ntfy' } } }, 'escape.via: needs `kind` and `secret`, or `account`'],
    [{ escape: { via: { ...VIA, account: 'a' } } }, 'escape.via.account: cannot be combined with `kind`'],
    [{ escape: { via: { ...VIA, to: '491512345678' } } }, 'escape.via.to: works only with `account`'],
    [{ escape: { via: { ...VIA, kind: 'sms' } } }, 'escape.via.kind: must be one of ntfy, slack, telegram'],
    [{ escape: { via: VIA, after: '1s' } }, 'escape.after: must be between 10s and 1d, not 1s'],
  ]);
  for (const pattern of ['(', '[', '\\', '{'])
    expectErrors('accounts.default.permanent_errors[1]: is not a regular expression', account, [
      [{ permanent_errors: ['fine', pattern] }, ''],
    ]);
});

it('what is wrong is said of the address of notifications, unless it is https or on this machine', () => {
  for (const url of [
    'http://example.com/x',
    'http://127.0.0.1.example/x',
    'ftp://example.com',
    'https://user:pass@example.com',
    'https://example.com/#x',
    'nowhere',
  ])
    expectErrors('accounts.default.notify.url: must be an https URL', account, [[{ notify: { url } }, '']]);
  for (const url of ['http://localhost:8790/x', 'http://127.0.0.2/x', 'http://[::1]/x'])
    expect(account({ notify: { url } })).toEqual([]);
});

it('what is wrong is said of a rotation', () => {
  const from = '2026-11-23T09:00'; // fixed date: never compared with a clock
  const RIGHT = { order: ['anna', 'ben'], every: '1w', from, timezone: 'Europe/Berlin' };
  const people = { anna: '4915112345678', ben: { phone: '4915112345679' } };
  const errors = (rotation: object, list: object = { people }) =>
    errorsOf({ recipients: { rota: { ...list, rotation: { ...RIGHT, ...rotation } } } });
  const LOCAL = 'must be a date and time in the time zone of the rotation';
  const TURN = 'must be a number of days or weeks, such as `1w` or `2d`, at most 366d';
  const overlap = [...override('05T00', '08T00').overrides, ...override('01T00', '06T00', 'anna').overrides];
  const touching = [...override('03T00', '04T00').overrides, ...override('02T00', '03T00').overrides];
  expect(errors({ ...shift({ days: ['sat'] }), overrides: touching })).toEqual([]);
  expectErrors('recipients.rota.rotation.', errors, [
    [{ order: [] }, 'order: must not be empty'],
    [{ order: ['Anna'] }, 'order[0]: there is no person `Anna`; did you mean `anna`?'],
    [shift({ order: ['zoe'] }), 'shifts[0].order[0]: there is no person `zoe`; there are anna, ben'],
    [shift({ from: '08:00' }), 'shifts[0].to: must differ from `from` (a whole day is "00:00" to "24:00")'],
    [override('01T00', '02T00', 'zoe'), 'overrides[0].person: there is no person `zoe`'],
    [override('02T00', '01T00'), 'overrides[0].to: must be after `from`'],
    [override('01T00', '01T00'), 'overrides[0].to: must be after `from`'],
    [{ overrides: overlap }, 'overrides[0].from: overlaps with override 2 (anna, until 2026-12-06T00:00)'], // fixed date: in an error
    [{ from: '2026-02-30T09:00' }, `from: ${LOCAL}`], // fixed date: in no calendar
    [{ from: `${from}+01:00` }, `from: ${LOCAL}`],
    [{ timezone: 'Europe/Berlyn' }, 'timezone: must be an IANA time zone such as Europe/Berlin'],
    [{ timezone: undefined }, 'timezone: is required'],
    [{ every: '12h' }, `every: ${TURN}`],
    [{ every: '53w' }, `every: ${TURN}`],
    [{ every: 7 }, `every: ${TURN}`],
  ]);
  expect(errors({}, { people, numbers: ['4915112345670'] })[0]).toContain('have no turn in a `rotation`');
  expect(errors({}, { people: {} })[0]).toContain('there is no person `anna`; there are none yet');
});

it('the name of a document is letters, digits, `-` and `_`, whatever an object has of its own', () => {
  for (const name of ['a', 'A-b_9', 'x'.repeat(64), 'constructor', 'toString', 'valueOf']) {
    const { sources } = documentsOf(setOf({ sources: named(name, open()) }));
    expect(sources.errors(name)).toEqual([]);
    expect(rightOnes(sources).map(([right]) => right)).toEqual([name]);
  }
  for (const name of ['', 'a b', 'a/b', '-a', 'ä', 'x'.repeat(65), '__proto__', 'a.b'])
    expect(errorsOf({ sources: named(name, open()) })).toEqual([
      expect.stringContaining('the name must be letters, digits, `-` and `_`, 64 at most'),
    ]);
});

it('the name of an account is stricter, as it becomes part of names of secrets, and that of a recipients list is not like a number', () => {
  for (const name of ['Sales', '1st', 'x'.repeat(33), '__proto__'])
    expect(errorsOf({ accounts: named(name, {}) })[0]).toContain('must be lower-case letters, digits');
  expect(errorsOf({ accounts: { 'eu-west': {}, eu_west: {} } })).toEqual([
    'accounts.eu_west: would read the same secrets as the account `eu-west`: give it another name',
  ]);
  const list = { numbers: [] };
  expect(errorsOf({ recipients: { '4915112345678': list } })[0]).toContain('must not look like a number');
  expect(errorsOf({ recipients: { '24h': list, '112': list } })).toEqual([]);
});

it('the documents of a set are all checked: one that is wrong does not hide another', () => {
  const documents = { sources: { a: null, b: open() }, templates: { t: {} }, recipients: { r: {} } };
  const errors = errorsOf({ ...documents, accounts: { default: [] } });
  expect(errors.map((error) => error.split(':')[0])).toEqual([
    'sources.a',
    'templates.t.kind',
    'recipients.r.numbers',
    'accounts.default',
  ]);
});

it('the documents of a set keep their names even when they are wrong, so that who names them is not wrong as well', () => {
  const { templates } = documentsOf(setOf({ templates: { t: {} } }));
  expect(templates.names).toEqual(['t']);
  expect(templates.has('t')).toBe(true);
  expect(templates.get('t')).toBeUndefined();
  expect(rightOnes(templates)).toEqual([]);
  expect(templates.get('constructor')).toBeUndefined();
  expect(templates.errors('constructor')).toEqual([]);
});

it('a name that stands for nothing is answered with the one that was meant, or some of those that there are', () => {
  expect(unknownName('template', 'piad', ['paid', 'payment'])).toMatch(/`piad`; did you mean `paid`\?$/);
  expect(unknownName('account', 'constructor', ['default', 'sales'])).toMatch(/; there are default, sales$/);
  expect(unknownName('account', 'x', ['default'])).toMatch(/; there is default$/);
  expect(unknownName('template', 'x', [])).toMatch(/; there are none yet$/);
  const many = Array.from({ length: 500 }, (_, n) => `list-${n}`);
  expect(unknownName('recipients list', 'qqqqqqqq', many)).toMatch(/list-11 …$/);
});

const issuesOf = (schema: z.core.$ZodType, input: unknown, path = 'shop') =>
  (z.safeParse(schema, input).error?.issues ?? []).flatMap((issue) => issueErrors(path, issue));

const text = z.string({ error: 'must be text' });
const nested = strictDocument({ routes: z.array(strictDocument({ to: z.array(text) })) });
const flat = strictDocument({ template: z.optional(text), send: z.optional(text) });

it('an error has its path as a person would write it', () => {
  const [first] = issuesOf(nested, { routes: [{ to: [] }, { to: ['a', 5] }] });
  expect(first).toMatchObject({ path: 'shop.routes[1].to[1]', message: 'must be text' });
  expect(issuesOf(nested, { routes: [{ to: [5] }] }, '')[0]?.path).toBe('routes[0].to[0]');
  expect(issuesOf(nested, { root: [], routes: [] }, '')[0]?.path).toBe('root');
});

it('an error is one for each unknown key, whatever characters it is made of, and never repeats it at any length', () => {
  const key = fc.oneof(fc.string(), fc.constantFrom('a. b', 'a\nb', '`', '__proto__', 'constructor', ''));
  fc.assert(
    fc.property(fc.uniqueArray(key, { minLength: 1, maxLength: 4 }), (keys) => {
      const unknown = keys.filter((name) => name !== 'template' && name !== 'send');
      const errors = issuesOf(
        flat,
        JSON.parse(`{${unknown.map((one) => `${JSON.stringify(one)}:1`).join()}}`),
      );
      expect(errors).toHaveLength(unknown.length);
      for (const { message } of errors)
        expect(message).toMatch(/^unknown key `.*`; (known keys: |did you mean )/);
    }),
  );
  const [error] = issuesOf(flat, { ['x'.repeat(10_000)]: 1 });
  expect(error?.path.length).toBeLessThan(100);
  expect(error?.message.length).toBeLessThan(200);
});

it('an error of a union is that of the member that came furthest, or names all of it', () => {
  const object = strictDocument({ per_minute: z.int({ error: 'must be a number' }) });
  const rate = z.union([z.literal(false), object], { error: 'must be `{ per_minute }`, or false' });
  expect(issuesOf(rate, { per_minute: 'x' })).toMatchObject([
    { path: 'shop.per_minute', message: 'must be a number' },
  ]);
  expect(issuesOf(rate, 30)).toMatchObject([{ path: 'shop', message: 'must be `{ per_minute }`, or false' }]);
});
