import { env, exports } from 'cloudflare:workers';
import { lookUntil } from '../eventually.ts';

/** Never called: it says to `--changed` what these tests reach through the runtime. */
export const reached = (): Promise<unknown> => import('../../src/index.ts');

/** Each runtime has its own simulated gateway. */
const simulatorUrl = String(Reflect.get(env, 'GATEWAY_BASE_URL')).replace(/\/api$/, '');

const ADMIN = 'https://relay.example/admin/api/v1';

/** A call of the admin API through the front door, with the token. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each test names the shape that it reads
export async function admin<Answer = unknown>(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Answer }> {
  const response = await exports.default.fetch(`${ADMIN}${path}`, {
    method,
    headers: { authorization: 'Bearer admin-token-of-the-tests', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json<Answer>() };
}

/** Publishes a whole set; throws with the reasons when it is refused. */
export async function publish(set: object): Promise<void> {
  const { status, body } = await admin('POST', '/config', { accounts: { default: UNPACED }, ...set });
  if (status !== 200) throw new Error(`publish: ${status} ${JSON.stringify(body)}`);
}

/** An account that sends at once, so that no test waits for a pace that it is not about. */
export const UNPACED = { rate: false, per_recipient: false };

/** Posts a webhook through the front door. */
export const post = (path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Response> =>
  exports.default.fetch(`https://relay.example/hooks/${path}`, { method: 'POST', body, headers });

/** Posts JSON. */
export const postJson = (
  path: string,
  payload: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  post(path, JSON.stringify(payload), { 'content-type': 'application/json', ...headers });

export interface ReceiptJson {
  readonly event: string;
  readonly duplicate: boolean;
  readonly messages: readonly string[];
  readonly waiting?: number;
  readonly reason?: string;
}

/** The receipt for a webhook that was accepted. */
export async function receiptOf(answer: Response | Promise<Response>): Promise<ReceiptJson> {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

/** The things of a list of the admin API. */
export const listOf = async <Item>(path: string): Promise<readonly Item[]> =>
  (await admin<{ items: readonly Item[] }>('GET', path)).body.items;

/** The texts that the gateway got for a receiver, oldest first. */
export const textsTo = async (phone: string): Promise<readonly string[]> =>
  (await callsTo(phone)).map(({ params }) => params['message'] ?? '');

export interface MessageJson {
  readonly id: string;
  readonly event: string;
  readonly source: string | null;
  readonly state: string;
  readonly reason?: string;
  readonly kind: string;
  readonly phone: string | null;
  readonly params: Record<string, string>;
  readonly attempts: readonly {
    n: number;
    outcome: string;
    http_status?: number;
    response?: string;
    at: string;
  }[];
  readonly next_attempt_at?: string;
  readonly sent_at?: string;
  readonly escaped_at?: string;
  readonly account: string;
  readonly fallback?: string;
  readonly fallback_account?: string;
  readonly fallback_of?: string;
  readonly fallback_of_account?: string;
}

export interface EventJson {
  readonly id: string;
  readonly state: string;
  readonly type: string | null;
  readonly reason?: string;
  readonly duplicates: number;
  readonly payload: unknown;
  readonly headers: Record<string, string>;
  readonly query: Record<string, string>;
  readonly messages: readonly MessageJson[];
  /** Of routes that report later. */
  readonly items?: readonly { readonly outcome: string }[];
}

/** The message once `until` holds; the alarm works meanwhile, so this asks again until it does. */
export async function message(id: string, until: (message: MessageJson) => boolean): Promise<MessageJson> {
  const last = await lookUntil(() => messageNow(id), until);
  if (until(last)) return last;
  throw new Error(`message ${id} did not get there: ${JSON.stringify(last)}`);
}

export const isSent = ({ state }: MessageJson): boolean => state === 'sent';

export const event = async (id: string): Promise<EventJson> =>
  (await admin<EventJson>('GET', `/events/${id}`)).body;

/** A message as it is now. */
export const messageNow = async (id: string): Promise<MessageJson> =>
  (await admin<MessageJson>('GET', `/messages/${id}`)).body;

/** The calls that the gateway simulator got for one receiver, oldest first. */
export async function callsTo(
  phone: string,
): Promise<readonly { kind: string; outcome: string; delivered: boolean; params: Record<string, string> }[]> {
  const response = await fetch(`${simulatorUrl}/_control/calls?phone=${phone}&limit=1000`);
  const { items } = await response.json<{
    items: { kind: string; outcome: string; delivered: boolean; params: Record<string, string> }[];
  }>();
  return items;
}

/** Has the simulator forget its calls and its script. */
export async function forgetCalls(): Promise<void> {
  await fetch(`${simulatorUrl}/_control/calls`, { method: 'DELETE' });
}

/** Sets how the simulator answers the next calls to a receiver. */
export async function script(phone: string, ...steps: readonly object[]): Promise<void> {
  const body = JSON.stringify({ steps: steps.map((step) => ({ match: { phone }, ...step })) });
  const response = await fetch(`${simulatorUrl}/_control/script`, { method: 'PUT', body });
  if (!response.ok) throw new Error(await response.text());
}

/** The same for the next calls of a kind, whoever their receiver is. */
export async function scriptKind(kind: string, ...steps: readonly object[]): Promise<void> {
  const body = JSON.stringify({ steps: steps.map((step) => ({ match: { kind }, ...step })) });
  const response = await fetch(`${simulatorUrl}/_control/script`, { method: 'PUT', body });
  if (!response.ok) throw new Error(await response.text());
}

/** The relay's own KV namespace, for looking. */
export const config = (env as { CONFIG: KVNamespace }).CONFIG;
