import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ask } from '../../../cli/ask.ts';
import type { CommandResult } from '../../../cli/failure.ts';
import { makePlan, type GivenOptions } from '../../../cli/init/ask.ts';
import { accountSecrets, addressWarning, askGateway, type Destination } from '../../../cli/init/gateway.ts';
import { withOwnLists } from '../../../cli/init/lists.ts';
import { earlierAnswers } from '../../../shared/new-source/earlier.ts';
import type { SourcePlan } from '../../../shared/new-source/plan.ts';
import { compileConfig } from '../../../src/config/compile.ts';
import { EMPTY_SET, type ConfigSet } from '../../../src/config/schema.ts';
import { MAKERS } from '../../../src/gateway/makers/makers.ts';
import type { RandomBytes } from '../../../src/lib/id.ts';
import { OPTIONS, receiverOf } from '../../gateway/makers/secrets.ts';
import { withDocuments } from './new-source.ts';

const MACHINE = { relay: 'https://relay.example', lang: undefined, timezone: 'UTC' };
const GIVEN: GivenOptions = { country: 'DE', locale: 'de-DE', timezone: 'Europe/Berlin' };

const errorOf = (done: CommandResult<unknown>): string => (done.ok ? '' : done.error.message);

/** Bytes that are all the same. */
const same =
  (byte: number): RandomBytes =>
  (count) =>
    new Uint8Array(count).fill(byte);

async function destination(given: GivenOptions, set: ConfigSet = EMPTY_SET, ask: Ask | null = null) {
  const asked = await askGateway(given, ask, set);
  if (!asked.ok) throw new Error(asked.error.message);
  return asked.value;
}

async function planFor(
  given: GivenOptions & { provider: string },
  to: Destination,
  set = EMPTY_SET,
  bytes = same(7),
) {
  const made = await makePlan({ ...GIVEN, ...given }, null, MACHINE, earlierAnswers(set), to, bytes);
  if (!made.ok) throw new Error(made.error.message);
  const own = await withOwnLists(made.value, set, null);
  if (!own.ok) throw new Error(own.error.message);
  return own.value;
}

/** The set after `init`. */
async function afterInit(given: GivenOptions & { provider: string }, set = EMPTY_SET, bytes = same(7)) {
  const plan = await planFor(given, await destination(given, set), set, bytes);
  return { plan, set: withDocuments(plan, set) };
}

const settingsFor = (id: string): readonly string[] => [
  ...(MAKERS.find((maker) => maker.id === id)?.baseUrl === null ? ['base_url=https://chat.example'] : []),
  ...Object.entries(OPTIONS[id] ?? {}).map(([name, value]) => `${name}=${value}`),
];

describe('where the messages of a new source go', () => {
  it('is the existing account when nobody can be asked, and no document is written', async () => {
    const { plan, set } = await afterInit({ provider: 'grafana', to: ['+49 171 3920001'] });
    expect([set.accounts, plan.account]).toEqual([{}, undefined]);
  });

  it('may be any gateway: account, list and source can be published together', async () => {
    for (const { id, shape } of MAKERS) {
      const to = [shape.receiver === 'phone' ? '+49 171 3920001' : receiverOf(id)];
      const given = { provider: 'grafana', gateway: id, gatewayOption: settingsFor(id), to };
      const { plan, set } = await afterInit(given);
      expect([id, compileConfig(set, 0).errors]).toEqual([id, []]);
      expect(set.sources['grafana']).toMatchObject({ account: id });
      const prefix = `GATEWAY_${id.toUpperCase().replace('-', '_')}`;
      const secrets = (shape.secrets ?? []).map((end) => `${prefix}_${end}`);
      expect(accountSecrets(plan).map(({ name }) => name)).toEqual(secrets);
    }
  });

  it('is an account of that gateway if there is one, under whatever name', async () => {
    const accounts = { alarms: { gateway: 'telegram' }, ntfy: { gateway: 'telegram' } };
    const set = { ...EMPTY_SET, accounts };
    expect((await destination({ gateway: 'telegram' }, set)).account).toBe('alarms');
    expect(await destination({ gateway: 'ntfy' }, set)).toMatchObject({
      account: 'ntfy-2',
      newAccount: { name: 'ntfy-2', value: { gateway: 'ntfy' } },
    });
  });

  it('is refused with the reason', async () => {
    for (const [given, why] of [
      [{ gateway: 'nfty' }, 'did you mean `ntfy`?'],
      [{ gateway: 'http' }, 'no account declares it yet'],
      [{ gateway: 'waha' }, '--gateway-option base_url=… is needed'],
      [{ gateway: 'waha', gatewayOption: ['base_url=chat'] }, 'must be an http(s) address'],
      [{ gateway: 'ntfy', gatewayOption: ['topic=x'] }, 'there is no setting `topic`'],
      [{ gateway: 'v2', gatewayOption: ['x=y'] }, 'exists already'],
      [{ gatewayOption: ['x'] }, 'must be name=value'],
    ] as const)
      expect(errorOf(await askGateway(given, null, EMPTY_SET))).toContain(why);
  });
});

