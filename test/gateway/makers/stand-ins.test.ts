import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSimulator, type Simulator } from '../../../simulator/simulator.ts';
import { faultsText } from '../../../src/lib/problem.ts';
import { readGateway } from '../../../src/config/secrets/gateway.ts';
import { NO_CALL, send, type AttemptResult } from '../../../src/gateway/client.ts';
import type { SendCall } from '../../../src/gateway/kinds.ts';
import { bindings } from '../../bindings.ts';
import { callsOf, makerRows, type MakerRow } from './calls.ts';
import { accountOf, receiverOf, SECRETS } from './secrets.ts';

/** The kinds that each maker has, as its page shows them. */
const HAS: Readonly<Record<string, readonly string[]>> = {
  ntfy: ['text', 'image', 'voice', 'link-preview'],
  telegram: ['text', 'image', 'voice', 'poll'],
  pushover: ['text'],
  signal: ['text', 'poll'],
  waha: ['text', 'image', 'voice', 'poll', 'status'],
  evolution: ['text', 'image', 'voice', 'poll', 'status'],
  http: ['text', 'image', 'poll', 'status'],
  'whatsapp-cloud': ['text', 'image', 'voice'],
  twilio: ['text'],
};

/** The texts that replace the other kinds. */
const TEXTS: Readonly<Record<string, string>> = {
  image: 'A _picture_\nhttps://shop.example/a.png',
  voice: 'https://shop.example/a.ogg',
  'link-preview': 'Look\nShop\nAll of it\nhttps://shop.example/x',
  poll: 'When?\n1. Mon\n2. Tue\n3. Wed',
};

/** Those that show no bold and italic. */
const PLAIN = new Set(['ntfy', 'pushover', 'signal', 'twilio']);
/** Those that take the message's id, and show it once. */
const ONCE = new Set(['ntfy']);

let simulator: Simulator;
let rows: readonly MakerRow[] = [];

beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  rows = makerRows(`${simulator.url}/makers`);
});
afterAll(() => simulator.close());

async function control<T>(method: string, path: string, body?: object): Promise<T> {
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(`${simulator.url}/_control${path}`, init);
  expect(response.status).toBeLessThan(300);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the simulator's own tests check its answers
  return (await response.json()) as T;
}

/** Calls a maker's stand-in, which refuses what the original would, once the answer to it is set. */
async function sent(row: MakerRow, call: SendCall, step?: object, id = 'msg_1'): Promise<AttemptResult> {
  await control('PUT', '/script', { steps: step === undefined ? [] : [step] });
  const env = bindings({ GATEWAY_STAND_INS: `${simulator.url}/makers` });
  const gateway = readGateway(env, accountOf(row.id), row.spec);
  if (!gateway.ok) throw new Error(faultsText(gateway.error));
  const result = await send(call, gateway.value, { fetch, timeoutMs: 60_000, now: Date.now }, id);
  if (result === NO_CALL) throw new Error('no call');
  return result;
}

interface Arrived {
  readonly kind: string;
  readonly params: Readonly<Record<string, string>>;
  readonly delivered: boolean;
}

const arrived = async (limit = 1): Promise<readonly Arrived[]> =>
  (await control<{ items: readonly Arrived[] }>('GET', `/calls?limit=${limit}`)).items;

/** What arrives of a call that is sent. */
async function arrivedOf(row: MakerRow, call: SendCall): Promise<Arrived> {
  expect((await sent(row, call)).outcome, `${row.id}: ${call.kind}`).toBe('sent');
  const [one] = await arrived();
  if (one === undefined) throw new Error('nothing has arrived');
  return one;
}

const has = ({ id }: MakerRow, kind: string): boolean => HAS[id]?.includes(kind) ?? false;
const receiving = (row: MakerRow) => callsOf(receiverOf(row.id)).filter(({ phone }) => phone !== null);

