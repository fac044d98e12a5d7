import { lookUntil } from '../eventually.ts';
import { admin, idsOf, knockWrongly, readEverything, settled, type Admin } from './canary-admin.ts';
import { askForSecrets, publishMistakes } from './canary-mistakes.ts';
import {
  canaryConfig,
  post,
  postMalformed,
  postTwiceOver,
  postWrongly,
  SENDER_IDS,
} from './canary-senders.ts';
import { ECHO_NAMES } from './canary-servers.ts';
import type { Ask, CanaryStage } from './canary-stage.ts';
import {
  MESSAGE_TEXT,
  PAIRED_KEY,
  PAYLOAD_TEXT,
  phoneNumber,
  QUIET_TEXT,
  secretOf,
  type SecretName,
} from './canary-values.ts';
import { PATIENCE_MS } from './real-time.ts';

let phones = 0;
/** A receiver of its own, so that a scripted failure meets just that message. */
const nextPhone = (): string => phoneNumber((phones += 1));
let events = 0;
/** A payload like no other before; `text` becomes the message. */
const payload = (text: string, phone = nextPhone()): object => ({
  id: `event-${(events += 1)}`,
  text,
  phone: `+${phone}`,
  note: PAYLOAD_TEXT.value,
});

/** The results of the run, so that a run in which nothing happened does not pass. */
export interface CanaryReport {
  /** Sources that took what their sender proved. */
  readonly accepted: readonly string[];
  readonly refusedWebhooks: number;
  /** Of logins that must fail. */
  readonly logins: readonly number[];
  /** Of documents that have the value of this secret in them. */
  readonly publishes: readonly { readonly name: SecretName; readonly status: number }[];
  /** Outcomes of all attempts. */
  readonly outcomes: ReadonlySet<string>;
  readonly pairedKeyWasShown: boolean;
}

/** One for each way in which the notices' server fails. */
export const LEAST_NOTICES = 4;

/** Of each kind of value one: more would only take longer. */
const MISLAID: readonly SecretName[] = [
  'GATEWAY_API_KEY',
  'GATEWAY_EMAIL',
  'ADMIN_TOKEN',
  'STANDARD_SECRET',
  'SPARE_SECRET',
];

/** A day in the life of a relay on which everything goes wrong. */
export async function playFailures(stage: CanaryStage): Promise<CanaryReport> {
  const { ask } = stage;
  const call = admin(ask);
  const published = await call('POST', '/config', canaryConfig(stage.notices.url));
  if (published.status !== 200) throw new Error(`publish: ${published.text}`);

  const accepted = await postRight(ask);
  const refusedWebhooks = await postAllWrong(ask);
  const pairedKeyWasShown = await pair(ask, call);
  await greet(ask);
  const logins = await knockWrongly(ask);
  const publishes = [];
  for (const name of MISLAID) {
    for (const status of await publishMistakes(call, name)) publishes.push({ name, status });
    await askForSecrets(call, name);
  }
  await failDelivery(stage, call);
  await operate(call);
  await call('GET', '/tail');
  await crash(stage);
  const after = admin(ask, 'ADMIN_TOKEN_NEXT');
  await settled(after, 'default', 'odd', 'sales');
  await untilReported(stage);
  await readEverything(after);
  return {
    accepted,
    refusedWebhooks,
    logins,
    publishes,
    outcomes: await outcomesOf(after),
    pairedKeyWasShown,
  };
}

/** The gateway's failures, one a receiver. */
const FAILURES: readonly object[] = [
  { failure: 'echo_secret' },
  { failure: 'echo_secret', status: 422 },
  { failure: 'echo_secret', status: 500 },
  { failure: 'html' },
  { failure: 'empty' },
  { failure: 'cut' },
  { failure: 'garbage' },
  { failure: 'huge', bytes: 1_000_000 },
  { failure: 'hang' },
  { failure: 'reset' },
  { failure: 'refused', message: 'never' },
  ...[302, 400, 404, 429, 500, 503].map((status) => ({ failure: 'status', status })),
  { failure: 'status', status: 429, headers: { 'retry-after': '1' } },
];