describe('the receivers of a gateway with addresses', () => {
  it('are one topic of 100 random bits if nobody names one, with a warning that who guesses it reads along', async () => {
    const { plan } = await afterInit({ provider: 'grafana', gateway: 'ntfy' });
    const [topic = ''] = plan.addresses?.all ?? [];
    expect(topic).toMatch(/^hookbell-[0-9a-z]{20}$/);
    expect(addressWarning(plan)).toContain(`subscribe to ${topic}`);
    expect(addressWarning(plan)).toContain('guesses a public topic can read its messages');
  });

  it('differ with the random bytes in each of its characters', async () => {
    const to = await destination({ gateway: 'ntfy' });
    const topicOf = async (bytes: RandomBytes) =>
      (await planFor({ provider: 'grafana', gateway: 'ntfy' }, to, EMPTY_SET, bytes)).addresses?.all[0];
    await fc.assert(
      fc.asyncProperty(fc.nat(19), fc.nat(31), fc.nat(31), async (at, one, other) => {
        const changed: RandomBytes = (count) => same(one)(count).with(at, other);
        expect((await topicOf(same(one))) === (await topicOf(changed))).toBe(one === other);
      }),
      { numRuns: 20 },
    );
  });

  it('are those of the earlier source on that gateway, so that one topic is enough', async () => {
    const first = await afterInit({ provider: 'grafana', gateway: 'ntfy' });
    const second = await afterInit({ provider: 'pingdom', gateway: 'ntfy' }, first.set, same(9));
    expect(second.plan.addresses).toEqual(first.plan.addresses);
    expect(second.plan.newAccount).toBeUndefined();
    expect(compileConfig(second.set, 0).errors).toEqual([]);
  });

  it('get a list of their own beside one of phone numbers, and the other way round', async () => {
    const phones = { provider: 'grafana', to: ['+49 171 3920001'] };
    const topics = { provider: 'pingdom', gateway: 'ntfy' };
    for (const [first, second] of [
      [phones, topics],
      [topics, phones],
    ] as const) {
      const { set } = await afterInit(second, (await afterInit(first)).set);
      expect(compileConfig(set, 0).errors).toEqual([]);
      expect(Object.keys(set.recipients)).toHaveLength(2);
    }
  });

  it('are added to the list of an earlier run, each once', async () => {
    const { set } = await afterInit({ provider: 'grafana', gateway: 'ntfy', to: ['topic-a'] });
    const both = { provider: 'grafana', gateway: 'ntfy', to: ['topic-a,topic-b'] };
    const more = await afterInit(both, set);
    expect(Object.values(more.set.recipients)).toEqual([
      {
        people: {
          'person-1': { address: { ntfy: 'topic-a' } },
          'person-2': { address: { ntfy: 'topic-b' } },
        },
      },
    ]);
    expect((await afterInit(both, more.set)).set).toEqual(more.set);
  });

  it('are refused with the reason', async () => {
    for (const [given, why] of [
      [{ provider: 'grafana', gateway: 'ntfy', to: ['+49 171 3920001'] }, 'is not a topic'],
      [{ provider: 'grafana', gateway: 'telegram' }, 'Give --to with a chat id'],
      [{ provider: 'stripe', gateway: 'ntfy', customers: true }, 'customers have phone numbers'],
    ] as const) {
      const to = await destination(given);
      const made = await makePlan({ ...GIVEN, ...given }, null, MACHINE, earlierAnswers(EMPTY_SET), to);
      expect(errorOf(made)).toContain(why);
    }
  });

  it('never are what a payload says: such routes are left out, also of the comments', async () => {
    for (const provider of ['stripe', 'shopify', 'html-form', 'generic', 'supabase-auth-hooks']) {
      const form = provider === 'html-form' ? { page: 'https://a.example' } : {};
      const given = { provider, gateway: 'ntfy', ...form };
      const to = await destination(given);
      const made = await makePlan({ ...GIVEN, ...given }, null, MACHINE, earlierAnswers(EMPTY_SET), to);
      if (!made.ok) expect(made.error.message).toContain('only to customers');
      else {
        const { starter }: SourcePlan = made.value;
        const routes = [...starter.routes, ...(starter.left ?? []).map(({ route }) => route)];
        expect(routes.length).toBeGreaterThan(0);
        expect(JSON.stringify(routes.map((route) => route['to']))).not.toContain('{{');
      }
    }
  });
});
