import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { lookUntil } from '../eventually.ts';
import { TOKEN } from './offline.ts';
import { phoneUrl, relayUrl } from './support.ts';

/** A call of the admin API without the command line. */
export async function admin(method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${relayUrl()}/admin/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      // Some tests block this process for longer than the relay keeps a connection open.
      connection: 'close',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json<unknown>();
}

/** A source that anybody may post to, and an account without a pace. */
export const OPEN_SET = {
  sources: {
    open: {
      verify: { scheme: 'none' },
      country: 'DE',
      routes: [
        {
          name: 'hello',
          when: 'payload.phone != blank',
          to: '{{ payload.phone }}',
          send: { kind: 'text', message: 'Hello {{ payload.name }}' },
        },
      ],
    },
  },
  templates: {},
  recipients: {},
  accounts: { default: { rate: false, per_recipient: false } },
};

/** Publishes a whole set, past the command line. */
export const publish = (set: object = OPEN_SET): Promise<unknown> => admin('POST', '/config', set);

const receipt = z.object({ event: z.string(), messages: z.array(z.string()) });

/** Posts JSON to a source; gives what it was answered. */
export async function post(
  path: string,
  payload: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<z.output<typeof receipt>> {
  const response = await fetch(`${relayUrl()}/hooks/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
  if (response.status !== 202) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return receipt.parse(await response.json());
}

/** Asks again until it holds; a relay works while the test waits. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  if (!(await lookUntil(holds, Boolean, { withinMs: 50_000, eachMs: 50 })))
    throw new Error(`in vain: ${what}`);
}

const calls = z.object({
  items: z.array(z.object({ to: z.string().nullable(), params: z.record(z.string(), z.string()) })),
});

/** The texts that a number got on the simulated phone. */
export async function phoneTexts(phone: string): Promise<readonly string[]> {
  const response = await fetch(`${phoneUrl()}/_control/calls?phone=${phone}`);
  return calls.parse(await response.json()).items.map(({ params }) => params['message'] ?? '');
}

/** Waits until a message is in a state. */
export const untilState = (id: string, state: string): Promise<void> =>
  until(async () => {
    const one = z.object({ state: z.string() }).parse(await admin('GET', `/messages/${id}`));
    return one.state === state;
  }, `${id} ${state}`);

const versionList = z.object({ items: z.array(z.object({ version: z.number(), active: z.boolean() })) });

/** The version in force. */
export async function inForce(): Promise<number> {
  const { items } = versionList.parse(await admin('GET', '/config/versions?limit=200'));
  return items.find(({ active }) => active)?.version ?? 0;
}

/** What the simulated gateway answers from now on. */
export const scriptGateway = (...steps: readonly object[]): Promise<unknown> =>
  fetch(`${phoneUrl()}/_control/script`, { method: 'PUT', body: JSON.stringify({ steps }) });

const queued = z.object({ id: z.string() });

/** Sends a message by the API, which is cancelled at the end of the test if it still waits. */
export async function sendTo(to: string): Promise<string> {
  const { id } = queued.parse(await admin('POST', '/messages', { to, kind: 'text', message: 'x' }));
  onTestFinished(async () => void (await admin('POST', `/messages/${id}/cancel`).catch(() => null)));
  return id;
}

const accountState = z.object({
  paused: z.nullable(z.object({ by: z.string() })),
  circuit: z.object({ state: z.string() }),
});

/** Has the gateway answer so to a message, until the account knows that it fails; it is well again after the test. */
export async function failingGateway(step: object): Promise<void> {
  const phone = '4915199999999';
  await scriptGateway({ ...step, match: { phone }, times: 5 });
  onTestFinished(async () => {
    await scriptGateway();
    await admin('POST', '/accounts/default/resume');
    await untilState(await sendTo('4915199999998'), 'sent');
  });
  await sendTo(phone);
  await until(async () => {
    const { paused, circuit } = accountState.parse(await admin('GET', '/accounts/default/status'));
    return paused?.by === 'gateway' || circuit.state === 'open';
  }, 'the account knows that its gateway fails');
}
