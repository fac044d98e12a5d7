import { reasonText } from '../../src/lib/reason.ts';
import '../facts.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { accountSchema } from '../../src/config/documents/account-schema.ts';
import { secretPrefix } from '../../src/config/secrets/credential-names.ts';
import { gatewayName, gatewaySpec, shapeOf } from '../../src/config/compiled/gateway-spec.ts';
import { httpRequest } from '../../src/gateway/http.ts';
import { findMaker } from '../../src/gateway/makers/makers.ts';
import type { GatewaySpec } from '../../src/gateway/shape.ts';
import { v2 } from '../../src/gateway/v2.ts';
import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import type { AddCommand, Cli } from '../command.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import { configSet, message } from '../relay/shapes.ts';
import { oneLine, safe } from '../text.ts';
import { waitText } from '../waits.ts';

export const add: AddCommand = (program) => {
  const gateway = program
    .command('gateway')
    .summary('check an account’s gateway, or find a chat that it can send to')
    .description('Checks the gateway of an account.');
  gateway
    .command('check')
    .option('--account <name>', 'the account', 'default')
    .requiredOption('--to <receiver>', 'your own number, topic or chat id: it gets one text')
    .summary('send one text; show the request, the answer and its outcome')
    .description(
      'Sends one text through the account, and shows the request without its credentials, the answer, its outcome (sent, rejected …), and what to change.',
    )
    .examples(
      ['hookbell gateway check --to 4915112345678', 'through the default account'],
      ['hookbell gateway check --account alerts --to my-topic-k3x9q2', 'through an account with ntfy'],
    )
    .run(check);
  gateway
    .command('pair')
    .option('--account <name>', 'the account', 'telegram')
    .summary('show the chats that wrote to your Telegram bot')
    .description(
      'Asks Telegram who wrote to the bot, and shows their chat ids for a recipients list. Reads the token from GATEWAY_<ACCOUNT>_TOKEN.',
    )
    .examples(['GATEWAY_TELEGRAM_TOKEN=… hookbell gateway pair', 'after pressing Start in the chat'])
    .run(pair);
};

const TEXT = 'hookbell: the gateway works.';

async function check(cli: Cli, { account, to }: { readonly account: string; readonly to: string }) {
  const { client, out } = cli;
  const spec = await specOf(client, account);
  if (!spec.ok) return spec;
  const queued = await client.post('/messages', message, { account, to, kind: 'text', message: TEXT });
  if (!queued.ok) return queued;
  const done = await firstAttempt(cli, queued.value.data.id);
  if (!done.ok) return done;
  const { data, json } = done.value;
  const attempt = data.attempts.at(-1);
  const outcome = attempt?.outcome ?? 'none';
  out.show(json, () => {
    for (const line of requestLines(spec.value, account, to)) out.line(safe(line));
    out.line();
    out.line(`answer: ${attempt?.http_status ?? 'none'} ${oneLine(attempt?.response ?? '')}`.trimEnd());
    out.line(`outcome: ${outcome}${attempt?.detail === undefined ? '' : `: ${oneLine(attempt.detail)}`}`);
    const advice = (ADVICE[outcome] ?? 'nothing to set').replace('<account>', account);
    out.line(`next: ${cli.pasteIn(advice)}`);
  });
  return outcome === 'sent' ? undefined : failed(`${data.id} was not sent: ${outcome}`);
}

const ADVICE: Readonly<Record<string, string>> = {
  sent: 'check the phone; nothing to set',
  refused: 'if a retry can never succeed, add a pattern for this answer to the account’s permanent_errors',
  uncertain:
    'check the phone: it may have arrived. Check the address, too, and whether a proxy is in between',
  unauthorized: 'set the account’s secrets again, then run `hookbell resume <account>`',
  forbidden: 'check that the login may send to this receiver',
  redirected: 'check the base URL: redirects are not followed',
  busy: 'if this happens often, lower the account’s rate.per_minute; the message is tried again',
  rejected: 'read the answer: this message is not tried again',
  server_error: 'the gateway failed; the message is tried again',
  unreachable: 'check the base URL, and that the gateway is up',
};

async function specOf(client: Client, account: string): Promise<CommandResult<GatewaySpec>> {
  const config = await client.get('/config', configSet);
  if (!config.ok) return config;
  const document = z.safeParse(accountSchema, config.value.data.accounts[account] ?? {});
  return document.success
    ? ok(gatewaySpec(document.data))
    : misused(`this version of hookbell cannot read account ${account}; use the relay’s version`);
}

