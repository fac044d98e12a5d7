import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { readGateway, STAND_INS } from '../../../src/config/gateway.ts';
import { NO_CALL, send, type AttemptResult } from '../../../src/gateway/client.ts';
import type { SendCall } from '../../../src/gateway/kinds.ts';
import { callsTo, script, scriptKind } from '../../integration/relay.ts';
import { callsOf, makerRows, type MakerRow } from './calls.ts';
import { accountOf, receiverOf, SECRETS } from './secrets.ts';

const ROWS = makerRows(String(Reflect.get(env, STAND_INS)));

async function sent(
  { id, spec }: MakerRow,
  call: SendCall,
  timeoutMs = 5_000,
  message = 'msg_00000000100tests',
): Promise<AttemptResult> {
  const gateway = readGateway(env, accountOf(id), spec);
  if (!gateway.ok) throw new Error(gateway.error.join('; '));
  const result = await send(call, gateway.value, { fetch, timeoutMs, now: Date.now }, message);
  if (result === NO_CALL) throw new Error('no call');
  return result;
}

/** The outcome of each fault, whatever the maker … */
const FAULTS: readonly (readonly [string, object, string])[] = [
  ['nothing wrong', { failure: 'ok' }, 'sent'],
  ['a slow success', { failure: 'slow', ms: 30 }, 'sent'],
  ['a web page', { failure: 'html' }, 'uncertain'],
  ['nothing in the body', { failure: 'empty' }, 'uncertain'],
  ['a body that is cut off', { failure: 'cut' }, 'uncertain'],
  ['half of a JSON', { failure: 'garbage' }, 'uncertain'],
  ['far too long a body', { failure: 'huge', bytes: 200_000 }, 'uncertain'],
  ['a reset', { failure: 'reset' }, 'uncertain'],
  ['no answer in time', { failure: 'hang', ms: 1_000 }, 'uncertain'],
  ['400', { failure: 'status', status: 400 }, 'rejected'],
  ['401', { failure: 'status', status: 401 }, 'unauthorized'],
  ['403', { failure: 'status', status: 403 }, 'forbidden'],
  ['404', { failure: 'status', status: 404 }, 'rejected'],
  ['408', { failure: 'status', status: 408 }, 'busy'],
  ['413', { failure: 'status', status: 413 }, 'rejected'],
  ['425', { failure: 'status', status: 425 }, 'busy'],
  ['429', { failure: 'status', status: 429, headers: { 'retry-after': '7' } }, 'busy'],
  ['500', { failure: 'status', status: 500 }, 'server_error'],
  ['502 of a proxy', { failure: 'status', status: 502, body: '<html>' }, 'server_error'],
  ['503', { failure: 'status', status: 503 }, 'busy'],
  [
    'a redirect',
    { failure: 'status', status: 302, headers: { location: 'https://evil.example/' } },
    'redirected',
  ],
  ['its credentials in an error', { failure: 'echo_secret', status: 400 }, 'rejected'],
];

/** … and where a maker means something else. */
const OWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  telegram: { '403': 'rejected', '404': 'unauthorized' },
  evolution: { '404': 'unauthorized' },
  // It answers 400 for whatever fails.
  signal: { '400': 'refused', 'its credentials in an error': 'refused' },
};

/** The kinds that each has, as its page shows them. */
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

/** Those that take the message's id, and show it once. */
const ONCE = new Set(['ntfy']);

const has = ({ id }: MakerRow, kind: string): boolean => HAS[id]?.includes(kind) ?? false;

/** Sets the answers to the next calls like this one: a status has no receiver. */
const scriptFor = (call: SendCall, ...steps: readonly object[]): Promise<void> =>
  call.phone === null ? scriptKind(call.kind, ...steps) : script(call.phone, ...steps);

/** Those that show no bold and italic. */
const PLAIN = new Set(['ntfy', 'pushover', 'signal', 'twilio']);