/** Sends messages to a gateway that fails in every way. Most of the failures repeat the login. */
async function failDelivery(stage: CanaryStage, call: Admin): Promise<void> {
  const { ask, gateway } = stage;
  const failing = FAILURES.map((step) => ({ step, phone: nextPhone() }));
  await gateway.script(failing.map(({ step, phone }) => ({ ...step, match: { phone }, times: 3 })));
  await Promise.all(failing.map(({ phone }) => post(ask, 'orders', payload(MESSAGE_TEXT.value, phone))));
  await post(ask, 'quiet', payload(QUIET_TEXT.value));
  await Promise.all(ECHO_NAMES.map((name) => post(ask, 'odd', payload(name))));
  await settled(call, 'default', 'odd');
  await refuseLogin(stage, call);
}

/** The other account: its login is refused, it is paused, resumed, and its circuit opens. */
async function refuseLogin({ ask, gateway }: CanaryStage, call: Admin): Promise<void> {
  // A 403 is the account's own once two different messages get it, and then a third.
  const pausing = [[401], [403, 403, 403]];
  for (const statuses of pausing) {
    for (const [n, status] of statuses.entries()) {
      const phone = nextPhone();
      await gateway.script([{ failure: 'echo_secret', status, match: { phone } }]);
      await post(ask, 'leads', payload(`${MESSAGE_TEXT.value} ${n}`, phone));
      const isAnswered = async (): Promise<boolean> =>
        (await call('GET', `/messages?source=leads&phone=${phone}`)).text.includes('"outcome"');
      await lookUntil(isAnswered, Boolean, { withinMs: PATIENCE_MS, eachMs: 30 });
    }
    await untilPaused(call);
    await call('POST', '/accounts/sales/resume');
  }
  await settled(call, 'sales');
  await gateway.script([{ failure: 'echo_secret', status: 500, times: 4 }]);
  await post(ask, 'leads', payload(MESSAGE_TEXT.value));
  await post(ask, 'leads', payload(MESSAGE_TEXT.value));
  await settled(call, 'sales');
  await call('POST', '/accounts/sales/pause');
}

async function untilPaused(call: Admin): Promise<void> {
  const isPaused = async (): Promise<boolean> =>
    !(await call('GET', '/accounts/sales/status')).text.includes('"paused":null');
  if (!(await lookUntil(isPaused, Boolean, { withinMs: PATIENCE_MS, eachMs: 30 })))
    throw new Error('the account was not paused');
}

/** As it should be, and once with the secret in more places than it belongs. */
async function postRight(ask: Ask): Promise<readonly string[]> {
  const accepted: string[] = [];
  for (const id of SENDER_IDS) {
    const text = id === 'quiet' ? QUIET_TEXT.value : MESSAGE_TEXT.value;
    const { status } = await post(ask, id, payload(text));
    if (status >= 200 && status < 300) accepted.push(id);
    await postTwiceOver(ask, id, payload(text));
  }
  return accepted;
}

async function postAllWrong(ask: Ask): Promise<number> {
  const statuses: number[] = [];
  for (const id of SENDER_IDS) statuses.push(...(await postWrongly(ask, id)));
  for (const id of ['by-header', 'by-basic', 'by-path'] as const) await postMalformed(ask, id);
  // Its secret is set, and is none.
  for (const header of ['webhook-signature', 'svix-signature'])
    await ask('/hooks/broken', 'POST', '/hooks/broken', {
      headers: { [header]: `v1,${secretOf('BROKEN_SECRET')}`, 'webhook-id': 'x', 'webhook-timestamp': '1' },
      body: '{}',
    });
  return statuses.filter((status) => status >= 400 && status < 500).length;
}

/** A key that is handed over: while nobody waits for it, when somebody does, and again. */
async function pair(ask: Ask, call: Admin): Promise<boolean> {
  const hand = (key: string): Promise<unknown> =>
    ask('/hooks/tasks handshake', 'POST', '/hooks/tasks', { headers: { 'x-hook-secret': key }, body: '{}' });
  await hand(PAIRED_KEY.value);
  await call('POST', '/sources/tasks/pair');
  await hand(PAIRED_KEY.value);
  await call('GET', '/sources/tasks/pair');
  const shown = await call('POST', '/sources/tasks/pair/key', undefined, '/sources/tasks/pair/key, once');
  await hand(`${PAIRED_KEY.value}2`);
  await call('POST', '/sources/tasks/pair/key');
  await call('GET', '/sources/tasks/pair');
  await call('DELETE', '/sources/tasks/pair');
  return shown.text.includes(PAIRED_KEY.value);
}