/** The names in angle brackets, which an address and a form encode. */
const shown = (text: string): string => text.replaceAll(/%3C([A-Z_]+|id)%3E/g, '<$1>');

/** The request as it was sent, with the names of secrets in place of their values. */
function requestLines(spec: GatewaySpec, account: string, to: string): readonly string[] {
  const prefix = secretPrefix(account);
  const named = (end: string): string => `<${prefix}${end}>`;
  const shape = shapeOf(spec);
  const call = { kind: 'text', phone: to, params: { message: TEXT } } as const;
  const address = 'https://gateway.invalid';
  const baseUrl = spec.baseUrl ?? findMaker(spec.maker)?.baseUrl ?? address;
  const ends = [...(shape?.secrets ?? []), ...(shape?.optional_secrets ?? [])];
  const secrets = Object.fromEntries(ends.map((end) => [end, named(end)]));
  const request =
    shape === null
      ? v2({ baseUrl: `${address}/api`, email: named('EMAIL'), apiKey: named('API_KEY') }).request(
          call,
          '<id>',
        )
      : httpRequest(call, { shape, baseUrl, options: spec.options, secrets }, '<id>');
  if (!request.ok) return [reasonText(request.error)];
  const { url, init } = request.value;
  return [
    `${gatewayName(spec)}:`,
    `${init.method} ${shown(url.href).replace(`${address}/api`, `<${prefix}BASE_URL>`)}`,
    ...[...init.headers].map(([name, value]) =>
      name === 'authorization' && value.startsWith('Basic ')
        ? `${name}: Basic <user:password>`
        : `${name}: ${value}`,
    ),
    '',
    shown(init.body),
  ];
}

/** The longest wait for a first answer (ms): the longest time-out of a call. */
const PATIENCE_MS = 120_000;

async function firstAttempt({ out, client }: Cli, id: string) {
  for (const startedAt = Date.now(); ; await sleep(200)) {
    const answer = await client.get(`/messages/${id}`, message);
    if (!answer.ok || answer.value.data.attempts.length > 0 || answer.value.data.state === 'dead')
      return answer;
    if (Date.now() - startedAt > PATIENCE_MS)
      return failed(
        `${id} has not been sent yet: ${waitText(answer.value.data) ?? 'it waits'}; \`hookbell messages ${id}\` shows more`,
      );
    out.progress(`${answer.value.data.state}: waiting for the answer …`);
  }
}

const chat = z.object({ id: z.number(), first_name: z.optional(z.string()), title: z.optional(z.string()) });
const update = z.object({ message: z.optional(z.object({ chat })) });
const updates = z.object({ ok: z.literal(true), result: z.array(update) });

/** Telegram's own address; another one is for tests. */
const TELEGRAM_URL = 'HOOKBELL_TELEGRAM_URL';

async function pair({ env, out }: Cli, { account }: { readonly account: string }) {
  const name = `${secretPrefix(account)}TOKEN`;
  const token = env[name];
  if (token === undefined || token === '')
    return misused(`${name} is not set: set it in the environment, to the token that @BotFather gave you`);
  const base = env[TELEGRAM_URL] ?? findMaker('telegram')?.baseUrl ?? '';
  const answer = await fetch(`${base}/bot${token}/getUpdates`, { redirect: 'manual' }).catch(() => null);
  // Its texts are not shown: an address may be in them, and the token with it.
  if (answer === null) return failed('Telegram cannot be reached');
  const found = z.safeParse(updates, await answer.json().catch(() => null));
  if (!found.success)
    return failed(`Telegram answers ${answer.status}: is ${name} the token that @BotFather gave you?`);
  const chats = new Map(
    found.data.result.flatMap(({ message: one }) =>
      one === undefined ? [] : [[String(one.chat.id), one.chat.first_name ?? one.chat.title ?? ''] as const],
    ),
  );
  if (chats.size === 0)
    return failed('nobody has written to the bot yet: open its chat, press Start, and run this again');
  return out.show({ chats: [...chats].map(([id, who]) => ({ id, name: who })) }, () => {
    out.line('people:');
    for (const [id, who] of chats)
      out.line(`  ${nameFor(who)}: { address: { telegram: "${id}" } }   # ${oneLine(who)}`);
  });
}

const nameFor = (who: string): string =>
  who
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'me';
