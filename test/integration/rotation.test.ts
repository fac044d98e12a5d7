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
  incident: { key: '{{ payload.name }}', resolved: 'payload.isOver' },
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
    await postJson('alerts', { name: 'disk', isOver: true });
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

  it('is left aside by a route that names one of its people', async () => {
    const { anna, ben } = people();
    await publishList({ anna, ben }, rotation(), { to: 'on-call/ben' });
    await postJson('alerts', { name: 'for ben' });
    await gets(ben, 'for ben');
    expect(await textsAt(anna)).toEqual([]);
  });
});
