import { beforeAll, describe, expect, it } from 'vitest';
import { admin, callsTo, event, isSent, message, postJson, publish } from './relay.ts';

interface Replayed {
  readonly event: string;
  readonly replay_of: string;
  readonly messages: readonly string[];
  readonly detail?: string;
}

const text = (words: string) => ({
  form: {
    verify: { scheme: 'none' },
    dedupe: { key: '{{ payload.id }}' },
    routes: [{ name: 'all', to: '{{ payload.phone }}', send: { kind: 'text', message: words } }],
  },
});
const secretive = { ...text('{{ payload.phone }}').form, store: 'metadata' };

const replay = (id: string) => admin<Replayed>('POST', `/events/${id}/replay`);

async function postOne(source: string, payload: object): Promise<{ event: string; messages: string[] }> {
  const response = await postJson(`${source}?via=test`, payload);
  return response.json();
}

const texts = async (phone: string) => (await callsTo(phone)).map(({ params }) => params['message']);

describe('replaying an event', () => {
  beforeAll(() => publish({ sources: { ...text('old: {{ payload.id }}'), secretive } }));

  it('renders it with today’s configuration, sends it again, and links it to the original', async () => {
    const phone = '4915112351001';
    const first = await postOne('form', { id: 'one', phone: `+${phone}` });
    await message(first.messages[0] ?? '', isSent);
    const before = await event(first.event);

    await publish({
      sources: {
        ...text('new: {{ payload.id }} {{ query.via }} {{ event.received_at }} {{ event.dedupe_key }}'),
        secretive,
      },
    });
    const { status, body } = await replay(first.event);
    expect(status).toBe(202);
    expect(body).toMatchObject({ replay_of: first.event });
    expect(body.event).not.toBe(first.event);
    await message(body.messages[0] ?? '', isSent);
    expect(await texts(phone)).toEqual([
      'old: one',
      `new: one test ${Reflect.get(before, 'received_at')} one`,
    ]);

    const stored = await event(body.event);
    expect(stored).toMatchObject({
      replay_of: first.event,
      replayed_by: 'token',
      state: 'routed',
      duplicates: 0,
      payload: before.payload,
    });
    expect(Reflect.get(stored, 'config_version')).toBeGreaterThan(
      Number(Reflect.get(before, 'config_version')),
    );
    expect(await event(first.event)).toEqual(before);
  });

  it('is not taken for a duplicate, as often as it is asked for, and takes no claim', async () => {
    const phone = '4915112351002';
    const first = await postOne('form', { id: 'two', phone: `+${phone}` });
    const replays = await Promise.all([replay(first.event), replay(first.event)]);
    expect(new Set(replays.map(({ body }) => body.event)).size).toBe(2);
    for (const { body } of replays) await message(body.messages[0] ?? '', isSent);
    expect(await callsTo(phone)).toHaveLength(3);
    expect(await postOne('form', { id: 'two', phone: `+${phone}` })).toMatchObject({
      event: first.event,
      duplicate: true,
    });
  });

  it('can be replayed itself', async () => {
    const first = await postOne('form', { id: 'three', phone: '+4915112351003' });
    const { body } = await replay(first.event);
    expect((await replay(body.event)).body.replay_of).toBe(body.event);
  });

  it('fixes an event that failed, once its template is right', async () => {
    await publish({ sources: { ...text('{{ payload.words }}'), secretive } });
    const phone = '4915112351004';
    const failed = await postOne('form', { id: 'four', phone: `+${phone}`, word: 'hi' });
    expect(await event(failed.event)).toMatchObject({ state: 'failed', messages: [] });
    await publish({ sources: { ...text('{{ payload.word }}'), secretive } });
    const { body } = await replay(failed.event);
    await message(body.messages[0] ?? '', isSent);
    expect(await texts(phone)).toEqual(['hi']);
  });

  it('is 409 for a source that keeps no payloads, and says so', async () => {
    const { event: id } = await postOne('secretive', { id: 'five', phone: '+4915112351005' });
    const { status, body } = await replay(id);
    expect(status).toBe(409);
    expect(body.detail).toContain('store: metadata');
  });

  it('is 409 for a source that is gone, and 404 for an event that never was', async () => {
    const { event: id } = await postOne('form', { id: 'six', phone: '+4915112351006' });
    await publish({ sources: { secretive } });
    const { status, body } = await replay(id);
    expect(status).toBe(409);
    expect(body.detail).toContain('publish it');
    expect((await replay('evt_00000000000000000000000000')).status).toBe(404);
  });
});
