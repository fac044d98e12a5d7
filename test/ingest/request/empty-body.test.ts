import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { verify } from '../../../src/ingest/request/verify.ts';
import { bindings } from '../../bindings.ts';
import { NOW, rawOf, sourceOf } from '../support.ts';

const env = bindings({ OLD_WORD: 'old-word' });
const signed = sourceOf({ verify: { scheme: 'hmac', header: 'X-Signature' }, secrets: ['OLD_WORD'] });
const sign = (body: string) => createHmac('sha256', 'old-word').update(body).digest('hex');

it('an empty body of JSON is {}, signed or not', async () => {
  const type = { 'content-type': 'application/json' };
  const open = rawOf(sourceOf(), { headers: type });
  const proven = rawOf(signed, { headers: { ...type, 'x-signature': sign('') }, env });
  for (const raw of [open, proven]) {
    expect(await verify(raw, NOW)).toMatchObject({ ok: true });
    expect(await raw.parsed()).toMatchObject({ ok: true, value: { payload: {} } });
  }
  const forged = rawOf(signed, { headers: { ...type, 'x-signature': sign('{}') }, env });
  expect(await verify(forged, NOW)).toMatchObject({ ok: false, error: { problem: { status: 401 } } });
});
