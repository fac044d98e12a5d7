import { expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { errorsOf, expectErrors, open, routeErrors, routeOf, routeWith, setOf } from './support.ts';

const AT = 'sources.shop.routes[0]';
const templates = { paid: { kind: 'text', message: 'x' }, shout: { kind: 'status', text: 'x' } };
const recipients = { team: { numbers: ['4915112345678', '4915187654321'] } };
const text = (message: string) => ({ kind: 'text', message });
const failing = (change: object) => routeErrors(change, { templates, recipients });

const actions = (of: object) => failing({ incident: { key: '{{ payload.id }}' }, actions: of });

it('what a route sends is a template that exists, or written inline, and is reported where it is written when it is wrong, once', () => {
  const needs = ': needs exactly one of `template` (a name) and `send` (an inline template)';
  const send = undefined;
  expect(failing({ send, template: 'paid' })).toEqual([]);
  expectErrors(AT, failing, [
    [{ template: 'paid' }, needs],
    [{ send }, needs],
    [{ send, template: 'piad' }, '.template: there is no template `piad`; did you mean `paid`?'],
    [
      { send, template: 'constructor' },
      '.template: there is no template `constructor`; there are paid, shout',
    ],
  ]);
  const wrong = { templates: { paid: text('{{ payload.x | mony }}') } };
  const error = 'templates.paid.message: column 16: unknown filter "mony" (did you mean "money"?)';
  expect(routeErrors({ send: undefined, template: 'paid' }, wrong)).toEqual([error]);
  expect(errorsOf(wrong)).toEqual([error]);
});

it('what a route sends is checked as Liquid when it is published, with its fallbacks, and every wrong part is reported', () => {
  const poll = { kind: 'poll', question: '?', options: ['a', '{{ x }}'] };
  const fallback = (...all: readonly object[]) => ({ send: { ...text('x'), fallback: all } });
  expectErrors(`${AT}.`, failing, [
    [{ send: text('{{ pyload.x }}') }, 'send.message: column 4: unknown name "pyload" (did you mean'],
    [{ send: poll }, 'send.options[1]: column 4: unknown name "x"'],
    [{ when: 'payload.x ==' }, 'when: column 13: expected a value, found the end'],
    [{ each: 'payload.' }, 'each: column 9: expected a name right after the dot'],
    [{ to: '{{ payload.x | phne }}' }, 'to: column 16: unknown filter "phne" (did you mean "phone"?)'],
    [{ to: ['4915112345678', '{% if %}'] }, 'to[1]: column'],
    // These are known only when a notification is made.
    [{ when: 'count > 1' }, 'when: column 1: unknown name "count"'],
    [{ each: 'firing' }, 'each: column 1: unknown name "firing"'],
    [{ to: '{{ first.item.phone }}' }, 'to: column 4: unknown name "first"'],
    [fallback(text('{{ pyload.x }}')), 'send.fallback[0].message: column 4: unknown name "pyload"'],
    [fallback({ kind: 'status', text: 'x' }), 'send.fallback[0].kind: must be a `status` if, and only if,'],
    [fallback(), 'send.fallback: must not be empty'],
    [fallback(...Array<object>(4).fill(text('x'))), 'send.fallback: must have at most 3 templates'],
    [fallback({ ...text('x'), fallback: [] }), 'send.fallback[0].fallback: unknown key `fallback`'],
    [fallback({ kind: 'txt', message: 'x' }), 'send.fallback[0].kind: must be one of text'],
  ]);
  const errors = failing({ when: '==', each: '.', to: 'nobody', send: text('{{') });
  const paths = errors.map((error) => error.split(':')[0]);
  expect(paths).toEqual(['when', 'each', 'send.message', 'to'].map((key) => `${AT}.${key}`));
});

it('a route has the defaults that are written down for people, sends nothing that has expired by then, and has a silence in actions that may have one', () => {
  expect(routeOf({})).toMatchObject({
    when: null,
    each: null,
    stop: false,
    delivery: { delayMs: 0, expiresMs: null, onUncertain: 'retry', priority: 'normal' },
    maxLength: 4_096,
    overflow: 'truncate',
    alerting: null,
  });
  for (const expires of ['1m', '1h'])
    expect(failing({ delay: '1h', expires })).toEqual([
      `${AT}.expires: must be longer than \`delay\`, 1h: nothing would be sent`,
    ]);
  const delivery = { delayMs: 3_600_000, expiresMs: 7_200_000 };
  expect(routeOf({ delay: '1h', expires: '2h' }).delivery).toMatchObject(delivery);
  expectErrors(`${AT}.actions.`, actions, [
    [{ silence: {} }, 'silence.silence: is required: how long the silence lasts, such as `4h`, or the time'],
    [{ ack: { silence: '4h' } }, 'ack.silence: belongs to actions named `silence` or `silence_…`'],
  ]);
});

it('whom a route sends to is numbers, lists and templates, in the order in which they are written', () => {
  const to = ['4930123456', '+49 (0)30 / 123-456', 'team', '{{ payload.phone }}'];
  expect(routeOf({ to }, { recipients }).to).toMatchObject([
    { from: 'document', numbers: ['4930123456'] },
    { from: 'document', numbers: ['4930123456'] },
    { from: 'document', numbers: recipients.team.numbers },
    { from: 'payload', isGatewayDigits: false },
  ]);
  // What the filter `phone` made is not parsed again.
  for (const made of ['{{ payload.phone | phone }}', '{{ payload.phone | default: "1" | phone -}} '])
    expect(routeOf({ to: made }).to).toMatchObject([{ isGatewayDigits: true }]);
});

it('whom a route sends to is no list that is not there, no number without its country, and nobody for a status, by template or inline', () => {
  expectErrors(`${AT}.`, failing, [
    [{ to: undefined }, 'to: is required: a number, the name of a recipients list, or a template'],
    [{ to: 'taem' }, 'to: there is no recipients list `taem`; did you mean `team`?'],
    [{ to: ['4915112345678', 'nobody'] }, 'to[1]: there is no recipients list `nobody`; there is team'],
    [{ to: 'toString' }, 'to: there is no recipients list `toString`'],
    [{ to: '+49 151' }, 'to: "+491…" is too short for a phone number with its country code'],
    [{ to: '0151 12345678' }, 'to: "0151…" has no country code: begin with it, such as +49 151 12345678'],
  ]);
  // A list that is wrong itself is not reported as missing, too.
  expect(routeErrors({ to: 'team' }, { recipients: { team: { numbers: ['x'] } } })).toHaveLength(1);
  const refused = `${AT}.to: is refused here: a status goes to all contacts and has no receiver`;
  const inline = { kind: 'status', text: 'x' };
  expect(failing({ send: inline })).toEqual([refused]);
  expect(failing({ send: undefined, template: 'shout' })).toEqual([refused]);
  expect(routeOf({ send: inline, to: undefined }).to).toEqual([]);
});

const accounts = { sales: {}, topics: { gateway: 'ntfy' }, chats: { gateway: 'telegram' } };
const ANNA = { phone: '4915112345678', address: { ntfy: 'anna-k3x9q2vb', telegram: '7215550100' } };
const lists = {
  team: { numbers: ['4915112345678'] },
  people: { people: { anna: ANNA } },
  half: { people: { ben: '4915187654321' } },
  wrong: { people: { carl: { phone: '4915112345678', address: { ntfy: 'two words' } } } },
};

const toNumbers = (to: string) =>
  errorsOf({
    accounts,
    recipients: lists,
    sources: { shop: open({ account: 'topics', routes: [routeWith({ to, send: send('default') })] }) },
  });

const send = (account: string, more: object = {}) => ({
  ...text('x'),
  fallback: [{ ...text('y'), account, ...more }],
});

const errors = (to: string, account: string, more: object = {}) =>
  routeErrors({ to, send: send(account, more) }, { accounts, recipients: lists });

it('a fallback of another account takes receivers that both accounts reach', () => {
  for (const [to, account] of [
    ['4915112345678', 'sales'],
    ['{{ payload.phone }}', 'sales'],
    ['team', 'sales'],
    ['people', 'topics'],
    ['people/anna', 'topics'],
    ['{{ payload.phone }}', 'default'],
  ] as const)
    expect([to, errors(to, account, { after: '5m' })]).toEqual([to, []]);
});

it('a fallback of another account is refused where it cannot reach one, and never sends to a topic that has the name of a number', () => {
  expectErrors(`${AT}.to: `, (to: string) => errors(to, 'topics'), [
    ['4915112345678', '`4915112345678` has no topic, which account `topics` needs: name a recipients list'],
    ['{{ payload.phone }}', '`{{ payload.phone }}` has no topic'],
    ['team', '`numbers` of the list `team` has no topic'],
    ['half', '`ben` of the list `half` has no topic'],
    ['wrong', '`carl` of the list `wrong` has no topic'],
  ]);
  expect(toNumbers('people')).toEqual([]);
  expectErrors(`${AT}.to: `, toNumbers, [
    ['shop-k3x9q2', '`shop-k3x9q2` has no phone number, which account'],
  ]);
  const { elsewhere } = routeOf({ to: 'people', send: send('topics') }, { accounts, recipients: lists });
  const receivers = new Map([['4915112345678', 'anna-k3x9q2vb']]);
  expect(elsewhere.get('topics')).toEqual({ receivers, isSame: false });
});

it('a fallback of another account names one that exists and has the kind, and only it may be sent before the message is dead', () => {
  const missing = 'account: there is no account `sails`; there are default, sales';
  const status = {
    kind: 'status',
    text: 'x',
    fallback: [{ kind: 'status', text: 'y', account: 'topics' }],
  };
  expectErrors(AT, (change: object) => routeErrors(change, { accounts }), [
    [{ send: send('sails') }, `.send.fallback[0].${missing}`],
    [{ incident: { key: '{{ event.id }}' }, digest: send('sails') }, `.digest.fallback[0].${missing}`],
    [{ to: undefined, send: status }, ': sends a status, but ntfy (account `topics`) cannot'],
    [
      { send: { ...text('x'), fallback: [{ ...text('y'), after: '5m' }] } },
      '.send.fallback[0].after: needs another `account`: this one would not send it any sooner',
    ],
  ]);
  expectErrors('templates.one.fallback[0].', (one: object) => errorsOf({ accounts, templates: { one } }), [
    [send('sails'), missing],
  ]);
});

const warnings = (sources: Readonly<Record<string, readonly object[]>>): readonly string[] => {
  const documents = Object.entries(sources).map(([id, routes]) => [id, open({ routes })] as const);
  const { warnings: all, errors } = compileConfig(setOf({ sources: Object.fromEntries(documents) }), 1);
  expect(errors).toEqual([]);
  return all
    .map(({ path, message }) => `${path}: ${message}`)
    .filter((line) => line.includes('inhibited_by'));
};

const route = (name: string, key: string, inhibited_by?: string) =>
  routeWith({ name, incident: { key, ...(inhibited_by !== undefined && { inhibited_by }) } });

it('incidents that inhibit each other are warned about at each of them, with the way that leads back, but not where a chain has an end', () => {
  const shop = [route('web', 'down', 'infra/db/down')];
  const circle = warnings({
    shop,
    infra: [route('db', 'down', 'net/down'), route('net', 'down', 'shop/web/down')],
  });
  expect(circle).toHaveLength(3);
  expect(circle[0]).toContain(
    `${AT}.incident.inhibited_by: leads back to its own incident: \`shop/web/down\` → \`infra/db/down\` → \`infra/net/down\` → \`shop/web/down\``,
  );
  expect(warnings({ shop: [route('web', 'down', 'down')] })).toEqual([
    `${AT}.incident.inhibited_by: names its own incident, \`shop/web/down\`, which inhibits nothing`,
  ]);
  const infra = [route('db', 'down', 'shop/web/down'), route('net', 'down', 'infra/db/down')];
  expect(warnings({ shop: [route('web', 'down', 'db/down')], infra })).toEqual([]);
  const back = route('db', 'down', 'web/down');
  for (const shop of [
    [route('web', 'down', 'db/down'), route('db', 'down')],
    [route('web', '{{ payload.id }}', 'db/down'), back],
    [route('web', 'down', 'db/{{ payload.id }}'), back],
  ])
    expect(warnings({ shop })).toEqual([]);
});
