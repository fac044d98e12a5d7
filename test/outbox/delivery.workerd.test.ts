import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { MessageKind } from '../../src/gateway/kinds.ts';
import { V2 } from '../../src/gateway/shape.ts';
import { withTimeout } from '../../src/lib/wait.ts';
import type { MessageView } from '../../src/answers/api-message.ts';
import { NET_MS } from '../../src/outbox/loop.ts';
import { callGateway } from '../../src/outbox/send/call-gateway.ts';
import { Checkpoint } from '../../src/outbox/send/claims.ts';
import type { Acceptance } from '../../src/outbox/state/acceptance.ts';
import { messageRow } from '../../src/outbox/state/message.ts';
import { eventually } from '../eventually.ts';
import { callsTo, script } from '../integration/relay.ts';
import { connectedOutbox, publishConnected } from './connected.ts';
import { diskOf } from './full-disk.ts';
import { messageSample } from './samples.ts';
import { accepted, draft, HOUR, SECOND, UNPACED } from './support.ts';

type Stub = ReturnType<typeof connectedOutbox>;

let lastPhone = 4_915_112_348_000;
/** A receiver that no other test has. */
const newPhone = (): string => String((lastPhone += 1));

const one = (phone: string, key?: string): Acceptance => ({
  event: accepted({ dedupe: key === undefined ? null : { key, windowMs: HOUR } }),
  messages: [draft({ phone })],
});

/** The message once it is in this state. */
const becomes = (
  stub: Pick<Stub, 'readMessage'>,
  id: string | undefined,
  state: string,
): Promise<MessageView | null> =>
  eventually(async () => {
    const message = await stub.readMessage(id ?? '');
    expect(message?.state).toBe(state);
    return message;
  });

const isCalled = (phone: string, times = 1): Promise<void> =>
  eventually(async () => expect(await callsTo(phone)).toHaveLength(times));

/** An outbox that has read its configuration, as any has that sent a moment ago. */
async function warm(): Promise<Stub> {
  const stub = connectedOutbox();
  const { messages } = await stub.accept(one(newPhone()));
  await becomes(stub, messages[0], 'sent');
  // A commit that is on its way to disk takes the next webhook along only when it is there.
  await runInDurableObject(stub, (_, { storage }) => storage.sync());
  return stub;
}

const alarmAt = (stub: Stub): Promise<number | null> =>
  runInDurableObject(stub, (_, { storage }) => storage.getAlarm());

const inFlight = (storage: DurableObjectStorage): readonly (string | null | undefined)[] =>
  (new Checkpoint(storage).last?.flight ?? []).map(({ seq }) => messageRow(storage, seq)?.phone);

beforeAll(() => {
  const escape = { after: '1h', via: { kind: 'webhook', secret: 'NOTIFY_ESCAPE' } };
  return publishConnected({ rate: false, per_recipient: false, escape });
});

it('the commit that accepts a message claims it, so that its call goes out with the answer', async () => {
  const stub = await warm();
  // While the commit before it is on its way to disk, an acceptance waits for the next one: then another is tried.
  const phone = await eventually(async () => {
    const next = newPhone();
    await script(next, { failure: 'hang' });
    await runInDurableObject(stub, async (outbox, { storage }) => {
      const taken = outbox.accept(one(next));
      // Nothing was waited for yet.
      const phones = inFlight(storage);
      await taken;
      expect(phones).toContain(next);
    });
    return next;
  });
  await isCalled(phone);
});

it('an object that has read no configuration sends by the policy that the caller has read, and by its own then', async () => {
  const phone = newPhone();
  await script(phone, { failure: 'hang' });
  await runInDurableObject(connectedOutbox(), async (outbox, { storage }) => {
    const taken = outbox.accept(one(phone), JSON.stringify(UNPACED));
    expect(inFlight(storage)).toEqual([phone]);
    await taken;
  });
  await isCalled(phone);
  const stub = await warm();
  const stopped = JSON.stringify({ ...UNPACED, rate: { perMinute: 1, burst: 1 } });
  const { messages } = await runInDurableObject(stub, (outbox) => outbox.accept(one(newPhone()), stopped));
  await becomes(stub, messages[0], 'sent');
});

it.for([
  ['its own policy', undefined],
  ['that of the caller', { ...UNPACED, retryMs: [HOUR] }],
] as const)('an alarm is set for a retry’s moment once there is nothing else, by %s', async ([, policy]) => {
  const stub = connectedOutbox();
  const phone = newPhone();
  const headers = policy === undefined ? { 'retry-after': '3600' } : {};
  await script(phone, { failure: 'status', status: 429, headers });
  const { messages } = await runInDurableObject(stub, (outbox) =>
    outbox.accept(one(phone), JSON.stringify(policy)),
  );
  const message = await becomes(stub, messages[0], 'retrying');
  const at = Date.parse(message?.next_attempt_at ?? '');
  await eventually(async () => expect(await alarmAt(stub)).toBe(at));
});