describe.each(ROWS)('$name', (maker) => {
  const to = receiverOf(maker.id);

  it.each(FAULTS)('%s: of each kind the same follows', async (fault, step, usual) => {
    const outcome = OWN[maker.id]?.[fault] ?? usual;
    for (const call of callsOf(to)) {
      if (call.kind === 'status' && !has(maker, 'status')) continue;
      await scriptFor(call, step);
      const result = await sent(maker, call, fault === 'no answer in time' ? 100 : 5_000);
      expect(`${call.kind}: ${result.outcome}`).toBe(`${call.kind}: ${outcome}`);
      if (fault === '429') expect(result.retry_after_ms).toBe(7_000);
      // Neither as they are nor as the request has them.
      for (const secret of Object.values(SECRETS[maker.id] ?? {}))
        for (const form of [secret, encodeURIComponent(secret), btoa(secret).slice(2, -4)])
          expect(JSON.stringify(result)).not.toContain(form);
    }
  });

  it('has each kind, or a text in its place with all that the kind says', async () => {
    await script(to);
    for (const call of callsOf(to)) {
      if (call.phone === null) continue;
      expect((await sent(maker, call)).outcome).toBe('sent');
      const last = (await callsTo(to)).at(-1);
      const hasKind = has(maker, call.kind);
      expect(last?.kind).toBe(hasKind ? call.kind : 'text');
      const message = PLAIN.has(maker.id) ? TEXTS[call.kind]?.replaceAll(/[*_]/g, '') : TEXTS[call.kind];
      if (!hasKind) expect(last?.params).toEqual({ message });
    }
  });

  it('is asked for no status if it has none: nobody would get it', async () => {
    if (has(maker, 'status')) return;
    await script(to);
    const before = (await callsTo(to)).length;
    const result = await sent(maker, { kind: 'status', phone: null, params: { text: 'Closed' } });
    expect(result.outcome).toBe('rejected');
    expect(result.http_status).toBeUndefined();
    expect(await callsTo(to)).toHaveLength(before);
  });

  it('cuts a text that is longer than it takes, between characters', async () => {
    await script(to);
    for (const message of ['ä'.repeat(20_000), '👩‍👩‍👧‍👦'.repeat(1_000), 'a\n'.repeat(9_000)]) {
      const call: SendCall = { kind: 'text', phone: to, params: { message } };
      expect((await sent(maker, call)).outcome).toBe('sent');
      const text = (await callsTo(to)).at(-1)?.params['message'] ?? '';
      expect(text.endsWith('…') || text === message).toBe(true);
      expect(text.isWellFormed()).toBe(true);
    }
  });

  it('sends a poll, a caption or a link that is more than it takes as a text, with the whole link', async () => {
    await script(to);
    const options = Array.from({ length: 40 }, (_, at) => `option ${at + 1}`).join(',');
    const url = `https://shop.example/${'x'.repeat(600)}`;
    const long: readonly SendCall[] = [
      { kind: 'poll', phone: to, params: { question: 'Which?', options } },
      { kind: 'image', phone: to, params: { image_url: url, caption: 'c'.repeat(5_000) } },
      { kind: 'link-preview', phone: to, params: { url, text: 't'.repeat(5_000) } },
    ];
    for (const call of long) {
      expect((await sent(maker, call)).outcome).toBe('sent');
      const last = (await callsTo(to)).at(-1);
      const all = Object.values(last?.params ?? {}).join('\n');
      expect(all).toContain(call.kind === 'poll' ? '40' : url);
    }
  });

  it(`is${ONCE.has(maker.id) ? '' : ' not'} spared a second message when a call whose answer was lost is repeated`, async () => {
    for (const call of callsOf(to)) {
      if (call.kind === 'status') continue;
      await script(to, { failure: 'reset' });
      const id = `msg_${maker.id}-${call.kind}`;
      const outcomes = [await sent(maker, call, 5_000, id), await sent(maker, call, 5_000, id)];
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['uncertain', 'sent']);
      const calls = (await callsTo(to)).slice(-2);
      expect(calls.map(({ delivered }) => delivered)).toEqual([true, !ONCE.has(maker.id)]);
    }
  });
});
