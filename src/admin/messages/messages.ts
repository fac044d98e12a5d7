import * as z from 'zod/mini';
import { oneOf, notText } from '../../schema/parts.ts';
import { words, type View } from '../../registry/view.ts';
import type { MessageView } from '../../outbox/answers/api-message.ts';
import { outboxNames, findInOutboxes } from '../../outbox/many-outboxes.ts';
import { MESSAGE_STATES } from '../../outbox/state/states.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { notFound, pageOr, pageParams, invalid } from '../request/input.ts';
import { mergePages } from './merge.ts';
import { takenFor } from './whole-event.ts';
import { DEFAULT_ACCOUNT_NAME } from '../../config/secrets/credential-names.ts';
import { readGateway } from '../../config/secrets/gateway.ts';
import { gatewayName, lacksStatus, receiverRule } from '../../config/compiled/gateway-spec.ts';
import { loadConfig, readSet } from '../../config/load.ts';
import { messageOf, type sendSchema } from '../../config/documents/schema.ts';
import { isAList, noSuch } from '../../config/documents/unknown-name.ts';
import { checkCall, PHONES, takes, type ReceiverRule, whyTooLarge } from '../../gateway/call.ts';
import { MESSAGE_KINDS, paramsOf, type MessageKind, joinPollOptions } from '../../gateway/kinds.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { httpUrl, whyNotPublic } from '../../lib/url.ts';
import { storageFull } from '../../ingest/accept/accept.ts';
import { faultsText, problemResponse, fieldError, type Fault } from '../../lib/problem.ts';
import { internationalDigits } from '../../template/filters/dialled.ts';
import { parsePhone } from '../../template/filters/phone.ts';

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
  listMessages: apiRoute({
    method: 'GET',
    path: '/messages',
    role: 'viewer',
    view: { items: seenMessage, next_cursor: 'id' },
    query: {
      ...pageParams,
      state: z.optional(oneOf(MESSAGE_STATES)),
      source: z.optional(z.string()),
      event: z.optional(z.string()),
      phone: z.optional(z.string()),
    },
    guesses: ['phone'],
    handle: async ({ env, query: { cursor, ...filter } }) => {
      const { event } = filter;
      const taken = event === undefined ? null : await takenFor(env, event);
      return pageOr(
        await mergePages<MessageView>({
          outboxes: await outboxNames(env),
          limit: filter.limit,
          cursor,
          read: (account, position) =>
            env.OUTBOX.getByName(account).listMessages({
              ...filter,
              cursor: position,
              taken: taken?.get(account),
            }),
          time: ({ created_at }) => created_at,
          position: ({ id }) => id,
          isPosition: (text) => text.startsWith('msg_'),
        }),
      );
    },
  }),

  sendMessage: apiRoute({
    method: 'POST',
    path: '/messages',
    role: 'operator',
    body: messageSchema,
    status: 202,
    handle: ({ env, body }) => sendNow(env, body),
  }),

  getMessage: apiRoute({
    method: 'GET',
    path: '/messages/{id}',
    role: 'viewer',
    view: seenMessage,
    handle: async ({ env, params: { id } }) => {
      const message = await findInOutboxes<MessageView>(env, (outbox) => outbox.readMessage(id));
      return message ?? notFound(`message \`${id}\``);
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
    const url = publicUrl(params.value[name] ?? '');
    if (!url.ok) return wrong(name, 'unreachable', `${url.error}; the gateway has to fetch it`);
    params.value[name] = url.value.href;
  }

  const tooLarge = whyTooLarge(params.value);
  if (tooLarge !== null) return wrong('', 'too-long', tooLarge);

  const message: MessageView | null = await env.OUTBOX.getByName(account).send(
    { route: null, kind: call.value.kind, phone: phone.value, params: params.value },
    config.version,
  );
  return message ?? problemResponse(storageFull(60_000));
}

const wrong = (path: string, ...fault: Fault): Response =>
  invalid([fieldError(path, ...fault)], 'The message cannot be sent.');

/** An address that the gateway can fetch. Only templates may use addresses of the owner's own network. */
function publicUrl(address: string): Result<URL, string> {
  const url = httpUrl(address);
  const why = url.ok ? whyNotPublic(url.value.hostname) : null;
  return why === null ? url : err(why);
}

/** An address if the gateway has those, else gateway digits or an international number. Null for a kind without a receiver. */
function receiver(
  to: string | undefined,
  isWanted: boolean,
  rule: ReceiverRule,
): Result<string | null, string> {
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

function formFields(send: z.output<typeof sendSchema>): Result<Record<string, string>, string> {
  const { kind: _, ...params } = send;
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(params)) {
    if (Array.isArray(value)) {
      const joined = joinPollOptions(value);
      if (!joined.ok) return err(joined.error);
      fields[name] = joined.value;
    } else if (value !== undefined) {
      fields[name] = value;
    }
  }
  return ok(fields);
}
