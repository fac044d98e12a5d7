import * as z from 'zod/mini';
import { oneOf, notText, strictDocument } from '../../schema/parts.ts';
import { words, type View } from '../../registry/view.ts';
import type { MessageView } from '../../answers/api-message.ts';
import type { Page } from '../../outbox/read/read.ts';
import { outboxNames, findInOutboxes, type OutboxStub, callsFor } from '../../outbox/many-outboxes.ts';
import { MESSAGE_STATES, RETRYABLE_STATES, WAITING_STATES } from '../../schema/states.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import {
  notFound,
  pageOr,
  pageParams,
  invalid,
  conflict,
  moment,
  bulkCursor,
  bulkQuery,
  MAX_PHONES,
  messageFilter,
  wrongCursor,
  bulkAll,
  unclear,
} from '../request/input.ts';
import { mergePages, decodePositions, encodePositions } from './merge.ts';
import { DEFAULT_ACCOUNT_NAME } from '../../config/secrets/credential-names.ts';
import { readGateway } from '../../config/secrets/gateway.ts';
import { gatewayName, lacksStatus, receiverRule } from '../../config/compiled/gateway-spec.ts';
import { loadConfig, readSet } from '../../config/load.ts';
import { messageOf, type sendSchema } from '../../config/documents/schema.ts';
import { isAList, noSuch } from '../../config/documents/unknown-name.ts';
import {
  MESSAGE_KINDS,
  paramsOf,
  type MessageKind,
  joinPollOptions,
  checkCall,
  PHONES,
  takes,
  type ReceiverRule,
  whyTooLarge,
} from '../../gateway/kinds.ts';
import { err, ok } from '../../lib/result.ts';
import { httpUrl, whyNotPublic } from '../../lib/url.ts';
import { storageFull } from '../../ingest/accept/accept.ts';
import { faultsText, problemResponse, fieldError, type Fault } from '../../lib/problem.ts';
import { internationalDigits } from '../../phone/dialled.ts';
import { parsePhone } from '../../phone/read.ts';
import type { AccountMessage } from '../../outbox/state/acceptance.ts';
import type { Operated } from '../../outbox/outbox.ts';
import type { BulkStep, CancelStep } from '../../outbox/operate.ts';

export const seenMessage: View<MessageView> = {
  ...words('id', 'event', 'source', 'route', 'account', 'kind', 'state', 'code', 'actions', 'fallback'),
  ...words('fallback_account', 'fallback_of', 'fallback_of_account'),
  ...words('escaped_at', 'next_attempt_at', 'created_at', 'sent_at', 'config_version'),
  phone: 'phone',
  params: 'exact',
  reason: 'quoted',
  reason_params: 'quoted',
  attempts: {
    ...words('n', 'at', 'duration_ms', 'outcome', 'http_status', 'code'),
    params: 'quoted',
    response: 'quoted',
    detail: 'quoted',
  },
  about: { ...words('form', 'why', 'new', 'resolved', 'firing', 'summarized', 'since'), incidents: 'id' },
  waits: {
    ...words('for', 'until', 'per_hour', 'per_day', 'attempt', 'of', 'code'),
    params: 'quoted',
    detail: 'quoted',
  },
};

/** A message to send now. Its parameters are sent unchanged: they are not Liquid. */
export const messageSchema = messageOf({
  account: z.optional(z.string({ error: notText })),
  to: z.optional(z.string({ error: notText })),
});

