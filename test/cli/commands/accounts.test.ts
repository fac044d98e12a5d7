import { expect, it } from 'vitest';
import { accountExamples } from '../../../openapi/examples/accounts.ts';
import { app } from '../../../src/app.ts';
import { callEach, type OutboxCall } from '../../../src/outbox/many-outboxes.ts';
import { bindings } from '../../bindings.ts';
import { setOf } from '../../config/support.ts';
import { hookbell, serving, TOKEN } from '../offline.ts';

const statusOf = (account: string) => () =>
  account === 'broken'
    ? Promise.reject(new Error('no'))
    : Promise.resolve({ ...accountExamples.status.status.value, account });

it('accounts asks once, shows one that is removed and still sends, too, and one that does not answer beside the others', async () => {
  const set = setOf({ accounts: { sales: {}, broken: {} } });
  const text = JSON.stringify({ activation: 1, version: 1, removed: { old: {} }, set });
  const OUTBOX = { getByName: (account: string) => ({ status: statusOf(account) }) };
  const callOutboxes = (calls: readonly OutboxCall[]) => callEach(bindings({ OUTBOX }), calls);
  const env = bindings({
    CONFIG: { get: () => Promise.resolve(text) },
    OUTBOX,
    REGISTRY: { getByName: () => ({ callOutboxes }) },
  });
  const asked: string[] = [];
  const relay = await serving(({ url = '' }, response) => {
    asked.push(url);
    const headers = { authorization: `Bearer ${TOKEN}` };
    void Promise.resolve(app.fetch(new Request(`http://localhost${url}`, { headers }), env))
      .then((answer) => answer.text())
      .then((body) => response.setHeader('content-type', 'application/json').end(body));
  });
  const { code, stdout } = await hookbell('accounts', { env: { HOOKBELL_URL: relay } });
  expect(stdout.match(/^\w+ +(?:ready|no answer)/gm)?.map((line) => line.split(/ {2,}/))).toEqual([
    ['old', 'ready'],
    ['default', 'ready'],
    ['sales', 'ready'],
    ['broken', 'no answer'],
  ]);
  expect([code, asked]).toEqual([0, ['/admin/api/v1/status']]);
});
