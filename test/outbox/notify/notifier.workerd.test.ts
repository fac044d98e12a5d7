import { describe, expect, it, vi } from 'vitest';
import type { NotifyPolicy } from '../../../src/config/notify-policy.ts';
import { parseOwnJson } from '../../../src/lib/own-json.ts';
import type { Notification } from '../../../src/outbox/notify/notification.ts';
import { Notifier } from '../../../src/outbox/notify/notifier.ts';
import { eventually } from '../../eventually.ts';
import { inOutbox } from '../bare-outbox.ts';

const SECRET = 'hush-hush';
const NOTIFY: NotifyPolicy = {
  url: 'https://owner.example/{secret}',
  secret: 'NOTIFY_SECRET',
  format: 'json',
};
const MINUTE = 60_000;

const notice = (text: string, kind: Notification['kind'] = 'circuit.opened'): Notification => ({
  kind,
  account: 'sales',
  at: new Date().toISOString(),
  text,
});

interface World {
  now: number;
  notify: NotifyPolicy | null;
  secret: string | undefined;
  /** The channel's answers to the next calls; after the last one it takes all. */
  answers: (Response | Error | Promise<Response>)[];
  /** True if the run has a call left. */
  mayCall: boolean;
  readonly calls: { url: string; text: string; redirect: string | undefined }[];
}

function setUp(sql: SqlStorage, world: Partial<World> = {}) {
  const state: World = {
    now: 1_000_000,
    notify: NOTIFY,
    secret: SECRET,
    answers: [],
    calls: [],
    mayCall: true,
    ...world,
  };
  const make = () =>
    new Notifier({
      sql,
      policy: () => Promise.resolve({ notify: state.notify }),
      mayCall: () => state.mayCall,
      report: () => Promise.resolve(true),
      secret: (name) => (name === 'NOTIFY_SECRET' ? state.secret : undefined),
      fetch: async (url, init) => {
        const body = typeof init?.body === 'string' ? init.body : '{}';
        const { text } = parseOwnJson<Notification>(body);
        state.calls.push({
          url: url instanceof Request ? url.url : url.toString(),
          text,
          redirect: init?.redirect,
        });
        const answer = (await state.answers.shift()) ?? new Response('ok');
        if (answer instanceof Error) throw answer;
        return answer;
      },
      clock: () => state.now,
    });
  return { state, make, notifier: make() };
}

const refused = (): Response => new Response('no', { status: 500 });
const texts = ({ calls }: World): readonly string[] => calls.map(({ text }) => text);

