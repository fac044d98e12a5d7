import { env } from 'cloudflare:workers';
import { evictDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { OWNER_URL, gatewayAnswers, reported, status, watchOutside, eventually } from './outside.ts';
import {
  admin,
  callsTo,
  event,
  isSent,
  message,
  messageNow,
  postJson,
  publish,
  UNPACED,
  type MessageJson,
} from './relay.ts';

const WATCHED = { ...UNPACED, retry: ['100ms'], notify: { url: OWNER_URL, secret: 'NOTIFY_PATH' } };

const [ANNA, BEN] = ['4915112398001', '4915112398002'] as const;

const INCIDENT = {
  incident: { key: '{{ payload.id }}', resolved: 'payload.is_resolved' },
  send: { kind: 'text', message: '{% if resolved_at %}over{% else %}fire{% endif %} {{ payload.id }}' },
};

const SET = {
  accounts: { default: WATCHED, other: WATCHED },
  recipients: { team: { numbers: [ANNA, BEN] } },
  sources: {
    shop: {
      verify: { scheme: 'none' },
      limit: false,
      routes: [
        {
          name: 'news',
          to: '{{ payload.phone }}',
          send: {
            kind: 'text',
            message: 'news {{ payload.id }}',
            fallback: [{ kind: 'text', message: 'again {{ payload.id }}' }],
          },
        },
        {
          name: 'order',
          when: 'payload.order',
          to: '{{ payload.phone }}',
          transactional: true,
          send: { kind: 'text', message: 'order {{ payload.id }}' },
        },
      ],
    },
    alerts: {
      verify: { scheme: 'none' },
      limit: false,
      routes: [{ name: 'one', to: '{{ payload.phone }}', ...INCIDENT }],
    },
    team: { verify: { scheme: 'none' }, limit: false, routes: [{ name: 'all', to: ['team'], ...INCIDENT }] },
  },
};

let used = 0;
const newPhone = (): string => String(4_915_112_398_100 + (used += 1));

const put = (phone: string) => admin('PUT', `/suppressions/${encodeURIComponent(phone)}`);
const remove = (phone: string) => admin('DELETE', `/suppressions/${encodeURIComponent(phone)}`);

async function post(source: string, payload: object) {
  const answer = await postJson(source, payload);
  expect(answer.status).toBe(202);
  return answer.json<{ event: string; messages: string[] }>();
}

const isSuppressed = ({ state }: MessageJson): boolean => state === 'suppressed';

/** Does something while the account sends nothing. */
async function paused(work: () => Promise<unknown>): Promise<void> {
  await admin('POST', '/accounts/default/pause');
  try {
    await work();
  } finally {
    await admin('POST', '/accounts/default/resume');
  }
}

const textsTo = async (phone: string): Promise<readonly string[]> =>
  (await callsTo(phone)).map(({ params }) => params['message'] ?? '');

beforeAll(async () => {
  watchOutside();
  await publish(SET);
});

describe('a message to a receiver who has opted out', () => {
  it('is suppressed, says why, and is listed and counted as that', async () => {
    const phone = newPhone();
    expect((await put(phone)).status).toBe(200);
    const { messages } = await post('shop', { phone: `+${phone}`, id: 1 });
    const ended = await message(messages[0] ?? '', isSuppressed);
    expect(ended).toMatchObject({ reason: 'its receiver has opted out', attempts: [] });
    expect(ended.next_attempt_at).toBeUndefined();
    const { body } = await admin<{ items: MessageJson[] }>('GET', '/messages?state=suppressed');
    expect(body.items.map(({ id }) => id)).toContain(ended.id);
    const stats = JSON.stringify((await admin('GET', '/stats')).body);
    expect(stats).toMatch(/"suppressed":[1-9]/);
    expect(await textsTo(phone)).toEqual([]);
  });

  it('is suppressed as well when it waited already', async () => {
    const phone = newPhone();
    let id = '';
    await paused(async () => {
      [id = ''] = (await post('shop', { phone: `+${phone}`, id: 2 })).messages;
      await put(phone);
      expect((await messageNow(id)).state).toBe('queued');
    });
    await message(id, isSuppressed);
    expect(await textsTo(phone)).toEqual([]);
  });

  it('is sent if its route is transactional', async () => {
    const phone = newPhone();
    await put(phone);
    const { messages } = await post('shop', { phone: `+${phone}`, id: 3, order: true });
    await message(messages[0] ?? '', isSuppressed);
    await message(messages[1] ?? '', isSent);
    expect(await textsTo(phone)).toEqual(['order 3']);
  });

  it('is suppressed after a publish, a restart of each object, and an import of the export', async () => {
    const phone = newPhone();
    await put(phone);
    const { body: exported } = await admin<object>('GET', '/config');
    expect(JSON.stringify(exported)).not.toContain(phone);
    await publish({ ...SET, recipients: { team: { numbers: [ANNA] } } });
    expect((await admin('POST', '/config', exported)).status).toBe(200);
    await evictDurableObject(env.OUTBOX.getByName('default'));
    await evictDurableObject(env.REGISTRY.getByName('registry'));
    const { messages } = await post('shop', { phone: `+${phone}`, id: 4 });
    await message(messages[0] ?? '', isSuppressed);
  });

  it('is suppressed when it is the fallback of another', async () => {
    const phone = newPhone();
    gatewayAnswers(phone, async () => {
      await put(phone);
      return new Response('{}', { status: 400 });
    });
    const [id = ''] = (await post('shop', { phone: `+${phone}`, id: 5 })).messages;
    const { fallback = '' } = await message(id, (one) => one.fallback !== undefined);
    await message(fallback, isSuppressed);
    expect(await textsTo(phone)).toEqual([]);
  });

  it('is suppressed in place of its next attempt', async () => {
    const phone = newPhone();
    gatewayAnswers(phone, async () => {
      await put(phone);
      return status(503)();
    });
    const [id = ''] = (await post('shop', { phone: `+${phone}`, id: 6 })).messages;
    expect((await message(id, isSuppressed)).attempts).toHaveLength(1);
  });

  it('is sent when a person retries it after the receiver opted in again', async () => {
    const phone = newPhone();
    await put(phone);
    const [id = ''] = (await post('shop', { phone: `+${phone}`, id: 7 })).messages;
    await message(id, isSuppressed);
    expect((await admin('POST', `/messages/${id}/retry`)).status).toBe(200);
    await message(id, (one) => isSuppressed(one) && one.reason !== undefined);
    await remove(phone);
    expect((await admin('POST', '/messages/retry', { state: 'suppressed', source: 'shop' })).status).toBe(
      200,
    );
    await message(id, isSent);
    expect((await admin('POST', `/messages/${id}/cancel`)).status).toBe(409);
  });
});

describe('a number in another spelling', () => {
  it('is the same one', async () => {
    const phone = newPhone();
    const spelled = `+49 (0) 151 ${phone.slice(5)}`;
    expect((await put(spelled)).body).toMatchObject({ phone, by: 'token', reason: 'by hand' });
    const { messages } = await post('shop', { phone: `00${phone}`, id: 8 });
    await message(messages[0] ?? '', isSuppressed);
    expect((await admin('GET', `/suppressions/00${phone}`)).body).toMatchObject({ phone });
    expect((await remove(`+${phone}`)).status).toBe(200);
    expect((await admin('GET', `/suppressions/${phone}`)).status).toBe(404);
    expect((await remove(phone)).status).toBe(404);
  });

  it('is refused without a country code', async () => {
    expect((await put('0151 12398001')).status).toBe(422);
  });
});

const resolve = (phone: string, id: string) => post('alerts', { phone: `+${phone}`, id, is_resolved: true });
const outcomes = async (id: string) => (await event(id)).items?.map(({ outcome }) => outcome);
const notices = () => reported.filter(({ notice }) => notice.kind === 'route.suppressed');

describe('an incident whose receiver opts out', () => {
  it('is not resolved for them, and is over all the same', async () => {
    const phone = newPhone();
    await post('alerts', { phone: `+${phone}`, id: 'disk' });
    await eventually(async () => expect(await textsTo(phone)).toEqual(['fire disk']));
    await put(phone);
    const { event: last } = await resolve(phone, 'disk');
    await eventually(async () => expect(await outcomes(last)).toEqual(['resolved']));
    expect(await textsTo(phone)).toEqual(['fire disk']);
    const { body } = await admin<{ items: object[] }>('GET', '/incidents?source=alerts&state=open');
    expect(body.items).toEqual([]);
  });

  it('is notified when they opt in again and it is still open', async () => {
    const phone = newPhone();
    await put(phone);
    const { event: of } = await post('alerts', { phone: `+${phone}`, id: 'net' });
    await eventually(async () => {
      const { body } = await admin<{ items: MessageJson[] }>('GET', `/messages?phone=${phone}`);
      expect(body.items.map(({ state }) => state)).toEqual(['suppressed']);
    });
    expect(await outcomes(of)).toEqual(['waiting']);
    await remove(phone);
    await eventually(async () => expect(await textsTo(phone)).toEqual(['fire net']));
    await resolve(phone, 'net');
    await eventually(async () => expect(await textsTo(phone)).toEqual(['fire net', 'over net']));
  });

  it('is notified to the others of its list; the owner hears once that nobody of it is left', async () => {
    await publish(SET);
    await put(ANNA);
    await post('team', { id: 'a' });
    await eventually(async () => expect(await textsTo(BEN)).toEqual(['fire a']));
    expect(notices()).toEqual([]);
    await put(BEN);
    await post('team', { id: 'b' });
    await post('team', { id: 'c' });
    await eventually(() => expect(notices()).toHaveLength(1));
    expect(notices()[0]?.notice.text).toContain('the route team/all');
    expect(notices()[0]?.notice.text).not.toContain(ANNA);
    expect(await textsTo(ANNA)).toEqual([]);
  });
});
