import { Hono, type Context } from 'hono';
import { loadConfig } from '../config/load.ts';
import type { Env } from '../env.ts';
import type { AdminVariables } from './auth.ts';
import { notFound } from './input.ts';

type AccountContext = Context<{ Bindings: Env; Variables: AdminVariables }>;

/** `/accounts/{name}/…`: how an account stands, and a person's hand on it. */
export const accounts = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

accounts.get('/accounts/:name/status', (context) => withOutbox(context, (outbox) => outbox.status()));

accounts.post('/accounts/:name/pause', (context) =>
  withOutbox(context, async (outbox) => {
    await outbox.pause(context.get('actor'), 'paused through the admin API');
    return outbox.status();
  }),
);

accounts.post('/accounts/:name/resume', (context) =>
  withOutbox(context, async (outbox) => {
    await outbox.resume();
    return outbox.status();
  }),
);

/** Runs `use` on the account's outbox. An account that no document describes must not get an object of its own. */
async function withOutbox(
  context: AccountContext,
  use: (outbox: ReturnType<Env['OUTBOX']['getByName']>) => Promise<object>,
): Promise<Response> {
  const name = context.req.param('name') ?? '';
  const { accounts: known } = await loadConfig(context.env.CONFIG, Date.now());
  if (!known.has(name)) return notFound(`account \`${name}\``);
  return context.json(await use(context.env.OUTBOX.getByName(name)));
}
