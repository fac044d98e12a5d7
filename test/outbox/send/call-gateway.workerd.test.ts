import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { MessageKind } from '../../../src/gateway/kinds.ts';
import { callGateway } from '../../../src/outbox/send/call-gateway.ts';
import { V2 } from '../../../src/gateway/shape.ts';
import type { MessageRow } from '../../../src/outbox/state/message.ts';
import { callsTo, script } from '../../integration/relay.ts';
import { withTimeout } from '../../../src/lib/timeout.ts';
import { draft, queue, rowOf, START } from '../support.ts';
import { inStorage } from '../bare-outbox.ts';

/** A stored message to this receiver. */
const stored = (
  phone: string | null,
  over: Partial<Pick<MessageRow, 'kind' | 'phone' | 'params' | 'on_uncertain'>> = {},
): Promise<MessageRow> =>
  inStorage(({ storage: { sql } }) => {
    const [seq = 0] = queue(sql, START, draft({ phone }));
    return { ...rowOf(sql, seq), ...over };
  });

const POLICY = { gateway: V2, timeoutMs: 5_000 };
const from = (account: string) => ({ account, tag: 'abcdefg' });

describe('a call for a stored message', () => {
  it('is made with the login of its account', async () => {
    const row = await stored('4915112347001');
    expect(await callGateway(env, from('sales'), row, POLICY, withTimeout)).toMatchObject({
      outcome: 'sent',
      http_status: 200,
    });
    const [call] = await callsTo('4915112347001');
    expect(call?.params).toMatchObject({ message: 'hello' });
  });

  it('is not made for an account without credentials: it says which secret is missing', async () => {
    const row = await stored('4915112347002');
    const result = await callGateway(env, from('nobody'), row, POLICY, withTimeout);
    const detail: unknown = expect.stringContaining('GATEWAY_NOBODY_API_KEY');
    expect(result).toMatchObject({ outcome: 'unauthorized', duration_ms: 0, detail });
    expect(result).not.toHaveProperty('http_status');
    expect(await callsTo('4915112347002')).toEqual([]);
  });

  it.each([
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a row of a version with more kinds
    ['a kind that the gateway has not', { kind: 'fax' as MessageKind }],
    ['no receiver', { phone: null }],
    ['a required parameter missing', { params: '{}' }],
  ])('is not made when it can be none: %s', async (_, over) => {
    const row = await stored('4915112347003', over);
    const result = await callGateway(env, from('default'), row, POLICY, withTimeout);
    const detail: unknown = expect.stringMatching(/./);
    expect(result).toMatchObject({ outcome: 'rejected', duration_ms: 0, detail });
    expect(await callsTo('4915112347003')).toEqual([]);
  });

  it('is uncertain when the connection is lost after it went out, whatever the route says', async () => {
    for (const on_uncertain of ['retry', 'hold']) {
      await script('4915112347004', { failure: 'reset' });
      const row = await stored('4915112347004', { on_uncertain });
      expect(await callGateway(env, from('default'), row, POLICY, withTimeout)).toMatchObject({
        outcome: 'uncertain',
      });
    }
    expect(await callsTo('4915112347004')).toHaveLength(2);
  });

  it('that must not be made twice is known not to have been made when nobody listens there', async () => {
    const row = await stored('4915112347005', { on_uncertain: 'hold' });
    // Port 1 is nobody's.
    const nowhere = { ...env, GATEWAY_BASE_URL: 'http://127.0.0.1:1/api' };
    expect(await callGateway(nowhere, from('default'), row, POLICY, withTimeout)).toMatchObject({
      outcome: 'unreachable',
    });
  });
});
