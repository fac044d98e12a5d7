import { loadConfig } from '../config/load.ts';
import { askOutboxes, type OutboxStub } from '../outbox/many-outboxes.ts';
import type { OutboxStatus } from '../answers/api-status.ts';
import { orNull } from '../metrics/collect.ts';
import { words, type View } from '../registry/view.ts';
import { apiRoute, type ApiRoutes } from './api/route.ts';
import { notFound, wholeList } from './request/input.ts';

const seenStatus: View<OutboxStatus> = {
  ...words('account', 'queued', 'retrying', 'sending', 'uncertain', 'dead', 'waiting', 'open_incidents'),
  ...words('inexact', 'rate', 'receivers_at_cap', 'storage', 'drain_seconds', 'drain_at_least', 'waits_for'),
  circuit: {
    ...words('state', 'failures', 'probe_at'),
    last_error: { ...words('at', 'code'), params: 'quoted', detail: 'quoted' },
  },
  canary: words('sent_at', 'answered_at', 'next_at'),
  escape: { failures: 'words', last: { at: 'words', detail: 'words' } },
  paused: { ...words('since', 'by', 'code'), params: 'quoted', reason: 'quoted' },
};

export const accountRoutes = {
  listAccountStatus: apiRoute('GET /status', 'viewer', {
    view: { items: seenStatus, ...words('next_cursor', 'unreachable') },
    handle: async ({ env }) => {
      const read = await askOutboxes(env, async (outbox, account) => {
        const status = await orNull<OutboxStatus>({ account }, () => outbox.status());
        return { account, status };
      });
      const unreachable = read.flatMap(({ account, status }) => (status === null ? [account] : []));
      const page = wholeList(read.flatMap(({ status }) => status ?? []));
      return { ...page, ...(unreachable.length > 0 && { unreachable }) };
    },
  }),

  getAccountStatus: apiRoute('GET /accounts/{name}/status', 'viewer', {
    view: seenStatus,
    handle: ({ env, params }) => withAccount(env, params.name),
  }),

  pauseAccount: apiRoute('POST /accounts/{name}/pause', 'operator', {
    handle: ({ env, params, login }) => withAccount(env, params.name, (outbox) => outbox.pause(login.actor)),
  }),

  resumeAccount: apiRoute('POST /accounts/{name}/resume', 'operator', {
    handle: ({ env, params }) => withAccount(env, params.name, (outbox) => outbox.resume()),
  }),
} satisfies ApiRoutes;

/** Does something to the account's outbox, and returns its status afterwards. An unknown account gets no outbox. */
async function withAccount(
  env: Env,
  name: string,
  act?: (outbox: OutboxStub) => Promise<void>,
): Promise<OutboxStatus | Response> {
  const { accounts: known } = await loadConfig(env, Date.now());
  if (!known.has(name)) return notFound(`account \`${name}\``);
  const outbox = env.OUTBOX.getByName(name);
  await act?.(outbox);
  return outbox.status();
}