export const messageRoutes = {
  listMessages: apiRoute('GET /messages', 'viewer', {
    view: { items: seenMessage, next_cursor: 'id' },
    query: {
      ...pageParams,
      state: z.optional(oneOf(MESSAGE_STATES)),
      ...messageFilter,
    },
    guesses: ['phone'],
    handle: async ({ env, query: { cursor, ...filter } }) => {
      const taken = filter.event === undefined ? null : await takenFor(env, filter.event);
      const read = (account: string, position: string | undefined): Promise<Page<MessageView>> => {
        const of = { ...filter, cursor: position, taken: taken?.get(account) };
        return env.OUTBOX.getByName(account).listMessages(of);
      };
      const page = await mergePages<MessageView>({
        outboxes: await outboxNames(env),
        limit: filter.limit,
        cursor,
        read,
        time: ({ created_at }) => created_at,
        position: ({ id }) => id,
        isPosition: (text) => text.startsWith('msg_'),
      });
      return pageOr(page);
    },
  }),

  sendMessage: apiRoute('POST /messages', 'operator', {
    body: messageSchema,
    status: 202,
    handle: ({ env, body }) => sendNow(env, body),
  }),

  getMessage: apiRoute('GET /messages/{id}', 'viewer', {
    view: seenMessage,
    handle: async ({ env, params: { id } }) => {
      const message = await findInOutboxes<MessageView>(env, (outbox) => outbox.readMessage(id));
      return message ?? notFound(`message \`${id}\``);
    },
  }),

  retryMessage: apiRoute('POST /messages/{id}/retry', 'operator', {
    handle: ({ env, params: { id }, login }) => operated(env, id, (outbox) => outbox.retry(id, login.actor)),
  }),

  cancelMessage: apiRoute('POST /messages/{id}/cancel', 'operator', {
    handle: ({ env, params: { id }, login }) => operated(env, id, (outbox) => outbox.cancel(id, login.actor)),
  }),

  retryMessages: apiRoute('POST /messages/retry', 'operator', {
    query: bulkQuery,
    body: strictDocument({
      state: oneOf(RETRYABLE_STATES),
      ...messageFilter,
      since: z.optional(moment),
      cursor: bulkCursor,
    }),
    handle: async ({ env, query, body: { cursor, ...filter }, login }) => {
      const isDryRun = query.dry_run === 'true';
      const names = await outboxNames(env);
      const begin = Object.fromEntries(names.map((name) => [name, '0']));
      const from = cursor === undefined ? begin : decodePositions(cursor, (text) => /^\d{1,15}$/.test(text));
      if (from === null) return wrongCursor();
      const done: BulkStep[] = [];
      let open = names.flatMap((name) => {
        const after = from[name];
        return after === undefined ? [] : [{ name, after: Number(after) }];
      });
      for (let calls = 0; open.length > 0 && calls < MAX_STEPS; calls += callsFor(open.length)) {
        const asked = open.map(async ({ name, after }) => {
          const outbox = env.OUTBOX.getByName(name);
          const step: BulkStep = await outbox.retryAll(filter, login.actor, { after, isDryRun });
          return { name, step };
        });
        const steps = await Promise.all(asked);
        done.push(...steps.map(({ step }) => step));
        open = steps.flatMap(({ name, step: { next } }) => (next === null ? [] : [{ name, after: next }]));
      }
      const positions = Object.fromEntries(open.map(({ name, after }) => [name, String(after)]));
      const phones = new Set(done.flatMap((step) => step.phones ?? []));
      const more = open.length > 0;
      return {
        retried: done.reduce((sum, step) => sum + step.retried, 0),
        ...(isDryRun && { phones: [...phones].slice(0, MAX_PHONES) }),
        more,
        next_cursor: more ? encodePositions(positions) : null,
      };
    },
  }),

  cancelMessages: apiRoute('POST /messages/cancel', 'operator', {
    query: bulkQuery,
    body: strictDocument({
      state: z.optional(oneOf(WAITING_STATES)),
      ...messageFilter,
      since: z.optional(moment),
      all: bulkAll('all waiting messages, of every account'),
      cursor: bulkCursor,
    }),
    handle: async ({ env, query, body: { all, cursor, ...filter }, login }) => {
      const problem = unclear(filter, all, 'state, source, event, phone or since');
      if (problem !== null) return problem;
      const names = await outboxNames(env);
      const from = cursor === undefined ? { index: 0, after: 0 } : positionOf(cursor, names);
      if (from === null) return wrongCursor();
      const isDryRun = query.dry_run === 'true';
      const sum = { cancelled: 0, in_flight: 0, looked_at: 0 };
      let { index, after } = from;
      for (let steps = 0; index < names.length && steps < MAX_STEPS; steps += 1) {
        const outbox = env.OUTBOX.getByName(names[index] ?? '');
        const step: CancelStep = await outbox.cancelAll(filter, login.actor, { after, isDryRun });
        sum.cancelled += step.cancelled;
        sum.in_flight += step.inFlight;
        sum.looked_at += step.looked;
        [index, after] = step.next === null ? [index + 1, 0] : [index, step.next];
      }
      const name = names[index];
      return { ...sum, next_cursor: name === undefined ? null : `${name}:${after}` };
    },
  }),
} satisfies ApiRoutes;

