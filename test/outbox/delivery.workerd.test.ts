import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { Checkpoint } from '../../src/outbox/send/checkpoint.ts';
import { NET_MS } from '../../src/outbox/schedule.ts';
import type { Acceptance } from '../../src/outbox/state/acceptance.ts';
import { eventually } from '../eventually.ts';
import { callsTo, script } from '../integration/relay.ts';
import { connectedOutbox, publishConnected } from './connected.ts';
import { accepted, countRows, draft, SECOND, UNPACED } from './support.ts';

type Stub = ReturnType<typeof connectedOutbox>;

const one = (phone: string): Acceptance => ({ event: accepted(), messages: [draft({ phone })] });

const stateOf = async (stub: Stub, id: string | undefined): Promise<string | undefined> =>
  (await stub.readMessage(id ?? ''))?.state;

const becomes = (stub: Stub, id: string | undefined, state: string): Promise<void> =>
  eventually(async () => expect(await stateOf(stub, id)).toBe(state));

/** An outbox that has read its configuration, as any has that sent a moment ago. */
async function warm(phone: string): Promise<Stub> {
  const stub = connectedOutbox();
  const { messages } = await stub.accept(one(phone));
  await becomes(stub, messages[0], 'sent');
  // A commit that is on its way to disk takes the next webhook along only when it is there.
  await runInDurableObject(stub, (_, { storage }) => storage.sync());
  return stub;
}

const alarmAt = (stub: Stub): Promise<number | null> =>
  runInDurableObject(stub, (_, { storage }) => storage.getAlarm());

beforeAll(() => publishConnected({ rate: false, per_recipient: false }));

describe('the commit that accepts a message', () => {
  it('claims it, so that its call goes out with the answer', async () => {
    const stub = await warm('4915112348001');
    let phone = 4_915_112_348_200;
    // While the commit before it is on its way to disk, an acceptance waits for the next one: then another is tried.
    await eventually(async () => {
      phone += 1;
      await script(String(phone), { failure: 'hang' });
      const flight = await runInDurableObject(stub, async (outbox, { storage }) => {
        const taken = outbox.accept(one(String(phone)));
        // Nothing was waited for yet.
        const calls = new Checkpoint(storage).last?.flight ?? [];
        await taken;
        return calls.map((call) => call.phone);
      });
      expect(flight).toContain(String(phone));
    });
    await eventually(async () => expect(await callsTo(String(phone))).toHaveLength(1));
  });

  it('claims it also in an object that has read no configuration, by the policy that the caller has read', async () => {
    const stub = connectedOutbox();
    await script('4915112348020', { failure: 'hang' });
    await runInDurableObject(stub, async (outbox, { storage }) => {
      const taken = outbox.accept(one('4915112348020'), UNPACED);
      expect(new Checkpoint(storage).last?.flight).toMatchObject([{ phone: '4915112348020' }]);
      await taken;
    });
    await eventually(async () => expect(await callsTo('4915112348020')).toHaveLength(1));
  });

  it('has an alarm for what waits by that policy, before the one below its run', async () => {
    const stub = connectedOutbox();
    await script('4915112348023', { failure: 'status', status: 500 });
    const before = Date.now();
    const { messages } = await runInDurableObject(stub, (outbox) =>
      outbox.accept(one('4915112348023'), { ...UNPACED, retryMs: [15 * SECOND] }),
    );
    await becomes(stub, messages[0], 'retrying');
    await eventually(async () => expect(await alarmAt(stub)).toBeLessThan(before + NET_MS));
  });

  it('goes by its own configuration once it has read that', async () => {
    const stub = await warm('4915112348021');
    const none = { ...UNPACED, rate: { perMinute: 1, burst: 1 } };
    const { messages } = await runInDurableObject(stub, (outbox) =>
      outbox.accept(one('4915112348022'), none),
    );
    await becomes(stub, messages[0], 'sent');
  });

  it('reads none of what it has just written', async () => {
    const stub = await warm('4915112348003');
    const read = await runInDurableObject(stub, async (outbox, { storage }) => {
      const { messages } = await outbox.accept(one('4915112348004'));
      await eventually(async () => expect((await outbox.readMessage(messages[0] ?? ''))?.state).toBe('sent'));
      const rows = countRows(storage.sql);
      await outbox.accept(one('4915112348005'));
      return rows.read();
    });
    expect(read).toBeLessThanOrEqual(2);
  });

  it('has the alarm come within half a minute, in case the object stops', async () => {
    const stub = await warm('4915112348006');
    await script('4915112348007', { failure: 'hang' });
    const before = Date.now();
    await stub.accept(one('4915112348007'));
    // None is set while one runs: housekeeping has its own.
    await eventually(async () => {
      const at = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
      expect(at ?? Infinity).toBeLessThanOrEqual(before + NET_MS + 5 * SECOND);
    });
  });

  it('sets that alarm once for all that is accepted meanwhile', async () => {
    const stub = await warm('4915112348008');
    const set = await runInDurableObject(stub, async (outbox, { storage }) => {
      const setAlarm = storage.setAlarm.bind(storage);
      let times = 0;
      storage.setAlarm = (...args) => {
        times += 1;
        return setAlarm(...args);
      };
      for (let n = 0; n < 20; n += 1) {
        const { messages } = await outbox.accept(one(`491511234810${n}`));
        await eventually(async () =>
          expect((await outbox.readMessage(messages[0] ?? ''))?.state).toBe('sent'),
        );
      }
      storage.setAlarm = setAlarm;
      return times;
    });
    // A second one where a slow machine takes longer than that.
    expect(set).toBeLessThanOrEqual(3);
  });

  it('starts nothing while the account is paused; resuming does', async () => {
    const stub = await warm('4915112348009');
    await stub.pause('token', 'a holiday');
    const { messages } = await stub.accept(one('4915112348020'));
    expect(await stateOf(stub, messages[0])).toBe('queued');
    await stub.resume();
    await becomes(stub, messages[0], 'sent');
  });
});

describe('an alarm that comes while a commit’s run is under way', () => {
  it('starts no second run, and is set again for as long as calls are under way', async () => {
    const stub = await warm('4915112348021');
    await script('4915112348012', { failure: 'hang' });
    const { messages } = await stub.accept(one('4915112348012'));
    await runDurableObjectAlarm(stub);
    expect(await stateOf(stub, messages[0])).toBe('sending');
    expect(await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())).not.toBeNull();
    expect(await callsTo('4915112348012')).toHaveLength(1);
  });
});

describe('an object that starts again', () => {
  it('looks at what it left behind without waiting for its alarm', async () => {
    const stub = await warm('4915112348013');
    await script('4915112348014', { failure: 'hang' });
    const { messages } = await stub.accept(one('4915112348014'));
    await eventually(async () => expect(await callsTo('4915112348014')).toHaveLength(1));
    await abortAllDurableObjects();
    const again = env.OUTBOX.getByName(stub.name ?? '');
    // No alarm is run here: the first call starts the object, and that is enough.
    await eventually(async () =>
      expect((await again.readMessage(messages[0] ?? ''))?.attempts).toHaveLength(1),
    );
  });
});
