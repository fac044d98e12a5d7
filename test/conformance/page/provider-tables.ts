import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../../../scripts/page-section.ts';
import { providers } from '../../../src/provider/catalog/catalog.ts';
import type { Condition, Lookup } from '../../../src/provider/lookup.ts';
import type { Answer, Provider } from '../../../src/provider/provider.ts';
import type { Starter } from '../../../src/config/starter.ts';
import { formatDuration } from '../../../src/lib/duration.ts';
import type { VerifyScheme } from '../../../src/signature/scheme.ts';
import { ACCEPTED } from '../accepted-checks.ts';
import { schemeOf as schemeWith } from '../captured.ts';
import { always, type Check } from '../check.ts';
import { REFUSED } from '../refused-checks.ts';
import { nameOf } from '../senders/sender.ts';
import { senders, sendersOf } from '../senders/senders.ts';
import { vectors } from '../vectors.ts';
import { type ConformanceResults, countRules } from './report.ts';

const ASSETS = join(import.meta.dirname, '../../../assets/providers');
const ALL = [...providers.values()];

const starterOf = (id: string): Starter =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- test/conformance/starters.test.ts checks each
  JSON.parse(readFileSync(join(ASSETS, `${id}.json`), 'utf8')) as Starter;

const code = (text: string): string => `\`${text}\``;

const schemeOf = (provider: Provider): VerifyScheme => schemeWith(provider, starterOf(provider.id));

/** The kind of proof, as a short text. */
function kindOf(scheme: VerifyScheme): string {
  if (scheme.scheme === 'any') return [...new Set(scheme.of.map(kindOf))].join(' or ');
  const isKeyed = scheme.scheme === 'hmac' || scheme.scheme === 'hash' || scheme.scheme === 'jwt';
  return isKeyed ? `${scheme.scheme} ${scheme.algorithm}` : scheme.scheme;
}

/** The place of the proof, and the age that it may have. */
function placeOf(scheme: VerifyScheme): string {
  switch (scheme.scheme) {
    case 'hmac':
    case 'hash':
    case 'ed25519':
    case 'ecdsa': {
      const { header, field = '', timestamp } = scheme;
      const age = timestamp === undefined ? '' : `, ${timestamp.tolerance / 1_000} s`;
      return `${header === undefined ? `field ${code(field)}` : header.map(code).join(', ')}${age}`;
    }
    case 'jwt':
      return scheme.header.map(code).join(', ');
    case 'rsa':
      return `${scheme.format === 'sns' ? `field ${code('Signature')}` : code('PAYPAL-TRANSMISSION-SIG')}, ${scheme.tolerance / 1_000} s`;
    case 'token':
      if (scheme.in === 'path') return 'the path';
      if (scheme.in === 'header') return code(scheme.name);
      return `${scheme.in === 'body' ? 'field' : scheme.in} ${code(scheme.name)}`;
    case 'basic':
    case 'oidc':
      return code('Authorization');
    case 'any':
      return [...new Set(scheme.of.map(placeOf))].join(' or ');
    case 'none':
      return 'nothing';
  }
}

function lookupText(lookup: Lookup): string {
  if (typeof lookup === 'object' && 'text' in lookup) return code(lookup.text);
  if (typeof lookup !== 'string') return lookup.map(lookupText).join(' + ');
  const [, kind = '', name = ''] = /^(\w+):(.*)$/.exec(lookup) ?? [];
  return kind === 'body' ? code(name) : `${kind} ${code(name)}`;
}

const lookupsText = (lookups: readonly Lookup[]): string => lookups.map(lookupText).join(', else ');

function idText({ dedupe, items }: Provider): string {
  if (dedupe.length > 0) return lookupsText(dedupe);
  return items === undefined || items.id.length === 0 ? '–' : `of each element: ${lookupsText(items.id)}`;
}

/** True if a starter can propose nothing but a word that somebody chose. */
const isUnsigned = (provider: Provider): boolean =>
  provider.verify === null && schemeOf(provider).scheme !== 'oidc';

/** Hookbell's facts about each provider. */
export const factsTable = (): string =>
  table(
    ['`provider`', 'sender', 'proof', 'place of the proof', '`event.type`', 'id of the event', 'list of'],
    ALL.map((provider) => [
      code(provider.id),
      provider.name,
      kindOf(schemeOf(provider)),
      `${placeOf(schemeOf(provider))}${isUnsigned(provider) ? ' ¹' : ''}`,
      provider.event_type.length === 0 ? '–' : lookupsText(provider.event_type),
      idText(provider),
      provider.items === undefined ? '' : listText(provider.items.at),
    ]),
  );

const KINDS = {
  'signed-id': 'the signed id',
  'signed-time': 'the signed time',
  digest: 'a digest of the signed content',
  open: 'nothing',
} as const;