export async function sendNow(
  env: Env,
  { account = DEFAULT_ACCOUNT_NAME, to, ...send }: z.output<typeof messageSchema>,
): Promise<MessageView | Response> {
  const config = await loadConfig(env, Date.now());
  const policy = config.accounts.get(account);
  if (policy === undefined || policy.isRemoved)
    return wrong('account', ...noSuch('account', account, [...config.accounts.keys()]));
  const gateway = readGateway(env, account, policy.gateway);
  if (!gateway.ok) return wrong('account', 'secret', faultsText(gateway.error));
  if (send.kind === 'status' && lacksStatus(policy.gateway))
    return wrong('kind', 'unsupported', `is a status, and ${gatewayName(policy.gateway)} has none`);

  const rule = receiverRule(policy.gateway);
  const [list = ''] = to?.split('/') ?? [];
  if (rule !== PHONES && Object.hasOwn((await readSet(env))?.set.recipients ?? {}, list))
    return wrong('to', ...isAList(list));
  const phone = receiver(to, MESSAGE_KINDS[send.kind].hasReceiver, rule);
  if (!phone.ok) return wrong('to', 'number', phone.error);
  const params = formFields(send);
  if (!params.ok) return wrong('options', 'malformed', params.error);
  const call = checkCall({ kind: send.kind, phone: phone.value, params: params.value }, rule);
  if (!call.ok) return wrong(emptyParameter(send.kind, params.value), 'required', call.error);

  for (const [name, { holds }] of paramsOf(send.kind)) {
    if (holds !== 'url') continue;
    const url = httpUrl(params.value[name] ?? '');
    // Only templates may use addresses of the owner's own network.
    const why = url.ok ? whyNotPublic(url.value.hostname) : url.error;
    if (!url.ok || why !== null) return wrong(name, 'unreachable', `${why}; the gateway has to fetch it`);
    params.value[name] = url.value.href;
  }

  const tooLarge = whyTooLarge(params.value);
  if (tooLarge !== null) return wrong('', 'too-long', tooLarge);

  const made = { route: null, kind: call.value.kind, phone: phone.value, params: params.value };
  const message: MessageView | null = await env.OUTBOX.getByName(account).send(made, config.version);
  return message ?? problemResponse(storageFull(60_000));
}

const wrong = (path: string, ...fault: Fault): Response =>
  invalid([fieldError(path, ...fault)], 'The message cannot be sent.');

/** An address if the gateway has those, else gateway digits or an international number. Null for a kind without a receiver. */
function receiver(to: string | undefined, isWanted: boolean, rule: ReceiverRule) {
  if (!isWanted)
    return to === undefined
      ? ok(null)
      : err('is refused here: a status goes to all contacts and has no receiver');
  if (rule !== PHONES) return to !== undefined && takes(rule, to) ? ok(to) : err(`must be ${rule.what}`);
  if (to === undefined) return err('is required: a number with its country code, such as "4915112345678"');
  if (takes(rule, to)) return ok(to);
  const phone = parsePhone(to, { country: undefined });
  return phone.ok || internationalDigits(to.trim()) !== null
    ? phone
    : err('must be a number with its country code, such as +49 151 12345678');
}

/** The error that only `checkCall` finds: a required parameter with nothing but spaces. */
const emptyParameter = (kind: MessageKind, params: Readonly<Record<string, string>>): string =>
  paramsOf(kind).find(([name, { isOptional }]) => isOptional !== true && params[name]?.trim() === '')?.[0] ??
  '';

function formFields(send: z.output<typeof sendSchema>) {
  const { kind: _, ...params } = send;
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(params)) {
    const text = Array.isArray(value) ? joinPollOptions(value) : ok(value);
    if (!text.ok) return text;
    if (text.value !== undefined) fields[name] = text.value;
  }
  return ok(fields);
}

async function operated(env: Env, id: string, action: (outbox: OutboxStub) => Promise<Operated | null>) {
  const done = await findInOutboxes(env, async (outbox) => {
    const result = await action(outbox);
    if (result === null) return null;
    const message: MessageView | null = await outbox.readMessage(id);
    return message && { ...result, message };
  });
  if (done === null) return notFound(`message \`${id}\``);
  return done.refusal === null ? done.message : conflict(`The message ${done.refusal}.`);
}

/** The messages that each account has taken for an event of another account. */
export async function takenFor(env: Env, event: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const taken = new Map<string, string[]>();
  for (let asked = await outboxNames(env); asked.length > 0;) {
    const found = await Promise.all(
      asked.map((name): Promise<readonly AccountMessage[]> =>
        env.OUTBOX.getByName(name).handedOn(event, taken.get(name)),
      ),
    );
    const fresh = found.flat().filter(({ account, message }) => !taken.get(account)?.includes(message));
    for (const { account, message } of fresh) taken.set(account, [...(taken.get(account) ?? []), message]);
    asked = [...new Set(fresh.map(({ account }) => account))];
  }
  return taken;
}

/** Limits the calls of a request, so that it ends. A call looks at a thousand messages of an outbox, or more. */
const MAX_STEPS = 20;

/** An outbox, and the last message in it that was examined. Null if the text is no such cursor, or its account is gone. */
function positionOf(cursor: string, names: readonly string[]) {
  const [, name = '', digits = ''] = /^(.+):(\d{1,15})$/.exec(cursor) ?? [];
  const index = names.indexOf(name);
  return index < 0 ? null : { index, after: Number(digits) };
}
