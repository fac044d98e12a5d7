import * as z from 'zod';
import { DEFAULT_ACCOUNT_NAME, readCredentials } from '../config/credentials.ts';
import { loadConfig } from '../config/load.ts';
import { templateSchema } from '../config/schema.ts';
import type { Env } from '../env.ts';
import { checkCall } from '../gateway/call.ts';
import { joinPollOptions } from '../gateway/poll-options.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { parsePhone } from '../template/phone.ts';
import { check, invalid } from './input.ts';

/** What stands beside the kind and its parameters. The parameters are sent as they are: they are not Liquid. */
const envelopeSchema = z.looseObject({
  account: z.optional(z.string({ error: 'must be the name of an account' })),
  to: z.optional(z.string({ error: 'must be a number, as text' })),
});

/** `POST /messages`: queues one message at once and shows it. */
export async function sendNow(env: Env, input: unknown): Promise<Response> {
  const envelope = check(envelopeSchema, input);
  if (!envelope.ok) return envelope.error;
  const { account = DEFAULT_ACCOUNT_NAME, to, ...template } = envelope.value;
  const send = check(templateSchema, template);
  if (!send.ok) return send.error;

  const config = await loadConfig(env.CONFIG, Date.now());
  if (!config.accounts.has(account)) return wrong('account', `there is no account \`${account}\``);
  const credentials = readCredentials(env, account);
  if (!credentials.ok) return wrong('account', credentials.error.join('; '));

  const phone = receiver(to);
  if (!phone.ok) return wrong('to', phone.error);
  const params = formFields(send.value);
  if (!params.ok) return wrong('options', params.error);
  const call = checkCall({ kind: send.value.kind, phone: phone.value, params: params.value });
  if (!call.ok) return wrong('kind', call.error);

  const message = await env.OUTBOX.getByName(account).send(
    {
      route: null,
      kind: call.value.kind,
      phone: phone.value,
      params: params.value,
      delayMs: 0,
      expiresMs: null,
      onUncertain: 'retry',
      priority: 'normal',
      forget: false,
    },
    config.version,
  );
  return Response.json(message, { status: 202 });
}

const wrong = (path: string, message: string): Response =>
  invalid('The message cannot be sent.', [{ path, message }]);

/** Gateway digits as they are, or an international number as people write it. */
function receiver(to: string | undefined): Result<string | null, string> {
  if (to === undefined) return ok(null);
  return /^[1-9]\d{6,14}$/.test(to) ? ok(to) : parsePhone(to, undefined);
}

function formFields(send: z.output<typeof templateSchema>): Result<Record<string, string>, string> {
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
