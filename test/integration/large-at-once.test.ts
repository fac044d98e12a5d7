import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../src/ingest/request/receive.ts';
import { postJson, publish } from './relay.ts';

const WEBHOOKS = 200;

/** As large as a body may be. */
function largest(n: number): { n: number; text: string } {
  const frame = JSON.stringify({ n, text: '' }).length;
  return { n, text: 'x'.repeat(MAX_BODY_BYTES - frame) };
}

async function send(n: number): Promise<number> {
  const response = await postJson('shop', largest(n));
  const receipt = await response.json<{ duplicate?: boolean }>();
  if (response.status === 202) expect(receipt.duplicate).toBe(false);
  else expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  return response.status;
}

/** The webhooks that are stored, by their numbers. */
const stored = (): Promise<readonly number[]> =>
  runInDurableObject(env.OUTBOX.getByName('default'), (_, { storage: { sql } }) =>
    sql
      .exec<{ n: number }>("SELECT json_extract(payload, '$.n') AS n FROM events ORDER BY n")
      .toArray()
      .map(({ n }) => n),
  );

describe('two hundred webhooks of the largest size at once', () => {
  beforeAll(() =>
    publish({
      sources: { shop: { verify: { scheme: 'none' }, limit: false, dedupe: { key: '{{ payload.n }}' } } },
      templates: {},
      recipients: {},
    }),
  );

  it('are each stored once, or answered 503 with `Retry-After`; none is lost or doubled', async () => {
    const numbers = Array.from({ length: WEBHOOKS }, (_, n) => n);
    const statuses = await Promise.all(numbers.map((n) => send(n)));
    expect(statuses.filter((status) => status !== 202 && status !== 503)).toEqual([]);
    const taken = numbers.filter((n) => statuses[n] === 202);
    expect(taken.length).toBeGreaterThan(0);
    expect(await stored()).toEqual(taken);
    // Those that are sent again find the memory free.
    for (const n of numbers) if (statuses[n] === 503) expect(await send(n)).toBe(202);
    expect(await stored()).toEqual(numbers);
  });
});
