import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { GivenOptions } from '../../../cli/init/ask.ts';
import { accountSecrets, addressWarning, askGateway } from '../../../cli/init/gateway.ts';
import type { SourcePlan } from '../../../shared/new-source/plan.ts';
import { EMPTY_SET } from '../../../src/config/documents/schema.ts';
import { MAKERS } from '../../../src/gateway/makers/makers.ts';
import type { RandomBytes } from '../../../src/lib/id.ts';
import { OPTIONS, receiverOf } from '../../gateway/makers/secrets.ts';
import { afterInit, BERLIN, planOf, valueOf, valueOrWhy, type Given } from './new-source.ts';

/** Bytes that are all the same. */
const same =
  (byte: number): RandomBytes =>
  (count) =>
    new Uint8Array(count).fill(byte);

const PHONES: Given = { provider: 'grafana', to: ['+49 171 3920001'] };
const NTFY = { provider: 'grafana', gateway: 'ntfy' };

const settingsFor = (id: string): readonly string[] => [
  ...(MAKERS.find((maker) => maker.id === id)?.baseUrl === null ? ['base_url=https://chat.example'] : []),
  ...Object.entries(OPTIONS[id] ?? {}).map(([name, value]) => `${name}=${value}`),
];

it('where the messages of a new source go may be any gateway: account, list and source can be published together', async () => {
  for (const { id, shape } of MAKERS) {
    const to = [shape.receiver === 'phone' ? '+49 171 3920001' : receiverOf(id)];
    const given = { provider: 'grafana', gateway: id, gatewayOption: settingsFor(id), to };
    const { plan, set } = await afterInit(given);
    expect(set.sources['grafana']).toMatchObject({ account: id });
    const prefix = `GATEWAY_${id.toUpperCase().replace('-', '_')}`;
    const secrets = (shape.secrets ?? []).map((end) => `${prefix}_${end}`);
    expect(accountSecrets(plan).map(({ name }) => name)).toEqual(secrets);
  }
});

it('where the messages of a new source go is an account of that gateway if there is one, under whatever name', async () => {
  const accounts = { alarms: { gateway: 'telegram' }, ntfy: { gateway: 'telegram' } };
  const to = async (gateway: string) =>
    valueOf(await askGateway({ gateway }, null, { ...EMPTY_SET, accounts }));
  expect((await to('telegram')).account).toBe('alarms');
  const newAccount = { name: 'ntfy-2', value: { gateway: 'ntfy' } };
  expect(await to('ntfy')).toMatchObject({ account: 'ntfy-2', newAccount });
});

it('a gateway, or who gets its messages, is refused with the reason', async () => {
  const rows: readonly (readonly [GivenOptions, string])[] = [
    [{ gateway: 'nfty' }, 'did you mean `ntfy`?'],
    [{ gateway: 'http' }, 'no account declares it yet'],
    [{ gateway: 'waha' }, '--gateway-option base_url=… is needed'],
    [{ gateway: 'waha', gatewayOption: ['base_url=chat'] }, 'must be an http(s) address'],
    [{ gateway: 'ntfy', gatewayOption: ['topic=x'] }, 'there is no setting `topic`'],
    [{ gateway: 'v2', gatewayOption: ['x=y'] }, 'exists already'],
    [{ gatewayOption: ['x'] }, 'must be name=value'],
    [{ ...NTFY, to: ['+49 171 3920001'] }, 'is not a topic'],
    [{ gateway: 'telegram' }, 'Give --to with a chat id'],
    [{ ...NTFY, provider: 'stripe', customers: true }, 'customers have phone numbers'],
  ];
  for (const [given, why] of rows)
    expect(valueOrWhy(await planOf({ ...BERLIN, provider: 'grafana', ...given }))).toContain(why);
});

it('the receivers of a gateway with addresses are one topic of 100 random bits if nobody names one, with a warning that who guesses it reads along', async () => {
  const { plan } = await afterInit(NTFY);
  const [topic = ''] = plan.addresses?.all ?? [];
  expect(topic).toMatch(/^hookbell-[0-9a-z]{20}$/);
  expect(addressWarning(plan)).toContain(`subscribe to ${topic}`);
  expect(addressWarning(plan)).toContain('guesses a public topic can read its messages');
});

const topicOf = async (bytes: RandomBytes) =>
  valueOf(await planOf({ ...BERLIN, ...NTFY }, { bytes })).addresses?.all[0];

it('the receivers of a gateway with addresses differ with the random bytes in each of its characters', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(19), fc.nat(31), fc.nat(31), async (at, one, other) => {
      const changed: RandomBytes = (count) => same(one)(count).with(at, other);
      expect((await topicOf(same(one))) === (await topicOf(changed))).toBe(one === other);
    }),
    { numRuns: 20 },
  );
});

it('the receivers of a gateway with addresses are those of the earlier source on that gateway, so that one topic is enough', async () => {
  const first = await afterInit(NTFY);
  const second = await afterInit({ ...NTFY, provider: 'pingdom' }, first.set, { bytes: same(9) });
  expect(second.plan.addresses).toEqual(first.plan.addresses);
  expect(second.plan.newAccount).toBeUndefined();
});

it('the receivers of a gateway with addresses get a list of their own beside one of phone numbers, and the other way round', async () => {
  const topics = { ...NTFY, provider: 'pingdom' };
  for (const [first, second] of [
    [PHONES, topics],
    [topics, PHONES],
  ] as const) {
    const { set } = await afterInit(second, (await afterInit(first)).set);
    expect(Object.keys(set.recipients)).toHaveLength(2);
  }
});

it('the receivers of a gateway with addresses are added to the list of an earlier run, each once', async () => {
  const { set } = await afterInit({ ...NTFY, to: ['topic-a'] });
  const both = { ...NTFY, to: ['topic-a,topic-b'] };
  const more = await afterInit(both, set);
  const [one, two] = [{ address: { ntfy: 'topic-a' } }, { address: { ntfy: 'topic-b' } }];
  const people = { 'person-1': one, 'person-2': two };
  expect(Object.values(more.set.recipients)).toEqual([{ people }]);
  expect((await afterInit(both, more.set)).set).toEqual(more.set);
});

it('the receivers of a gateway with addresses never are what a payload says: such routes are left out, also of the comments', async () => {
  for (const provider of ['stripe', 'shopify', 'html-form', 'generic', 'supabase-auth-hooks']) {
    const form = provider === 'html-form' ? { page: 'https://a.example' } : {};
    const made = await planOf({ ...BERLIN, provider, gateway: 'ntfy', ...form });
    if (!made.ok) expect(made.error.message).toContain('only to customers');
    else {
      const { starter }: SourcePlan = made.value;
      const { routes: used, left = [] } = starter;
      const routes = [...used, ...left.map(({ route }) => route)];
      expect(routes.length).toBeGreaterThan(0);
      expect(JSON.stringify(routes.map((route) => route['to']))).not.toContain('{{');
    }
  }
});