it('has each kind, or a text in its place with all that the kind says', async () => {
  for (const row of rows)
    for (const call of receiving(row)) {
      const { kind, params } = await arrivedOf(row, call);
      const isOwn = has(row, call.kind);
      expect([row.id, call.kind, kind]).toEqual([row.id, call.kind, isOwn ? call.kind : 'text']);
      const text = TEXTS[call.kind];
      const message = PLAIN.has(row.id) ? text?.replaceAll(/[*_]/g, '') : text;
      if (!isOwn) expect(params).toEqual({ message });
    }
});

it('gets a stranger’s text as text, whose links show their addresses', async () => {
  const message = '<a href="https://evil.example">b</a> [bank](https://evil.example) <@U1> &lt;b&gt;';
  for (const row of rows) {
    const call: SendCall = { kind: 'text', phone: receiverOf(row.id), params: { message } };
    expect((await arrivedOf(row, call)).params, row.id).toEqual({ message });
  }
});

it('is asked for a status only if it has one: of another nobody would get it', async () => {
  const status: SendCall = { kind: 'status', phone: null, params: { text: 'Closed' } };
  for (const row of rows) {
    const { outcome, http_status } = await sent(row, status);
    expect([row.id, outcome, http_status]).toEqual(
      has(row, 'status') ? [row.id, 'sent', http_status] : [row.id, 'rejected', undefined],
    );
  }
});

it('leaves its credentials nowhere when it repeats them in an error', async () => {
  for (const row of rows)
    for (const call of callsOf(receiverOf(row.id))) {
      const text = JSON.stringify(await sent(row, call, { failure: 'echo_secret', status: 400 }));
      for (const secret of Object.values(SECRETS[row.id] ?? {}))
        for (const form of [secret, encodeURIComponent(secret), btoa(secret).slice(2, -4)])
          expect(text, row.id).not.toContain(form);
    }
});

it('is uncertain of each kind when the answer does not come', async () => {
  for (const failure of ['reset', 'cut', 'garbage', 'html', 'empty'])
    for (const row of rows)
      for (const call of receiving(row)) {
        const { outcome } = await sent(row, call, { failure });
        expect([row.id, call.kind, failure, outcome]).toEqual([row.id, call.kind, failure, 'uncertain']);
      }
});

it('gets a text cut between characters that is longer than it takes', async () => {
  for (const row of rows)
    for (const message of ['ä'.repeat(20_000), '👩‍👩‍👧‍👦'.repeat(1_000), 'a\n'.repeat(9_000)]) {
      const { params } = await arrivedOf(row, {
        kind: 'text',
        phone: receiverOf(row.id),
        params: { message },
      });
      const text = params['message'] ?? '';
      expect(text.endsWith('…') || text === message, row.id).toBe(true);
      expect(text.isWellFormed(), row.id).toBe(true);
    }
});

it('gets a poll, a caption or a link that is more than it takes as a text, with the whole link', async () => {
  const options = Array.from({ length: 40 }, (_, at) => `option ${at + 1}`).join(',');
  const url = `https://shop.example/${'x'.repeat(600)}`;
  for (const row of rows) {
    const phone = receiverOf(row.id);
    const long: readonly (readonly [SendCall, string])[] = [
      [{ kind: 'poll', phone, params: { question: 'Which?', options } }, '40'],
      [{ kind: 'image', phone, params: { image_url: url, caption: 'c'.repeat(5_000) } }, url],
      [{ kind: 'link-preview', phone, params: { url, text: 't'.repeat(5_000) } }, url],
    ];
    for (const [call, part] of long)
      expect(Object.values((await arrivedOf(row, call)).params).join('\n')).toContain(part);
  }
});

it('shows a message once whose answer was lost if it takes the message’s id, and else again', async () => {
  for (const row of rows)
    for (const call of receiving(row)) {
      const id = `msg_${row.id}-${call.kind}`;
      expect((await sent(row, call, { failure: 'reset' }, id)).outcome).toBe('uncertain');
      expect((await sent(row, call, undefined, id)).outcome).toBe('sent');
      const delivered = (await arrived(2)).map((one) => one.delivered);
      expect([row.id, ...delivered]).toEqual([row.id, true, !ONCE.has(row.id)]);
    }
});
