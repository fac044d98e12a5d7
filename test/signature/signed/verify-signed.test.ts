import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { err, ok } from '../../../src/lib/result.ts';
import { hmacAlgorithm, type Claim, ofLength, verifySigned } from '../../../src/signature/schemes/signed.ts';
import { by, hexBytes, hmacOf, NOW, outcome, outcomeInFull, requestOf } from '../support.ts';

const ONE = '01'.repeat(32);

const algorithm = (keys: readonly { secret: number; key: boolean }[]) => {
  const seen: Claim[] = [];
  const matches = async (key: boolean, claim: Claim) => {
    seen.push(claim);
    return Promise.resolve(key);
  };
  return { seen, form: ofLength(32, 16), keys: async () => Promise.resolve(ok(keys)), matches };
};

type Keys = readonly { secret: number; key: boolean }[];
const request = requestOf({ body: '{}', headers: { 'X-S': ONE } });
const scheme = hmacOf({ header: 'X-S' });
const AB = { secrets: ['a', 'b'], request, now: NOW };
const [wrong, right] = [
  { secret: 0, key: false },
  { secret: 1, key: true },
];
const verify = (keys: Keys) => verifySigned(scheme, algorithm(keys), AB);

it('a signed request is verified by the secret of the first key that fits, and tried with every key, so that the time does not reveal which', async () => {
  expect(await verify([wrong, { secret: 1, key: false }, right])).toEqual(by(1));
  const tried = algorithm([right, wrong]);
  await verifySigned(scheme, tried, AB);
  expect(tried.seen).toHaveLength(2);
});

it('a signed request is refused while a key or a template, which no schema saw, cannot be read', async () => {
  const refusal = err({ code: 'misconfigured', detail: 'secret 1 of 1 is not hex' } as const);
  const broken = { ...algorithm([]), keys: async () => Promise.resolve(refusal) };
  expect(await verifySigned(scheme, broken, { ...AB, request: requestOf() })).toEqual(refusal);
  const unread = await verifySigned({ ...scheme, signed: '{nothing}' }, algorithm([]), AB);
  expect(outcome(unread)).toBe('misconfigured');
});

const SECRETS = ['ab'.repeat(32), 'cd'.repeat(32)];
const ITEM = 'NotificationRequestItem';
const signed = ['pspReference', 'originalReference', 'amount.value', 'success'];
const ADYEN = hmacOf({
  items: 'notificationItems',
  field: `${ITEM}.additionalData.hmacSignature`,
  encoding: 'base64',
  secret_encoding: 'hex',
  signed: signed.map((path) => `{item:${ITEM}.${path}}`).join(':'),
});
const one = { pspReference: 'P1', originalReference: '', amount: { value: 1000 }, success: 'true' };
const two = { pspReference: 'P2', originalReference: 'P1', amount: { value: 5 }, success: 'false' };

function sign(item: typeof one, secret = SECRETS[0] ?? '') {
  const text = [item.pspReference, item.originalReference, item.amount.value, item.success].join(':');
  const hmacSignature = createHmac('sha256', hexBytes(secret)).update(text).digest('base64');
  return { ...item, additionalData: { hmacSignature } };
}
const verifyItems = (list: unknown) => {
  const items: unknown[] | null = Array.isArray(list) ? list : null;
  const notificationItems =
    items?.map((item) => (typeof item === 'object' ? { [ITEM]: item } : item)) ?? list;
  const body = JSON.stringify({ live: 'false', notificationItems });
  return verifySigned(ADYEN, hmacAlgorithm(ADYEN), {
    secrets: SECRETS,
    request: requestOf({ body }),
    now: NOW,
  });
};

it('elements that are signed one by one are taken when every one is right, by whichever secret', async () => {
  expect(await verifyItems([sign(one), sign(two)])).toEqual(by(0));
  expect(await verifyItems([sign(one, SECRETS[1]), sign(two)])).toEqual(by(1));
  expect(await verifyItems(Array.from({ length: 100 }, () => sign(two)))).toEqual(by(0));
});

const { additionalData } = sign(one);
const noText = { ...sign({ ...one, pspReference: '[object Object]' }), pspReference: {} };

it.each<[string, unknown, RegExp]>([
  [
    'one was changed',
    [sign(one), { ...sign(two), amount: { value: 6 } }],
    /^mismatch: notificationItems\.1: 1 sig/,
  ],
  ['one has no signature', [sign(one), two], /^missing_field: notificationItems\.1: body field Notif/],
  ['one has that of another', [sign(one), { ...two, additionalData }], /^mismatch: notificationItems\.1: /],
  ['one is no object', [sign(one), 7], /^missing_field: notificationItems\.1: /],
  ['one has an object where text is signed', [noText], /^malformed: .*pspReference is not a text, number/],
  ['there are none', [], /^missing_field: body field notificationItems is an empty list/],
  ['there is no list', undefined, /^missing_field: body field notificationItems is missing/],
  ['there is an object', { 0: sign(one) }, /^malformed: body field notificationItems is not a list/],
  [
    'there are too many',
    Array.from({ length: 101 }, () => sign(one)),
    /^malformed: .*more than 100 elements/,
  ],
])(
  'elements that are signed one by one are refused when %s, and which it was is said',
  async (_, items, said) => {
    expect(outcomeInFull(await verifyItems(items))).toMatch(said);
  },
);

it('elements that are signed one by one are refused whichever of them is wrong', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.nat(), async (length, at) => {
      const items = Array.from({ length }, () => sign(one)).with(at % length, sign(two, 'ee'.repeat(32)));
      expect(outcome(await verifyItems(items))).toBe('mismatch');
    }),
    { numRuns: 30 },
  );
});
