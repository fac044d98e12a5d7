import { env } from 'cloudflare:workers';
import { createScheduledController, runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import relay from '../src/index.ts';
import { sweepOutboxes } from '../src/sweep.ts';
import { callsTo, isSent, message, postJson, publish } from './integration/relay.ts';

const PHONE = '4915112349901';

describe('the cron trigger', () => {
  beforeAll(() =>
    publish({
      sources: {
        form: {
          verify: { scheme: 'none' },
          routes: [
            { name: 'all', to: '{{ payload.phone }}', delay: '500ms', send: { kind: 'text', message: 'hi' } },
          ],
        },
      },
    }),
  );

  it('makes an object deliver whose alarm was lost', async () => {
    const response = await postJson('form', { phone: `+${PHONE}` });
    const { messages } = await response.json<{ messages: string[] }>();
    const stub = env.OUTBOX.getByName('default');
    await runInDurableObject(stub, async (_outbox, { storage }) => {
      await storage.deleteAlarm();
      expect(await storage.getAlarm()).toBeNull();
    });

    await relay.scheduled(createScheduledController(), env);
    await message(messages[0] ?? '', isSent);
    expect(await callsTo(PHONE)).toHaveLength(1);
  });

  it('goes on with the other outboxes when one cannot be swept', async () => {
    await publish({ accounts: { default: { shards: 3, rate: false } } });
    const swept: string[] = [];
    const OUTBOX = {
      getByName: (name: string) => ({
        sweep: () => {
          swept.push(name);
          return name === 'default' ? Promise.reject(new Error('overloaded')) : Promise.resolve();
        },
      }),
    };
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await sweepOutboxes(
      new Proxy(env, {
        get: (target, key) => (key === 'OUTBOX' ? OUTBOX : (Reflect.get(target, key) as unknown)),
      }),
    );
    expect(swept).toEqual(['default', 'default#1', 'default#2']);
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  });
});
