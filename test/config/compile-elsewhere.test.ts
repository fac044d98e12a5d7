import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { errorsOf, open, routeErrors, routeWith, setOf } from './support.ts';

const AT = 'sources.shop.routes[0]';
const accounts = { sales: {}, topics: { gateway: 'ntfy' }, chats: { gateway: 'telegram' } };

const send = (account: string, more: object = {}) => ({
  kind: 'text',
  message: 'x',
  fallback: [{ kind: 'text', message: 'y', account, ...more }],
});

/** Sources of an account with topics, whose fallback goes to numbers. */
const toNumbers = (to: string) => ({
  shop: open({ account: 'topics', routes: [routeWith({ to, send: send('default') })] }),
});

const ANNA = { phone: '4915112345678', address: { ntfy: 'anna-k3x9q2vb', telegram: '7215550100' } };

describe('a fallback of another account', () => {
  it.each([
    ['a number', '4915112345678', 'sales'],
    ['a number from the payload', '{{ payload.phone }}', 'sales'],
    ['a list of numbers', 'team', 'sales'],
    ['a person with a number and an address', 'people', 'topics'],
    ['one person of a list', 'people/anna', 'topics'],
    ['the account of the route itself', '{{ payload.phone }}', 'default'],
  ])('takes %s', (_, to, account) => {
    const recipients = { team: { numbers: ['4915112345678'] }, people: { people: { anna: ANNA } } };
    expect(routeErrors({ to, send: send(account, { after: '5m' }) }, { accounts, recipients })).toEqual([]);
  });

  it.each([
    [
      'a number',
      '4915112345678',
      'topics',
      '`4915112345678` has no topic, which account `topics` needs: name a recipients list whose people have one: `people: { anna: { address: { ntfy: "…" } } }`. A fallback names that account',
    ],
    ['a receiver from the payload', '{{ payload.phone }}', 'topics', '`{{ payload.phone }}` has no topic'],
    ['numbers of a list', 'team', 'topics', '`numbers` of the list `team` has no topic'],
    ['a person without its address', 'half', 'topics', '`ben` of the list `half` has no topic'],
    ['a person with a wrong address', 'wrong', 'topics', '`carl` of the list `wrong` has no topic'],
  ])('that cannot reach %s is refused', (_, to, account, why) => {
    const recipients = {
      team: { numbers: ['4915112345678'] },
      half: { people: { ben: '4915187654321' } },
      wrong: { people: { carl: { phone: '4915112345678', address: { ntfy: 'two words' } } } },
    };
    const [error, ...more] = routeErrors({ to, send: send(account) }, { accounts, recipients });
    expect(error).toContain(`${AT}.to: ${why}`);
    expect(more).toEqual([]);
  });

  it('that sends to numbers refuses a route to addresses, unless their people have both', () => {
    const recipients = { people: { people: { anna: ANNA } } };
    expect(errorsOf({ accounts, recipients, sources: toNumbers('people') })).toEqual([]);
    expect(errorsOf({ accounts, recipients, sources: toNumbers('shop-k3x9q2') })).toEqual([
      `${AT}.to: \`shop-k3x9q2\` has no phone number, which account \`default\` needs: name a recipients list whose people have a \`phone\`. A fallback names that account`,
    ]);
  });

  it('never sends to a topic that has the name of a number', () => {
    const recipients = { people: { people: { anna: ANNA } } };
    const route = routeWith({ to: 'people', send: send('topics') });
    const { config } = compileConfig(
      setOf({ accounts, recipients, sources: { shop: open({ routes: [route] }) } }),
      1,
    );
    const elsewhere = config.sources.get('shop')?.routes[0]?.elsewhere.get('topics');
    expect(elsewhere).toEqual({
      receivers: new Map([['4915112345678', 'anna-k3x9q2vb']]),
      isSame: false,
    });
  });

  it.each([
    ['in a route', { send: send('sails') }, {}, `${AT}.send.fallback[0].account`],
    [
      'in a digest',
      { incident: { key: 'x' }, digest: send('sails') },
      {},
      `${AT}.digest.fallback[0].account`,
    ],
    ['in a template', {}, { templates: { one: send('sails') } }, 'templates.one.fallback[0].account'],
  ])('names one that exists (%s)', (_, change, more, path) => {
    const errors = routeErrors(change, { accounts, ...more });
    expect(errors).toEqual([
      expect.stringContaining(`${path}: there is no account \`sails\`; there are default, sales`),
    ]);
  });

  it('refuses a status where that gateway has none', () => {
    const status = {
      kind: 'status',
      text: 'x',
      fallback: [{ kind: 'status', text: 'y', account: 'topics' }],
    };
    expect(routeErrors({ to: undefined, send: status }, { accounts })[0]).toContain(
      'sends a status, but ntfy (account `topics`) cannot. A fallback names that account',
    );
  });

  it('alone may be sent before the message is dead', () => {
    const lone = { kind: 'text', message: 'x', fallback: [{ kind: 'text', message: 'y', after: '5m' }] };
    expect(routeErrors({ send: lone })).toEqual([
      `${AT}.send.fallback[0].after: needs another \`account\`: this one would not send it any sooner`,
    ]);
  });
});