/** True if a request gives away the whole secret. */
const showsSecret = (scheme: VerifyScheme): boolean =>
  scheme.scheme === 'any' ? scheme.of.every(showsSecret) : ['token', 'basic', 'none'].includes(scheme.scheme);

/**
 * The protection of a captured request from being another event, where that is not simply a signed id or nothing at
 * all.
 */
export const capturedTable = (): string =>
  table(
    ['`provider`', 'protected by', 'for', 'notes'],
    ALL.flatMap((provider) => {
      const { kind, note } = starterOf(provider.id).captured;
      const isPlain = kind === 'signed-id' ? note === undefined : showsSecret(schemeOf(provider));
      if (isPlain) return [];
      const { signed_body: body } = provider;
      const lasts = body === undefined ? '' : code(formatDuration(body.window));
      return [[code(provider.id), KINDS[kind], lasts, note ?? '']];
    }),
  );

const listText = (at: string): string => (at === '' ? 'the body' : code(at));

const whenText = ({ when = [] }: Answer): string => when.map(conditionText).join(' and ');

function conditionText(condition: Condition): string {
  const place = lookupText(condition.at);
  if ('absent' in condition) return `no ${place}`;
  return 'equals' in condition ? `${place} is ${code(condition.equals)}` : `${place} is present`;
}

/** Providers that get another answer than 202 and the receipt. */
export const answersTable = (): string =>
  table(
    ['`provider`', 'when', 'status', 'body'],
    ALL.flatMap((provider) =>
      (provider.answers ?? []).map((answer) => [
        code(provider.id),
        whenText(answer),
        String(answer.status),
        bodyText(answer),
      ]),
    ),
  );

function bodyText({ status, body }: Answer): string {
  if (body === undefined) return status === 204 ? 'none' : 'the receipt';
  return body === '' ? 'none' : code(body);
}

/** A check of the tests, and the providers that it applies to. All of them passed: a failure throws earlier. */
interface Column {
  readonly name: string;
  readonly applies: (provider: Provider) => boolean;
}

const conformance = (verdict: string, { name, applies }: Check): Column => ({
  name: `${verdict}: ${name}`,
  applies: ({ id }) => sendersOf(id).some(applies),
});

const COLUMNS: readonly Column[] = [
  ...ACCEPTED.map((check) => conformance('accepted', check)),
  ...REFUSED.map((check) => conformance('refused', check)),
  { name: 'each kind of refusal gets a 401, and the admin API shows its reason', applies: always },
  {
    name: 'a sample becomes messages on a phone, the sender gets its answer, and a repeat is no further event, where events have ids',
    applies: always,
  },
];

/** Published vectors and vendors' own code that agree with what the tests sign. */
function opinionsOf({ id }: Provider, results: ConformanceResults): string {
  const published = vectors.filter(({ verify }) => verify === id).length;
  const names = new Set(sendersOf(id).map(nameOf));
  const sdks = results.flatMap(({ title }) => {
    const [, sender = '', sdk = ''] = /^(.+?): (\S+), of the vendor/.exec(title) ?? [];
    return names.has(sender) ? [sdk] : [];
  });
  const count = published === 1 ? 'vector' : `${published} vectors`;
  return [...(published > 0 ? [count] : []), ...new Set(sdks.map(code))].join(', ') || '–';
}

/** The legend of the columns, and provider × check. `results`: of the tests that passed. */
export function checksTable(results: ConformanceResults): string {
  const legend = COLUMNS.map(({ name }, index) => `${index + 1}. ${name}`).join('\n');
  const head = ['`provider`', 'proof', 'facts', 'also checked by', ...COLUMNS.map((_, n) => String(n + 1))];
  const rows = ALL.map((provider) => [
    code(provider.id),
    kindOf(schemeOf(provider)),
    starterOf(provider.id).confidence.level,
    opinionsOf(provider, results),
    ...COLUMNS.map(({ applies }) => (applies(provider) ? '✓' : '–')),
  ]);
  const { rules, runs } = countRules(results);
  const counts = `${rules} rules, checked ${runs.toLocaleString('en')} times`;
  return `The ${COLUMNS.length} checks, for ${senders.length} ways in which ${ALL.length} providers sign (${counts}):\n\n${legend}\n\n${table(head, rows)}`;
}

/** Senders whose proof does not cover the whole body, and why. */
export function openBodies(): string {
  const open = senders.flatMap(({ provider, covers: { body } }) =>
    typeof body === 'string' ? [] : [[body.open, provider] as const],
  );
  const reasons = [...new Set(open.map(([reason]) => reason))].sort();
  return reasons
    .map((reason) => {
      const ids = new Set(open.filter(([one]) => one === reason).map(([, id]) => code(id)));
      return `- ${reason}: ${[...ids].join(', ')}`;
    })
    .join('\n');
}
