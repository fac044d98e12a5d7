import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { after, MINUTE, textsAt } from './alert-stage.ts';
import { admin, postJson, publish } from './relay.ts';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** As a rotation in UTC has it. */
const local = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

let used = 0;

/** Two people whom no other test has. */
const people = (): { readonly anna: string; readonly ben: string } => {
  used += 2;
  return { anna: String(4_917_139_300_000 + used), ben: String(4_917_139_300_001 + used) };
};

/** Anna has been on call for an hour, and hands over to Ben in 23 hours. */
const rotation = (over: object = {}): object => ({
  order: ['anna', 'ben'],
  every: '1d',
  from: local(Date.now() - HOUR),
  timezone: 'UTC',
  ...over,
});

const publishList = (of: ReturnType<typeof people>, turns: object, route: object = {}): Promise<void> =>
  publish({
    sources: {
      alerts: {
        verify: { scheme: 'none' },
        limit: false,
        routes: [
          {
            name: `on-call-${of.anna}`,
            to: 'on-call',
            send: { kind: 'text', message: '{{ payload.name | default: "open" }}' },
            ...route,
          },
        ],
      },
    },
    recipients: { 'on-call': { people: { anna: of.anna, ben: { phone: of.ben } }, rotation: turns } },
  });

const INCIDENT = {
  incident: { key: '{{ payload.name }}', resolved: 'payload.isResolved' },
  send: { kind: 'text', message: '{{ item.name }}{% if resolved_at %} over{% endif %}' },
};

const gets = (phone: string, ...texts: readonly string[]): Promise<void> =>
  eventually(async () => expect(await textsAt(phone)).toEqual(texts));

afterEach(() => vi.restoreAllMocks());

describe('a list with a rotation', () => {
  it('sends a message of a plain route to whoever is on call when it is accepted', async () => {
    const { anna, ben } = people();
    await publishList({ anna, ben }, rotation());
    await postJson('alerts', { name: 'first' });
    await gets(anna, 'first');
    await after(DAY);
    await postJson('alerts', { name: 'second' });
    await gets(ben, 'second');
    expect(await textsAt(anna)).toEqual(['first']);
  });

  it('sends an old event that is replayed to whoever is on call now', async () => {
    const { anna, ben } = people();
    await publishList({ anna, ben }, rotation());
    const { event } = await (await postJson('alerts', { name: 'again' })).json<{ event: string }>();
    await gets(anna, 'again');
    await after(DAY);
    expect((await admin('POST', `/events/${event}/replay`, {})).status).toBeLessThan(300);
    await gets(ben, 'again');
    expect(await textsAt(anna)).toEqual(['again']);
  });

  it('notifies the next person of what is open when the alarm rings, and both of its end', async () => {
    const { anna, ben } = people();
    await publishList({ anna, ben }, rotation(), INCIDENT);
    await postJson('alerts', { name: 'disk' });
    await gets(anna, 'disk');
    await after(22 * HOUR);
    expect(await textsAt(ben)).toEqual([]);
    await after(HOUR);
    await gets(ben, 'disk');
    await postJson('alerts', { name: 'disk', isResolved: true });
    await gets(ben, 'disk', 'disk over');
    await gets(anna, 'disk', 'disk over');
  });

  it('hands over at once when an override is published that has begun', async () => {
    const { anna, ben } = people();
    await publishList({ anna, ben }, rotation(), INCIDENT);
    await postJson('alerts', { name: 'cpu' });
    await gets(anna, 'cpu');
    const overrides = [{ person: 'ben', from: local(Date.now() - MINUTE), to: local(Date.now() + HOUR) }];
    await publishList({ anna, ben }, rotation({ overrides }), INCIDENT);
    await gets(ben, 'cpu');
    expect(await textsAt(anna)).toEqual(['cpu']);
  });

  it('hands back at once when an override that has begun is deleted', async () => {
    const { anna, ben } = people();
    const from = local(Date.now() - MINUTE);
    const overrides = [{ person: 'ben', from, to: local(Date.now() + HOUR) }];
    await publishList({ anna, ben }, rotation({ overrides }), INCIDENT);
    await postJson('alerts', { name: 'swap' });
    await gets(ben, 'swap');
    expect((await admin('DELETE', `/recipients/on-call/overrides/${from}`)).status).toBe(200);
    await gets(anna, 'swap');
    expect(await textsAt(ben)).toEqual(['swap']);
  });

  it('hands over from an override, which goes on afterwards, and wakes nobody else', async () => {
    const { anna, ben } = people();
    const [from, to] = [local(Date.now() - HOUR), local(Date.now() + 3 * HOUR)];
    const overrides = [{ person: 'ben', from, to }];
    await publishList({ anna, ben }, rotation({ overrides }), INCIDENT);
    const path = '/recipients/on-call/overrides';
    const anew = { person: 'anna', from: local(Date.now()), to: local(Date.now() + HOUR) };
    expect(await admin('POST', path, anew)).toMatchObject({ status: 422 });
    expect(await admin('POST', path, { ...anew, replace: true })).toMatchObject({ status: 200 });
    const { body } = await admin<{ overrides: object[] }>('GET', '/recipients/on-call/on-call');
    expect(body.overrides).toMatchObject([anew, { person: 'ben', from: anew.to, to }]);
    // The part that is over is not shown. One that begins later stays, and is refused as before.
    const early = { person: 'anna', from: local(Date.now() - 2 * HOUR), to, replace: true };
    expect(await admin('POST', path, early)).toMatchObject({ status: 422 });
  });

  it('is left aside by a route that names one of its people', async () => {
    const { anna, ben } = people();
    await publishList({ anna, ben }, rotation(), { to: 'on-call/ben' });
    await postJson('alerts', { name: 'for ben' });
    await gets(ben, 'for ben');
    expect(await textsAt(anna)).toEqual([]);
  });
});
