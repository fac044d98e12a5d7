import { exports } from 'cloudflare:workers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import '../platform/facts.ts';
import { providers } from '../platform/providers.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { verifySignature } from '../../src/signature/scheme.ts';
import { eventually } from '../eventually.ts';
import { admin, publish } from '../integration/relay.ts';
import { ACCEPTED } from './accepted-checks.ts';
import type { Case, Check, Stage } from './check.ts';
import { REFUSED } from './refused-checks.ts';
import { rule } from './rule.ts';
import { hasWords } from './tamper.ts';
import { allSenders as senders, sendersOf } from './senders/generated.ts';
import { nameOf, type Sender, type Webhook } from './senders/sender.ts';
import {
  certificates,
  compiledSource,
  draftsOf,
  requestOf,
  serveCertificates,
  sourceIdOf,
  sourceOf,
} from './stage.ts';

/**
 * A second more for each check: rejections are recorded at a bounded rate. It begins ahead of the platform's own clock,
 * by which an alarm that were set in the past would ring without end.
 */
let now = (Math.floor(Date.now() / 1_000) + 9 * 365 * 86_400) * 1_000;

const CASES = senders.map((sender) => [nameOf(sender), sender] as const);

function providerOf({ provider: id }: Sender): Provider {
  const provider = providers.get(id);
  if (provider === undefined) throw new Error(`${id} is not in the catalogue`);
  return provider;
}

/** The provider's first sample with words to change, a second after whatever was before. */
function stageOf(sender: Sender): Stage {
  const drafts = draftsOf(providerOf(sender), sender);
  const [, draft] = drafts.find(([, { body }]) => hasWords(body)) ?? drafts[0] ?? [];
  if (draft === undefined) throw new Error('no sample');
  now += 1_000;
  vi.setSystemTime(now);
  return { sender, draft, now };
}

const post = ({ url, method, headers, body }: Webhook): Promise<Response> =>
  exports.default.fetch(url, { method, headers, body });

/** The verifier's own verdict, by the source's scheme and every secret that the source names. */
async function verdict(sender: Sender, webhook: Webhook) {
  const { verify, url } = compiledSource(providerOf(sender), sender);
  const request = requestOf(providerOf(sender), webhook, url);
  const checked = await verifySignature(verify, sender.keys.secrets, request, { now, fetch: certificates });
  return checked.ok ? `accepted by secret ${checked.value.secret}` : `refused: ${checked.error.code}`;
}

async function expectVerdict(sender: Sender, { name, webhook, expected }: Case): Promise<void> {
  const wanted = expected.ok ? `accepted by secret ${expected.secret}` : `refused: ${expected.reason}`;
  expect(`${name}: ${await verdict(sender, webhook)}`).toBe(`${name}: ${wanted}`);
}

/** Expects the response of the front door. */
async function expectStatus({ name, webhook, expected }: Case): Promise<void> {
  const response = await post(webhook);
  expect([name, response.status]).toEqual([name, expected.ok ? expect.toSatisfy(isOk) : 401]);
}

const isOk = (status: number): boolean => status >= 200 && status < 300;

interface RejectionJson {
  readonly at: string;
  readonly source: string;
  readonly code: string;
}

async function listed(sender: Sender): Promise<string[]> {
  const { body } = await admin<{ items: RejectionJson[] }>(
    'GET',
    `/rejections?source=${sourceIdOf(sender)}&limit=200`,
  );
  return body.items.map(({ at, code }) => `${at} ${code}`).sort();
}

/** A source that cannot be published fails its own tests, and no other's. */
function isPublishable(sender: Sender): boolean {
  try {
    return compiledSource(providerOf(sender), sender).id !== '';
  } catch {
    return false;
  }
}

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  serveCertificates();
  await publish({
    sources: Object.fromEntries(
      senders
        .filter(isPublishable)
        .map((sender) => [sourceIdOf(sender), sourceOf(providerOf(sender), sender)]),
    ),
  });
});

afterAll(() => {
  vi.useRealTimers();
});

it('every provider has a sender but those whose key nobody else has, and every sender a provider', () => {
  const posted = new Set(senders.map(({ provider }) => provider));
  const unsigned = [...providers.values()].filter(({ id }) => !posted.has(id));
  for (const { verify } of unsigned) expect(['rsa', 'jwt', 'oidc']).toContain(verify?.scheme);
  expect([...providers.keys()]).toEqual(expect.arrayContaining([...posted]));
});

/**
 * A pattern for covered content in a scheme's text, and a check that a sender declares it, so that the tests tamper
 * with it.
 */
const COVERED: readonly (readonly [RegExp, (sender: Sender) => boolean])[] = [
  [/"signed":"[^"]*\{url\}/, ({ covers }) => covers.url === true],
  [/"audience":"url"|"scheme":"oidc"/, ({ covers }) => covers.address === true],
  [/"signed":"[^"]*\{method\}/, ({ covers }) => covers.method === true],
  [/"signed":"[^"]*\{query:/, ({ covers }) => covers.query !== undefined],
  [/"signed":"[^"]*\{header:/, ({ covers }) => covers.headers !== undefined],
  [/"body_hash_query"/, ({ covers }) => covers.query !== undefined],
  [/"timestamp":|"require_exp"|"max_age"|"format":/, ({ time }) => time !== undefined],
  [/"list_separator"/, ({ lists }) => lists === true],
  [/"require_headers"/, ({ otherAlgorithms }) => otherAlgorithms.length > 1],
  [/\{raw_body\}|\{form_sorted\}|"body_hash_claim"/, ({ covers }) => covers.body === 'raw'],
];

rule(
  'all that a scheme covers is tampered with below',
  [...providers].filter(([id]) => sendersOf(id).length > 0),
  (id, { verify }) => {
    const text = JSON.stringify(verify);
    for (const [covers, reported] of COVERED.filter(([pattern]) => pattern.test(text)))
      expect(sendersOf(id).some(reported), String(covers)).toBe(true);
  },
);

/** The senders that a check applies to. */
const sendersFor = ({ applies }: Check) => CASES.filter(([, sender]) => applies(sender));

for (const check of ACCEPTED)
  rule(`accepted: ${check.name}`, sendersFor(check), async (_, sender) => {
    for (const one of await check.cases(stageOf(sender))) {
      await expectVerdict(sender, one);
      await expectStatus(one);
    }
  });

for (const check of REFUSED)
  rule(`refused: ${check.name}`, sendersFor(check), async (_, sender) => {
    for (const one of await check.cases(stageOf(sender))) await expectVerdict(sender, one);
  });

rule('one of each refusal gets a 401, and the admin finds its reason', CASES, async (_, sender) => {
  // Those of one source for one reason are one row, with the time of the last.
  const last = new Map<string, string>();
  let firstAt = '';
  for (const check of REFUSED.filter(({ applies }) => applies(sender))) {
    const [one] = await check.cases(stageOf(sender));
    if (one === undefined || one.expected.ok) throw new Error(`${check.name} has no case`);
    await expectStatus(one);
    const at = new Date(now).toISOString();
    firstAt ||= at;
    last.set(one.expected.reason, `${at} ${one.expected.reason}`);
  }
  const expected = [...last.values()].toSorted();
  await eventually(async () =>
    expect((await listed(sender)).filter((line) => line >= firstAt)).toEqual(expected),
  );
});
