import { env } from 'cloudflare:workers';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Stats } from '../../src/metrics/api-stats.ts';
import { eventually, OWNER_URL, reported, watchOutside } from './outside.ts';
import { admin, postJson, publish, UNPACED } from './relay.ts';

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
