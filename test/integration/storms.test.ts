import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { admin, event, postJson, publish, type EventJson, type MessageJson } from './relay.ts';

const PHONES = ['4915112391001', '4915112391002', '4915112391003'];
const EACH_PHONE = '4915112391004';

const open = { verify: { scheme: 'none' }, limit: false };
const onCall = {
  name: 'on-call',
  each: 'payload.alerts',
  to: PHONES,
  incident: { key: '{{ item.id }}', resolved: 'item.status == "resolved"' },
  group: { wait: '1s', interval: '1s' },
  send: { kind: 'text', message: '{{ count }} firing, {{ new.size }} new, {{ resolved.size }} over' },
};
const each = {
  name: 'each',
  each: 'payload.alerts',
  to: EACH_PHONE,
  send: { kind: 'text', message: '{{ item.id }}' },
};

const alerts = (count: number, status = 'firing', from = 0): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({ id: from + at, status }));

interface Receipt {
  readonly event: string;
  readonly messages: readonly string[];
  readonly waiting?: number;
}

async function post(source: string, list: readonly object[]): Promise<{ receipt: Receipt; kept: EventJson }> {
  const response = await postJson(source, { alerts: list });
  expect(response.status).toBe(202);
  const receipt = await response.json<Receipt>();
  return { receipt, kept: await event(receipt.event) };
}

const lastTo = async (phone: string): Promise<string | undefined> =>
  (await admin<{ items: MessageJson[] }>('GET', `/messages?phone=${phone}&state=sent`)).body.items[0]?.params[
    'message'
  ];

const eachIsNotified = (text: string): Promise<void> =>
  eventually(async () => {
    for (const phone of PHONES) expect(await lastTo(phone)).toBe(text);
  });

describe('a storm of alerts', () => {
  beforeAll(() =>
    publish({
      sources: {
        alerts: { ...open, routes: [onCall] },
        large: { ...open, routes: [onCall] },
        list: { ...open, routes: [each] },
      },
    }),
  );

  it('of 334 for three receivers notifies each of them of all', async () => {
    const { receipt, kept } = await post('alerts', alerts(334));
    expect(receipt).toMatchObject({ messages: [], waiting: 1_002 });
    expect(kept.state).toBe('routed');
    expect(kept).not.toHaveProperty('reason');
    await eachIsNotified('334 firing, 334 new, 0 over');
  });

  it('that is over in one webhook notifies each of them of that', async () => {
    await post('alerts', alerts(334, 'resolved'));
    await eachIsNotified('0 firing, 0 new, 334 over');
  });

  it('of more than a thousand notifies of the first, and resolves what the rest resolves', async () => {
    const first = await post('large', alerts(1_000));
    expect(first.receipt.waiting).toBe(3_000);
    await eachIsNotified('1000 firing, 1000 new, 0 over');
    const again = await post('large', [
      ...alerts(400, 'firing', 600),
      ...alerts(1_112, 'firing', 2_000),
      ...alerts(600, 'resolved'),
    ]);
    expect(again.kept.state).toBe('routed');
    expect(again.kept.reason).toBe(
      'route `on-call` took 1000 items and left out 512 more: a webhook may bring 1000 items. It also took 600 items that resolve incidents',
    );
    await eachIsNotified('1000 firing, 600 new, 600 over');
  });

  it('of messages at once makes the first thousand', async () => {
    const { receipt, kept } = await post('list', alerts(1_512));
    expect(receipt.messages).toHaveLength(1_000);
    expect(kept.state).toBe('routed');
    expect(kept.reason).toBe(
      'route `each` made 1000 messages and left out 512 more elements: a route may make 1000 messages from a webhook',
    );
  });
});
