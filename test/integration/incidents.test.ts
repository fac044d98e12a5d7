import { describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { admin, postJson, publish, type EventJson, type MessageJson } from './relay.ts';

interface ItemJson {
  readonly fate: string;
  readonly key?: string;
  readonly message?: string;
}

const PHONE = '4915112345678';

const MESSAGE =
  '{{ count }} burn{% for one in fresh %}, new {{ one.item.name }}{% endfor %}{% for one in ended %}, ended {{ one.item.name }}{% endfor %}';

const alerts = (route: object) => ({
  sources: {
    alerts: {
      verify: { scheme: 'none' },
      limit: false,
      routes: [
        {
          name: 'on-call',
          each: 'payload.alerts',
          to: PHONE,
          incident: { key: '{{ item.name }}', resolved: 'item.status == "resolved"' },
          send: { kind: 'text', message: MESSAGE },
          ...route,
        },
      ],
    },
  },
});

const alert = (name: string, status = 'firing') => ({ name, status });

interface Accepted {
  readonly event: string;
  readonly messages: readonly string[];
  readonly waiting?: number;
}

const fire = async (...list: readonly object[]): Promise<Accepted> =>
  (await postJson('alerts', { alerts: list })).json<Accepted>();

const texts = async (): Promise<readonly string[]> =>
  (await admin<{ items: MessageJson[] }>('GET', `/messages?phone=${PHONE}`)).body.items
    .filter(({ state }) => state === 'sent')
    .map(({ params }) => params['message'] ?? '')
    .toReversed();

const fatesOf = async ({ event }: Accepted): Promise<readonly string[]> =>
  ((await admin<EventJson & { items: ItemJson[] }>('GET', `/events/${event}`)).body.items ?? []).map(
    ({ fate }) => fate,
  );

describe('incidents', () => {
  it('are told when they open and when they end', async () => {
    await publish(alerts({}));
    const first = await fire(alert('disk'));
    expect(first).toMatchObject({ messages: [], waiting: 1 });
    await eventually(async () => expect(await texts()).toEqual(['1 burn, new disk']));
    expect(await fatesOf(first)).toEqual(['told']);
    const second = await fire(alert('disk'));
    expect(await fatesOf(second)).toEqual(['waiting']);
    const last = await fire(alert('disk', 'resolved'));
    await eventually(async () => expect(await texts()).toEqual(['1 burn, new disk', '0 burn, ended disk']));
    expect(await fatesOf(second)).toEqual(['counted']);
    expect(await fatesOf(last)).toEqual(['told']);
  });
});
