import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bySecret } from '../../../src/signature/basics/match.ts';
import { err, ok } from '../../../src/lib/result.ts';
import type { Claim } from '../../../src/signature/signed/claim.ts';
import { verifyHmac } from '../../../src/signature/schemes/hmac.ts';
import { ofLength } from '../../../src/signature/signed/signature-list.ts';
import { verifySigned } from '../../../src/signature/signed/verify-signed.ts';
import { hexBytes, hmacOf, NOW, requestOf } from '../support.ts';

const ONE = '01'.repeat(32);

const algorithm = (keys: readonly { secret: number; key: boolean }[]) => {
  const seen: Claim[] = [];
  const matches = async (key: boolean, claim: Claim) => {
    seen.push(claim);
    return Promise.resolve(key);
  };
  return { seen, form: ofLength(32, 16), keys: async () => Promise.resolve(ok(keys)), matches };
};

describe('verifySigned', () => {
  const request = requestOf({ body: '{}', headers: { 'X-S': ONE } });
  const verify = (keys: readonly { secret: number; key: boolean }[]) =>
    verifySigned(hmacOf({ header: 'X-S' }), algorithm(keys), ['a', 'b'], request, NOW);

  it('gives the secret of the first key that fits', async () => {
    expect(
      await verify([
        { secret: 0, key: false },
        { secret: 1, key: false },
        { secret: 1, key: true },
      ]),
    ).toEqual(ok(bySecret(1)));
  });

  it('tries every key, so that the time does not reveal which one fits', async () => {
    const tried = algorithm([
      { secret: 0, key: true },
      { secret: 1, key: false },
    ]);
    await verifySigned(hmacOf({ header: 'X-S' }), tried, ['a', 'b'], request, NOW);
    expect(tried.seen).toHaveLength(2);
  });

  it('says how many signatures and secrets there were', async () => {
    const detail = '1 signature(s) in header X-S, checked with 2 secret(s): none was made over this request';
    expect(await verify([{ secret: 0, key: false }])).toEqual(err({ reason: 'mismatch', detail }));
    expect(await verify([])).toEqual(err({ reason: 'mismatch', detail }));
  });

  it('refuses all while a key cannot be read', async () => {
    const refusal = err({ reason: 'misconfigured', detail: 'secret 1 of 1 is not hex' } as const);
    const broken = { ...algorithm([]), keys: async () => Promise.resolve(refusal) };
    expect(await verifySigned(hmacOf({ header: 'X-S' }), broken, ['a'], requestOf(), NOW)).toEqual(refusal);
  });

  it('says when a template that no schema saw cannot be read', async () => {
    const scheme = { ...hmacOf({ header: 'X-S' }), signed: '{nothing}' };
    expect(await verifySigned(scheme, algorithm([]), ['a'], request, NOW)).toMatchObject({
      ok: false,
      error: { reason: 'misconfigured' },
    });
  });
});

describe('elements that are signed one by one', () => {
  const SECRETS = ['ab'.repeat(32), 'cd'.repeat(32)];
  const ADYEN = hmacOf({
    items: 'notificationItems',
    field: 'NotificationRequestItem.additionalData.hmacSignature',
    encoding: 'base64',
    secret_encoding: 'hex',
    signed:
      '{item:NotificationRequestItem.pspReference}:{item:NotificationRequestItem.originalReference}:{item:NotificationRequestItem.amount.value}:{item:NotificationRequestItem.success}',
  });
  interface Notification {
    readonly pspReference: string;
    readonly originalReference?: string;
    readonly amount: { readonly value: number };
    readonly success: string;
  }
  const one: Notification = { pspReference: 'P1', amount: { value: 1000 }, success: 'true' };
  const two: Notification = {
    pspReference: 'P2',
    originalReference: 'P1',
    amount: { value: 5 },
    success: 'false',
  };

  function sign(item: Notification, secret = SECRETS[0] ?? '') {
    const text = [item.pspReference, item.originalReference ?? '', item.amount.value, item.success].join(':');
    const hmacSignature = createHmac('sha256', hexBytes(secret)).update(text).digest('base64');
    return { NotificationRequestItem: { ...item, additionalData: { hmacSignature } } };
  }
  const verify = (notificationItems: unknown, secrets: readonly string[] = SECRETS) =>
    verifyHmac(
      ADYEN,
      secrets,
      requestOf({ body: JSON.stringify({ live: 'false', notificationItems }) }),
      NOW,
    );

  it('are taken when every one is right, by whichever secret', async () => {
    expect(await verify([sign(one)])).toEqual(ok(bySecret(0)));
    expect(await verify([sign(one), sign(two)])).toEqual(ok(bySecret(0)));
    expect(await verify([sign(one, SECRETS[1]), sign(two)])).toEqual(ok(bySecret(1)));
    expect(await verify(Array.from({ length: 100 }, () => sign(two)))).toEqual(ok(bySecret(0)));
  });

  it('are refused when one was changed, and it is named', async () => {
    const { NotificationRequestItem: signed } = sign(two);
    const dearer = { NotificationRequestItem: { ...signed, amount: { value: 6 } } };
    expect(await verify([sign(one), dearer])).toEqual(
      err({
        reason: 'mismatch',
        detail:
          'notificationItems.1: 1 signature(s) in body field NotificationRequestItem.additionalData.hmacSignature, checked with 2 secret(s): none was made over this request',
      }),
    );
  });

  it.each([
    [
      'one has no signature',
      [sign(one), { NotificationRequestItem: two }],
      'missing_field',
      /^notificationItems\.1: body field NotificationRequestItem\.additionalData/,
    ],
    [
      'one has that of another',
      [
        sign(one),
        {
          NotificationRequestItem: {
            ...two,
            additionalData: sign(one).NotificationRequestItem.additionalData,
          },
        },
      ],
      'mismatch',
      /^notificationItems\.1: /,
    ],
    ['one is no object', [sign(one), 7], 'missing_field', /^notificationItems\.1: /],
    [
      'one has an object where text is signed',
      [sign({ ...one, pspReference: '[object Object]' })].map(({ NotificationRequestItem: item }) => ({
        NotificationRequestItem: { ...item, pspReference: {} },
      })),
      'malformed',
      /pspReference is not a text, number or boolean/,
    ],
    ['there are none', [], 'missing_field', /^body field notificationItems is an empty list/],
    ['there is no list', undefined, 'missing_field', /^body field notificationItems is missing/],
    ['there is an object', { 0: sign(one) }, 'malformed', /^body field notificationItems is not a list/],
    [
      'there are too many',
      Array.from({ length: 101 }, () => sign(one)),
      'malformed',
      /has more than 100 elements/,
    ],
  ])('are refused when %s', async (_, items, reason, detail) => {
    const refused = await verify(items);
    expect(refused).toMatchObject({ ok: false, error: { reason } });
    expect(refused.ok ? '' : refused.error.detail).toMatch(detail);
  });

  it('are refused whichever of them is wrong', async () => {
    const count = fc.integer({ min: 1, max: 6 });
    await fc.assert(
      fc.asyncProperty(count, fc.nat(), async (length, at) => {
        const items = Array.from({ length }, (_, index) =>
          sign(index === at % length ? two : one, index === at % length ? 'ee'.repeat(32) : SECRETS[0]),
        );
        expect(await verify(items)).toMatchObject({ ok: false, error: { reason: 'mismatch' } });
      }),
      { numRuns: 30 },
    );
  });
});
