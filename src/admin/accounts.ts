import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { loadConfig } from '../config/load.ts';
import { objectNames } from '../outbox/state/shards.ts';
import { mergeStatus } from '../outbox/read/merge-status.ts';
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
  const items = [...config.accounts].map(([name, policy]) => statusOf(outboxesOf(env, name, policy)));
  return context.json({ items: await Promise.all(items), next_cursor: null });
});

accounts.post('/accounts/:name/pause', (context) =>
  withAccount(context, (outbox, isNotified) =>
    outbox.pause(context.get('actor'), 'paused through the admin API', isNotified),
  ),
);

accounts.post('/accounts/:name/resume', (context) =>
  withAccount(context, (outbox, isNotified) => outbox.resume(isNotified)),
);

/** Does something to one object, and says whether the account's owner has been notified of it. */
type Act = (outbox: OutboxStub, isNotified: boolean) => Promise<boolean>;

/** Does it to each of the account's objects, and shows the account's status then. An unknown account gets no object. */
async function withAccount(context: AccountContext, act: Act | null): Promise<Response> {
  const name = context.req.param('name') ?? '';
  const policy = (await loadConfig(context.env, Date.now())).accounts.get(name);
  if (policy === undefined) return notFound(`account \`${name}\``);
  const outboxes = outboxesOf(context.env, name, policy);
  let isNotified = false;
  // One after the other: the first one that changes notifies the owner, who needs only one notification.
  for (const outbox of act === null ? [] : outboxes)
    isNotified = (await act?.(outbox, isNotified)) ?? isNotified;
  return context.json(await statusOf(outboxes));
}

const outboxesOf = (env: Env, ...account: Parameters<typeof objectNames>): readonly OutboxStub[] =>
  objectNames(...account).map((shard) => env.OUTBOX.getByName(shard));

const statusOf = async (outboxes: readonly OutboxStub[]) =>
  mergeStatus(await Promise.all(outboxes.map((outbox) => outbox.status())));
