import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { loadConfig } from '../config/load.ts';
import type { AdminVariables } from './auth/auth.ts';
import { notFound } from './request/input.ts';

type AccountContext = Context<{ Bindings: Env; Variables: AdminVariables }>;
type OutboxStub = ReturnType<Env['OUTBOX']['getByName']>;

/** `/accounts/{name}/…`: an account's status, pause, resume and circuit. */
export const accounts = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

accounts.get('/accounts/:name/status', (context) => withAccount(context, null));

accounts.get('/status', async (context) => {
  const { env } = context;
  const config = await loadConfig(env, Date.now());
  const items = [...config.accounts.keys()].map((name) => env.OUTBOX.getByName(name).status());
  return context.json({ items: await Promise.all(items), next_cursor: null });
});

accounts.post('/accounts/:name/pause', (context) =>
  withAccount(context, (outbox) => outbox.pause(context.get('actor'), 'paused through the admin API')),
);

accounts.post('/accounts/:name/resume', (context) => withAccount(context, (outbox) => outbox.resume()));

/** Does something to the account's outbox, and shows its status then. An unknown account gets no outbox. */
async function withAccount(
  context: AccountContext,
  act: ((outbox: OutboxStub) => Promise<void>) | null,
): Promise<Response> {
  const name = context.req.param('name') ?? '';
  const { accounts: known } = await loadConfig(context.env, Date.now());
  if (!known.has(name)) return notFound(`account \`${name}\``);
  const outbox = context.env.OUTBOX.getByName(name);
  await act?.(outbox);
  return context.json(await outbox.status());
}
