import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import type { TailFrame } from '../../src/outbox/tail/frame.ts';
import {
  type HubDeps,
  TailHub,
  type Watcher,
  readWatcher,
  writeWatcher,
} from '../../src/registry/tail-hub.ts';
import { lookUntil, turn } from '../eventually.ts';
import { containing } from '../config/support.ts';
import { type View, viewOf } from '../tail/support.ts';
import { watchOutboxes } from '../../src/registry/tail-hub.ts';
import { envWith } from '../platform/env.ts';

const NOW = Date.now();
const ALL: Watcher = { source: null, type: null, until: null, session: null, sight: null };

/** Runs `body` with a hub in an object of its own. */
const withHub = (
  body: (hub: TailHub, join: (watcher?: Watcher) => Promise<View>) => Promise<void>,
  changes: Partial<HubDeps> = {},
): Promise<void> =>
  runInDurableObject(env.REGISTRY.getByName(crypto.randomUUID()), async (_, ctx) => {
    const deps = { ctx, version: () => 7, watch: () => Promise.resolve(), clock: () => NOW, ...changes };
    const hub = new TailHub(deps);
    await body(hub, async (watcher = ALL) => viewOf(await hub.join(watcher)));
  });

const rejection = (source = 'shop', detail = 'none was made with the secret'): TailFrame => ({
  type: 'rejection',
  at: new Date(NOW).toISOString(),
  source,
  status: 401,
  code: 'mismatch',
  n: 7,
  detail,
});

const sent = (source: string | null): TailFrame => ({
  type: 'message',
  at: new Date(NOW).toISOString(),
  message: 'msg_1',
  event: null,
  source,
  route: null,
  kind: 'text',
  state: 'sent',
  account: 'default',
});

it('the sockets of the tail join once everything is watched, and count as watching meanwhile', async () => {
  const watched = Promise.withResolvers<void>();
  await withHub(
    async (hub, join) => {
      expect(hub.isWatched).toBe(false);
      let hasJoined = false;
      const joining = join().then(() => (hasJoined = true));
      await turn();
      expect(hasJoined).toBe(false);
      watched.resolve();
      await joining;
    },
    { watch: () => watched.promise },
  );
  await withHub(async (hub) => {
    const joining = hub.join(ALL);
    expect(hub.isWatched).toBe(true);
    // A batch that comes now must not end it: the one who joins would never hear of that outbox.
    expect(hub.show([])).toBe(true);
    await joining;
  });
});

it('the sockets of the tail that cannot join are not counted', () =>
  withHub(
    async (hub) => {
      await expect(hub.join(ALL)).rejects.toThrow('no');
      expect(hub.isWatched).toBe(false);
    },
    { watch: () => Promise.reject(new Error('no')) },
  ));

it('the sockets of the tail get what they asked for, in order', () =>
  withHub(async (hub, join) => {
    const views = [
      await join(),
      await join({ ...ALL, source: 'shop' }),
      await join({ ...ALL, type: 'message' }),
      await join({ ...ALL, source: 'shop', type: 'message' }),
    ];
    hub.show([sent('shop'), sent(null), rejection('shop'), rejection('form')]);
    const seen = () =>
      views.map(({ frames }) =>
        frames()
          .map(({ type, source }) => `${type} ${source}`)
          .slice(1),
      );
    await expect
      .poll(seen)
      .toEqual([
        ['message shop', 'message null', 'rejection shop', 'rejection form'],
        ['message shop', 'rejection shop'],
        ['message shop', 'message null'],
        ['message shop'],
      ]);
  }));

it('the sockets of the tail show how much was left out', () =>
  withHub(async (hub, join) => {
    const view = await join({ ...ALL, source: 'other' });
    hub.show([sent('shop')], 12);
    await expect.poll(() => view.frames().slice(1)).toEqual([{ type: 'dropped', count: 12 }]);
  }));

it('the sockets of the tail are closed when their login has ended', () =>
  withHub(async (hub, join) => {
    const over = await join({ ...ALL, until: NOW });
    const goesOn = await join({ ...ALL, until: NOW + 1 });
    hub.show([sent('shop')]);
    await expect.poll(() => over.closed).toEqual([{ code: 1008, reason: containing('login') }]);
    expect(over.frames()).toHaveLength(1);
    await expect.poll(() => goesOn.frames()).toHaveLength(2);
  }));

it('the sockets of the tail are closed when too much waits for a client that does not read', () =>
  withHub(async (hub, join) => {
    const silent = await join();
    const reads = await join();
    const large = Array.from({ length: 100 }, () => rejection('shop', 'x'.repeat(3_000)));
    for (let n = 0; n < 10; n += 1) {
      reads.socket.send('ping');
      await expect.poll(() => reads.texts.filter((text) => text === 'pong')).toHaveLength(n + 1);
      hub.show(large);
      // The hub distinguishes two pings by their times, in ms.
      const pingedBy = Date.now();
      await lookUntil(Date.now, (now) => now > pingedBy);
    }
    await expect.poll(() => silent.closed).toEqual([{ code: 1013, reason: containing('Too slow') }]);
    await expect.poll(() => reads.frames()).toHaveLength(1_001);
    expect(reads.closed).toEqual([]);
    expect(silent.frames().length).toBeLessThan(400);
  }));

it('the sockets of the tail are twenty at most', () =>
  withHub(async (hub, join) => {
    const joined = await Promise.all(Array.from({ length: 25 }, () => hub.join(ALL)));
    expect(joined.map(({ status }) => status).filter((status) => status === 101)).toHaveLength(20);
    expect(joined.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(5);
    await expect(join()).rejects.toThrow('429');
  }));

it.each<Watcher>([
  ALL,
  { source: 'shop', type: 'event', until: NOW, session: 'ses_1', sight: 'facts' },
  { source: 'a&type=b', type: null, until: 0, session: null, sight: 'contents' },
])('what a watcher asks for is the same at the other end: %j', (watcher) => {
  expect(readWatcher(new URLSearchParams(writeWatcher(watcher)))).toEqual(watcher);
});

afterEach(() => vi.restoreAllMocks());

/** The outboxes that were reached, of which those that a test names cannot be. */
async function reported(broken: readonly string[] = []): Promise<readonly string[]> {
  const names: string[] = [];
  const getByName = (name: string) => ({
    watch: async () => {
      if (broken.includes(name)) throw new Error('gone');
      names.push(name);
    },
  });
  const namespace = new Proxy(env.OUTBOX, {
    get: (target, key): unknown => (key === 'getByName' ? getByName : Reflect.get(target, key)),
  });
  await watchOutboxes(envWith({ OUTBOX: namespace }), ['default', 'sales', 'press']);
  return names.toSorted();
}

it('who looks is reported to the outbox of every account, and to the others when one cannot be reached', async () => {
  expect(await reported()).toEqual(['default', 'press', 'sales']);
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  expect(await reported(['default', 'sales'])).toEqual(['press']);
  expect(warned).toHaveBeenCalledTimes(2);
});