it('an alarm during a run starts no second one, and is set again within half a minute', async () => {
  const stub = await warm();
  const phone = newPhone();
  await script(phone, { failure: 'hang' });
  const { messages } = await stub.accept(one(phone));
  await isCalled(phone);
  for (const _ of [1, 2]) await runDurableObjectAlarm(stub);
  expect((await stub.readMessage(messages[0] ?? ''))?.state).toBe('sending');
  const latest = Date.now() + NET_MS + 5 * SECOND;
  await eventually(async () => expect((await alarmAt(stub)) ?? Infinity).toBeLessThan(latest));
  expect(await callsTo(phone)).toHaveLength(1);
});

it('an object that crashed in the middle of a call looks at it without waiting for its alarm', async () => {
  const stub = await warm();
  const phone = newPhone();
  await script(phone, { failure: 'hang' });
  const { messages } = await stub.accept(one(phone));
  await isCalled(phone);
  await abortAllDurableObjects();
  // No alarm is run here: the first call starts the object, and that is enough.
  const message = await becomes(env.OUTBOX.getByName(stub.name ?? ''), messages[0], 'retrying');
  const detail = 'the relay stopped before the answer arrived';
  expect(message?.attempts).toMatchObject([{ n: 1, outcome: 'uncertain', detail }]);
});

const urgent = (phone: string): Acceptance => ({
  event: accepted(),
  messages: [draft({ phone, priority: 'high' })],
});

it.for<[string, number, readonly string[]]>([
  // The group is written one by one then.
  ['once: all are accepted', 1, ['fulfilled', 'fulfilled']],
  ['twice: that one is refused', 2, ['rejected', 'fulfilled']],
])(
  'while the disk is full for the escape of one webhook %s, and what is accepted is sent',
  async ([, fails, expected]) => {
    const phones = [newPhone(), newPhone(), newPhone()];
    await runInDurableObject(await warm(), async (outbox, { storage }) => {
      const disk = diskOf(storage.sql, (query) => query.includes('INTO escapes'));
      // The two share a commit: the one before is on its way to the disk.
      const commit = outbox.accept(urgent(newPhone()));
      disk.fails = fails;
      const [first = '', second = '', later = ''] = phones;
      const answers = await Promise.allSettled([first, second].map((phone) => outbox.accept(urgent(phone))));
      await commit;
      expect(answers.map(({ status }) => status)).toEqual(expected);
      expect(disk.fails).toBe(0);
      await outbox.accept(urgent(later));
    });
    const wanted = [...expected, 'fulfilled'].map((answer) => (answer === 'fulfilled' ? 1 : 0));
    for (const [at, phone] of phones.entries()) await isCalled(phone, wanted[at]);
  },
);

const POLICY = { gateway: V2, timeoutMs: 60_000 };
const call = (account: string, over: Parameters<typeof messageSample>[0], environment = env) =>
  callGateway(environment, { account, tag: 'abcdefg' }, messageSample(over), POLICY, {
    withTimeout,
    now: Date.now,
  });

it('a call is made with the login of its account, and not without one', async () => {
  const phone = newPhone();
  expect(await call('sales', { seq: 1, phone })).toMatchObject({ outcome: 'sent', http_status: 200 });
  expect((await callsTo(phone))[0]?.params).toMatchObject({ message: 'hello' });
  const params = { names: expect.stringContaining('GATEWAY_NOBODY_API_KEY') as unknown };
  const unknown = await call('nobody', { seq: 1, phone: newPhone() });
  expect(unknown).toMatchObject({ outcome: 'unauthorized', code: 'login-missing', params });
});

it('a call is not made when it can be none', async () => {
  const phone = newPhone();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a row of a version with more kinds
  const fax = { kind: 'fax' as MessageKind };
  for (const over of [fax, { phone: null }, { params: '{}' }]) {
    const result = await call('default', { seq: 1, phone, ...over });
    expect(result).toMatchObject({ outcome: 'rejected', code: 'not-sendable' });
  }
  expect(await callsTo(phone)).toEqual([]);
});

it('a call is uncertain when its connection is lost, and known not to have been made when nobody listens', async () => {
  for (const on_uncertain of ['retry', 'hold'] as const) {
    const phone = newPhone();
    await script(phone, { failure: 'reset' });
    expect(await call('default', { seq: 1, phone, on_uncertain })).toMatchObject({ outcome: 'uncertain' });
    expect(await callsTo(phone)).toHaveLength(1);
  }
  // Port 1 is nobody's.
  const nowhere = { ...env, GATEWAY_BASE_URL: 'http://127.0.0.1:1/api' };
  const held = { seq: 1, phone: newPhone(), on_uncertain: 'hold' } as const;
  expect(await call('default', held, nowhere)).toMatchObject({ outcome: 'unreachable' });
});
