import { env } from 'cloudflare:workers';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Stats } from '../../src/metrics/api-stats.ts';
import { channel, eventually, OWNER_URL, reported, watchOutside } from './outside.ts';
import { admin, isSent, message, postJson, publish, UNPACED } from './relay.ts';

const HOUR = 3_600_000;

const publishSources = (sources: object) =>
  publish({
    accounts: { default: { ...UNPACED, notify: { url: OWNER_URL, secret: 'NOTIFY_PATH' } } },
    sources,
  });

const source = (heartbeat?: string) => ({
  verify: { scheme: 'none' },
  ...(heartbeat !== undefined && { heartbeat }),
});

const outbox = () => env.OUTBOX.getByName('default');

/** So long after now: the object's own alarm rings if it is due by then, and not else. */
async function after(ms: number): Promise<void> {
  const now = Date.now() + ms;
  const at = await runInDurableObject(outbox(), (_, { storage }) => storage.getAlarm());
  if (at === null || at > now) return;
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now);
  await runDurableObjectAlarm(outbox());
  clock.mockRestore();
}

const kinds = (): readonly string[] => reported.map(({ notice }) => notice.kind);

const heartbeatOf = async (id: string) => (await admin<Stats>('GET', '/stats')).body.sources[id]?.heartbeat;

/** The messages of a webhook: the one that is sent at once, and the one that is delayed. */
async function order(phone: string): Promise<readonly [now: string, later: string]> {
  const response = await postJson('shop', { phone });
  const { messages } = await response.json<{ messages: string[] }>();
  return [messages[0] ?? '', messages[1] ?? ''];
}

beforeAll(() => {
  watchOutside();
});

describe('a source that falls silent', () => {
  it('is reported to the account’s owner once, and once more when it is back', async () => {
    await publishSources({ shop: source('10h'), form: source() });
    await after(0);
    await postJson('shop', {});
    await after(9 * HOUR);
    expect(kinds()).toEqual([]);
    expect(await heartbeatOf('shop')).toEqual({ expected: '10h', overdue: false });

    await after(11 * HOUR);
    await after(12 * HOUR);
    await eventually(() => expect(kinds()).toEqual(['source.silent']));
    expect(reported[0]?.notice.text).toContain('the source shop has sent no webhook for more than 10h');

    await postJson('shop', {});
    await after(0);
    await after(0);
    await eventually(() => expect(kinds()).toEqual(['source.silent', 'source.back']));
  });

  it('is never one that was only just published', async () => {
    reported.length = 0;
    await publishSources({ shop: source(), fresh: source('10h') });
    await after(0);
    await after(9 * HOUR);
    expect(kinds()).toEqual([]);
    await after(11 * HOUR);
    await eventually(() => expect(kinds()).toEqual(['source.silent']));
    expect(reported[0]?.notice.text).toContain('It has never sent any');
  });

  it('is shown as overdue by the statistics', async () => {
    await runInDurableObject(env.OUTBOX.getByName('default'), (_, { storage: { sql } }) =>
      sql.exec(
        "UPDATE meta SET value = ? WHERE key = 'heartbeat:fresh'",
        JSON.stringify({ since: Date.now() - 11 * HOUR, isSilent: true }),
      ),
    );
    expect(await heartbeatOf('fresh')).toEqual({ expected: '10h', overdue: true });
  });
});

describe('a heartbeat’s call that hangs', () => {
  const send = { kind: 'text', message: 'hello' };
  const to = '{{ payload.phone }}';
  const routes = [
    { name: 'now', to, send },
    { name: 'later', to, delay: '11h', send },
  ];

  it('does not hold up sending', async () => {
    await publishSources({ shop: { ...source('10h'), routes } });
    await after(0);
    const [now, later] = await order('+4915112358001');
    await message(now, isSent);

    reported.length = 0;
    const { promise, resolve } = Promise.withResolvers<Response>();
    channel.answer = () => promise;
    // This returns when the alarm's run does.
    await after(11 * HOUR);
    await eventually(() => expect(kinds()).toEqual(['source.silent']));
    await message(later, isSent);

    // The channel still hangs; neither a webhook nor the next alarm waits for it.
    const [nextNow, nextLater] = await order('+4915112358002');
    await message(nextNow, isSent);
    await after(12 * HOUR);
    await message(nextLater, isSent);
    expect(kinds()).toEqual(['source.silent']);

    channel.answer = () => new Response('ok');
    resolve(new Response('ok'));
    await eventually(() => expect(kinds()).toEqual(['source.silent', 'source.back']));
  });
});