/** Handshakes with the right secret, with a wrong one, and with the right one in the wrong place. */
async function greet(ask: Ask): Promise<void> {
  const token = encodeURIComponent(secretOf('META_VERIFY_TOKEN'));
  const greeting = 'hub.mode=subscribe&hub.challenge=12345';
  for (const query of [
    `hub.verify_token=${token}`,
    `hub.verify_token=${token}x`,
    `hub.token=${token}`,
    `hub.verify_token=${encodeURIComponent(secretOf('META_APP_SECRET'))}`,
  ])
    await ask('/hooks/meta handshake', 'GET', `/hooks/meta?${greeting}&${query}`);
  await post(ask, 'slack', { type: 'url_verification', challenge: 'abc' });
  await post(ask, 'slack', { type: 'url_verification' });
}

/** A person's hand on what is there. */
async function operate(call: Admin): Promise<void> {
  const [dead = ''] = await idsOf(call, 'messages', '&state=dead');
  const [sent = ''] = await idsOf(call, 'messages', '&state=sent');
  const [event = ''] = await idsOf(call, 'events', '&source=by-body');
  const [quiet = ''] = await idsOf(call, 'events', '&source=quiet');
  await call('POST', `/messages/${dead}/retry`, undefined, '/messages/{id}/retry');
  await call('POST', `/messages/${sent}/retry`, undefined, '/messages/{id}/retry');
  await call('POST', `/messages/${sent}/cancel`, undefined, '/messages/{id}/cancel');
  for (const id of [event, quiet])
    await call('POST', `/events/${id}/replay`, undefined, '/events/{id}/replay');
  const byHand = { account: 'sales', to: nextPhone(), kind: 'text', message: MESSAGE_TEXT.value };
  const { text } = await call('POST', '/messages', byHand);
  const id = /msg_\w+/.exec(text)?.[0] ?? '';
  await call('POST', `/messages/${id}/cancel`, undefined, '/messages/{id}/cancel');
  await call('POST', '/messages/retry', { state: 'dead', source: 'odd' });
  await call('POST', '/messages/cancel', { source: 'quiet' });
  await call('POST', '/sources/orders/preview', { payload: payload(MESSAGE_TEXT.value), headers: login() });
  await call('POST', '/sources/by-body/preview', { last: 10 });
  const withToken = { ...payload(MESSAGE_TEXT.value), auth: { code: secretOf('BODY_TOKEN') } };
  await call('POST', '/sources/by-body/preview', { payload: withToken });
  await call('POST', '/sources/orders/preview', { last: 50 });
  await call('POST', '/sources/standard/preview', { samples: true });
  await call('POST', '/accounts/sales/resume');
  await call('POST', '/config/versions/1/activate');
}

const login = (): Record<string, string> => ({
  authorization: `Bearer ${secretOf('ORDERS_HMAC')}`,
  cookie: `session=${secretOf('ORDERS_HMAC')}`,
  'x-signature': secretOf('ORDERS_HMAC'),
});

/** Killed while calls are under way; a signing secret is gone when it comes back. */
async function crash(stage: CanaryStage): Promise<void> {
  const { ask, gateway } = stage;
  await gateway.script([{ failure: 'hang', times: 3 }]);
  const called = (await gateway.calls()).length;
  await Promise.all([1, 2, 3, 4].map(() => post(ask, 'orders', payload(MESSAGE_TEXT.value))));
  await lookUntil(
    () => gateway.calls(),
    ({ length }) => length > called,
    { withinMs: PATIENCE_MS },
  );
  await stage.relay.kill();
  await gateway.script([]);
  await stage.relay.start({ QUERY_TOKEN: undefined });
  await post(ask, 'by-query', payload(MESSAGE_TEXT.value));
  await post(ask, 'orders', payload(MESSAGE_TEXT.value));
}

/** A notice that was not taken is reported again after five seconds; each account's first one is by then. */
async function untilReported({ notices }: CanaryStage): Promise<void> {
  await lookUntil(
    () => notices.traces(),
    ({ length }) => length >= LEAST_NOTICES,
    { withinMs: PATIENCE_MS, eachMs: 50 },
  );
}

async function outcomesOf(call: Admin): Promise<ReadonlySet<string>> {
  const { text } = await call('GET', '/messages?limit=200');
  return new Set([...text.matchAll(/"outcome":"(\w+)"/g)].map(([, outcome = '']) => outcome));
}