describe('notifying the owner', () => {
  it('sends a notification once, to the address with the secret in it, and follows no redirect', () =>
    inOutbox(async (_outbox, { sql }) => {
      const { notifier, state } = setUp(sql);
      notifier.add(notice('one'));
      expect(notifier.nextAt()).toBe(state.now);
      await notifier.run();
      await notifier.run();
      expect(state.calls).toEqual([
        { url: `https://owner.example/${SECRET}`, text: 'one', redirect: 'manual' },
      ]);
      expect(notifier.nextAt()).toBeNull();
    }));

  it.each([
    ['refuses', refused],
    [
      'points elsewhere',
      () => new Response(null, { status: 302, headers: { location: 'https://x.example' } }),
    ],
    ['cannot be reached', () => new Error(`connect https://owner.example/${SECRET}`)],
  ])('tries again when the channel %s', (_what, answer) =>
    inOutbox(async (_outbox, { sql }) => {
      const { notifier, state } = setUp(sql, { answers: [answer()] });
      notifier.add(notice('one'));
      await notifier.run();
      expect(notifier.nextAt()).toBe(state.now + 5_000);
      state.now += 4_999;
      await notifier.run();
      expect(state.calls).toHaveLength(1);
      state.now += 1;
      await notifier.run();
      expect(state.calls).toHaveLength(2);
      expect(notifier.nextAt()).toBeNull();
    }),
  );

  it('gives up after five tries over a quarter of an hour, and leaves nothing behind', () =>
    inOutbox(async (_outbox, { sql }) => {
      const { notifier, state } = setUp(sql, { answers: Array.from({ length: 99 }, refused) });
      notifier.add(notice('one'));
      const waits: number[] = [];
      for (let next = notifier.nextAt(); next !== null; next = notifier.nextAt()) {
        waits.push(next - state.now);
        state.now = next;
        await notifier.run();
      }
      expect(waits).toEqual([0, 5_000, 30_000, 2 * MINUTE, 10 * MINUTE]);
      expect(state.calls).toHaveLength(5);
    }));

  it('keeps the order: what failed is reported before what came after it', () =>
    inOutbox(async (_outbox, { sql }) => {
      const { notifier, state } = setUp(sql, { answers: [refused()] });
      notifier.add(notice('opened'));
      await notifier.run();
      notifier.add(notice('closed', 'circuit.closed'));
      await notifier.run();
      expect(texts(state)).toEqual(['opened']);
      state.now += 5_000;
      await notifier.run();
      expect(texts(state)).toEqual(['opened', 'opened', 'closed']);
    }));

  it('bounds what a dead channel costs: those that waited behind are given up with the first', () =>
    inOutbox(async (_outbox, { sql }) => {
      const { notifier, state } = setUp(sql, { answers: Array.from({ length: 99 }, refused) });
      for (let n = 0; n < 20; n += 1) notifier.add(notice(String(n)));
      for (let next = notifier.nextAt(); next !== null; next = notifier.nextAt()) {
        state.now = next;
        await notifier.run();
      }
      expect(state.calls).toHaveLength(5);
    }));

  it('sends what is left after its object was stopped in the middle of a call, but not at the same time', () =>
    inOutbox(async (_outbox, { sql }) => {
      const { promise } = Promise.withResolvers<Response>();
      const { notifier, make, state } = setUp(sql, { answers: [promise] });
      notifier.add(notice('one'));
      void notifier.run();
      await eventually(() => expect(state.calls).toHaveLength(1));
      expect(notifier.nextAt()).toBeGreaterThan(state.now);
      const next = make();
      await next.run();
      expect(state.calls).toHaveLength(1);
      state.now = next.nextAt() ?? 0;
      await next.run();
      expect(texts(state)).toEqual(['one', 'one']);
      expect(next.nextAt()).toBeNull();
    }));

  it('sends what is added while it is sending', () =>
    inOutbox(async (_outbox, { sql }) => {
      const { promise, resolve } = Promise.withResolvers<Response>();
      const { notifier, state } = setUp(sql, { answers: [promise] });
      notifier.add(notice('one'));
      const running = notifier.run();
      await eventually(() => expect(state.calls).toHaveLength(1));
      notifier.add(notice('two'));
      await notifier.run();
      resolve(new Response('ok'));
      await running;
      expect(texts(state)).toEqual(['one', 'two']);
    }));

  it('drops notifications of an account without a channel', () =>
    inOutbox(async (_outbox, { sql }) => {
      const { notifier, state } = setUp(sql, { notify: null });
      notifier.add(notice('one'));
      await notifier.run();
      expect(notifier.nextAt()).toBeNull();
      expect(state.calls).toEqual([]);
    }));

  it('keeps a notice while its secret is missing, and calls no address without it', () =>
    inOutbox(async (_outbox, { sql }) => {
      const { notifier, state } = setUp(sql, { secret: undefined });
      notifier.add(notice('one'));
      await notifier.run();
      expect(state.calls).toEqual([]);
      state.secret = SECRET;
      state.now = notifier.nextAt() ?? 0;
      await notifier.run();
      expect(texts(state)).toEqual(['one']);
    }));

  it('does not throw, and does not come back at once, when an address cannot be made', () =>
    inOutbox(async (_outbox, { sql }) => {
      const { notifier, state } = setUp(sql, {
        notify: { url: '{secret}', secret: 'NOTIFY_SECRET', format: 'ntfy' },
      });
      notifier.add(notice('one'));
      await notifier.run();
      expect(notifier.nextAt()).toBe(state.now + 5_000);
    }));

  it('has the secret in no log line and no row, whatever the channel does', () =>
    inOutbox(async (_outbox, { sql }) => {
      const lines: string[] = [];
      const spies = (['info', 'warn', 'error'] as const).map((level) =>
        vi.spyOn(console, level).mockImplementation((line: unknown) => lines.push(String(line))),
      );
      const { notifier, state } = setUp(sql, {
        answers: [refused(), new Error(`no ${SECRET}`), ...Array.from({ length: 9 }, refused)],
      });
      notifier.add(notice('one'));
      for (let next = notifier.nextAt(); next !== null; next = notifier.nextAt()) {
        expect(JSON.stringify(sql.exec('SELECT * FROM notices').toArray())).not.toContain(SECRET);
        state.now = next;
        await notifier.run();
      }
      for (const spy of spies) spy.mockRestore();
      expect(lines.some((line) => line.includes('given_up'))).toBe(true);
      expect(lines.join('\n')).not.toContain(SECRET);
    }));
});

describe('trouble that comes in bursts', () => {
  it('is reported for the first of an hour, each kind for itself', () =>
    inOutbox((_outbox, { sql }) => {
      const { notifier, state } = setUp(sql);
      expect(notifier.addFirst(notice('dead', 'message.dead'))).toBe(true);
      expect(notifier.addFirst(notice('dead', 'message.dead'))).toBe(false);
      expect(notifier.addFirst(notice('moved', 'gateway.redirected'))).toBe(true);
      state.now += 60 * MINUTE - 1;
      expect(notifier.addFirst(notice('dead', 'message.dead'))).toBe(false);
      state.now += 1;
      expect(notifier.addFirst(notice('dead', 'message.dead'))).toBe(true);
    }));

  it('is not reported again because the object was evicted, as an idle one is within seconds', () =>
    inOutbox((_outbox, { sql }) => {
      const { notifier, make } = setUp(sql);
      notifier.addFirst(notice('dead', 'message.dead'));
      expect(make().addFirst(notice('dead', 'message.dead'))).toBe(false);
    }));
});
