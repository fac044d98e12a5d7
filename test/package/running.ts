import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseEnv } from 'node:util';
import { expect } from 'vitest';
import * as z from 'zod';
import { freePort } from '../../cli/dev/workerd/workerd.ts';
import { eventually } from '../eventually.ts';
import { processesWith, type Home } from './home.ts';

const receipt = z.object({ messages: z.array(z.string()).min(1) });
const calls = z.object({ items: z.array(z.object({ delivered: z.boolean() })) });

let payments = 0;

/** Signed as Stripe signs. Each is another payment. */
export async function postPayment(url: string, secret: string): Promise<Response> {
  const created = Math.floor(Date.now() / 1_000);
  payments += 1;
  const session = {
    id: `cs_test_${created}_${payments}`,
    object: 'checkout.session',
    amount_total: 12_950,
    currency: 'eur',
    payment_status: 'paid',
    customer_details: { name: 'Zoë Schmidt', email: 'zoe@example.com', phone: '+4915187654399' },
  };
  const event = {
    id: `evt_${created}_${payments}`,
    object: 'event',
    type: 'checkout.session.completed',
    created,
    data: { object: session },
  };
  const body = JSON.stringify(event);
  const signature = createHmac('sha256', secret).update(`${created}.${body}`).digest('hex');
  return fetch(`${url}/hooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${created},v1=${signature}` },
    body,
  });
}

/** `npm run dev` in the project, with a webhook's sender and the phone. */
export async function startDev(home: Home, project: string) {
  const [port, phone] = [await freePort(), await freePort()];
  const env = { PORT: String(port), SIMULATOR_PORT: String(phone) };
  const dev = home.start(project, env, 'npm', 'run', 'dev');
  await eventually(() => expect(dev.output()).toContain('Ctrl-C stops everything.'));
  const { STRIPE_WEBHOOK_SECRET = '' } = parseEnv(readFileSync(join(project, '.dev.vars'), 'utf8'));
  const url = `http://localhost:${port}`;
  return {
    url,
    phoneUrl: `http://localhost:${phone}`,
    output: dev.output,
    secret: STRIPE_WEBHOOK_SECRET,
    post: async () => {
      const answer = await postPayment(url, STRIPE_WEBHOOK_SECRET);
      expect(answer.status).toBe(202);
      return receipt.parse(await answer.json()).messages;
    },
    /** From now on the gateway is out of order. */
    breakGateway: async () => {
      const steps = [{ failure: 'status', status: 503, times: 1_000_000 }];
      await fetch(`http://localhost:${phone}/_control/script`, {
        method: 'PUT',
        body: JSON.stringify({ steps }),
      });
    },
    /** Returns the number of times that the phone got something. */
    rang: async () => {
      const { items } = calls.parse(
        await (await fetch(`http://localhost:${phone}/_control/calls?limit=1000`)).json(),
      );
      return items.filter(({ delivered }) => delivered).length;
    },
    admin: async (path: string) =>
      (
        await fetch(`${url}/admin/api/v1${path}`, { headers: { authorization: 'Bearer demo-admin-token' } })
      ).json(),
    stop: async () => {
      dev.child.kill('SIGTERM');
      await dev.ended;
      await eventually(() => expect(processesWith(project)).toEqual([]));
    },
  };
}

/** Changes the project's store as a hookbell with other tables would have made it. */
export function makeUnreadable(project: string): void {
  for (const file of storeFiles(project)) {
    const database = new DatabaseSync(file);
    database.exec('UPDATE store_version SET version = 900');
    database.close();
  }
}

/** The files of the outboxes and of the registry. */
function storeFiles(project: string): readonly string[] {
  const folder = join(project, '.wrangler/demo/objects');
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.sqlite') && /Outbox|Registry/.test(file))
    .map((file) => join(folder, file))
    .filter((file) => {
      const database = new DatabaseSync(file, { readOnly: true });
      const table = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'store_version'").get();
      database.close();
      return table !== undefined;
    });
}
