import { expect, it } from 'vitest';
import { app } from '../../../src/app.ts';
import type { OutboxCall } from '../../../src/outbox/many-outboxes.ts';
import { bindings } from '../../bindings.ts';
import { setOf } from '../../config/support.ts';
import { answering, hookbell, serving, TOKEN } from '../offline.ts';

const none = { queued: 0, retrying: 0, sending: 0, uncertain: 0, dead: 0, waiting: 0, open_incidents: 0 };
const status = {
  ...none,
  circuit: { state: 'closed', failures: 0 },
  paused: null,
  rate: null,
  storage: { bytes: 1, max_bytes: 2, state: 'ok' },
  drain_seconds: null,
};
const callOutboxes = (calls: readonly OutboxCall[]) =>
  calls.map(({ name }) => (name === 'broken' ? { error: 'no' } : { value: { ...status, account: name } }));

it('accounts shows one that is removed and still sends, too, and one that does not answer beside the others', async () => {
  const set = setOf({ accounts: { sales: {}, broken: {} } });
  const text = JSON.stringify({ activation: 1, version: 1, removed: { old: {} }, set });
  const env = bindings({
    CONFIG: { get: () => Promise.resolve(text) },
    OUTBOX: {},
    REGISTRY: { getByName: () => ({ callOutboxes }) },
  });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const answer = await app.fetch(new Request('http://localhost/admin/api/v1/status', { headers }), env);
  const relay = await serving(answering(200, 'application/json', await answer.text()));
  const { stdout } = await hookbell('accounts', { env: { HOOKBELL_URL: relay } });
  const shown = stdout.match(/^\w+ +(?:ready|no answer)/gm)?.map((line) => line.replace(/ +/, ': '));
  expect(shown).toEqual(['old: ready', 'default: ready', 'sales: ready', 'broken: no answer']);
});
