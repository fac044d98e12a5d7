import { fnv } from '../../lib/text.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import { whyNotPublic } from '../../lib/url.ts';
import {
  findProvider,
  providerIds,
  providerOf as providerOfFile,
  withFacts,
  type Provider,
} from '../../provider/provider.ts';
import { isTokenBody, needsSecret, needsUrl, signsBody, type VerifyScheme } from '../../signature/scheme.ts';
import { DAY, MINUTE } from '../../lib/time.ts';
import { isExpression, localeIn } from '../../template/basics/locale.ts';
import { compileText, type CompiledText } from '../../template/text.ts';
import { warnOfAlerting, warnOfEscalation } from './alerting.ts';
import { compileRoute, type SourceParts } from './route.ts';
import type { Dedupe, Source } from '../compiled/config.ts';
import { DEFAULT_ACCOUNT_NAME } from '../secrets/credential-names.ts';
import { compiled, compiledIf, type Report, type Reports } from '../documents/issues.ts';
import type { SourceDocument } from '../documents/schema.ts';
import { compileForm } from '../compiled/form-rules.ts';
import { isOpen, sourceLimit } from '../compiled/source-limit.ts';
import { noSuch } from '../documents/unknown-name.ts';
import { warnOfRoute } from './route-warnings.ts';
import { asksForSecret, pairs, signsAnswers } from '../../provider/handshake.ts';

/** No provider in the catalogue repeats a delivery after a longer time. */
const DEDUPE_WINDOW_MS = 3 * DAY;

/** Covers a double click, and *Back* followed by *Send*. */
const SAME_FORM_MS = MINUTE;

const GENERIC = 'generic';

const SAYS = {
  open: 'anybody who knows the address can send to this source',
  premiumProven: 'has no effect: this source verifies its senders, so such numbers are accepted anyway',
  premiumListed: 'has no effect: `countries` decides, and includes their premium-rate numbers',
  unverified: 'needs a `provider`, or its own `verify`',
  twoAnswers: 'is short for `answers: { accepted: 200 }`: give one of them',
  noSecret: 'must name at least one secret to verify with, such as `secrets: [SHOP_WEBHOOK_SECRET]`',
  noHandshakeSecret:
    'must name at least one secret: a handshake is answered with an `hmac`, which is made with it',
  sameKey:
    'is the same for all events, so each after the first is a duplicate and sends nothing; use a value that differs, such as "{{ payload.id }}"',
  bodyUnsigned: 'has no effect: `verify` does not cover the body, so whoever repeats a request can change it',
};

export function compileSource(id: string, document: SourceDocument, parts: SourceParts) {
  const errors: FieldError[] = [];
  const warnings: FieldError[] = [];
  const report: Report = (path, ...fault) => errors.push(fieldError(`sources.${id}${path}`, ...fault));
  const warn: Report = (path, ...fault) => warnings.push(fieldError(`sources.${id}${path}`, ...fault));
  const reports = { report, warn };
  const provider = providerOf(document, parts, report);
  const verify = provider === null ? null : findScheme(provider, document, report);
  if (verify !== null && provider !== null) checkUrl(id, { verify, provider }, document, reports);
  const form = compileForm(provider, document, reports);
  if (verify?.scheme === 'none' && form === null) warn('.verify', 'unsafe', SAYS.open);
  // A handshake’s secret may be missing only at first, for a shipped provider that has yet to show it.
  const isOwn =
    document.handshakes !== undefined || parts.documents.providers.has(document.provider ?? GENERIC);
  if (provider !== null) checkHandshake(provider, document, report, isOwn ? report : warn);
  const isProven = verify === null || !isOpen(verify);
  const { countries, premium = false } = document;
  const language = compileLanguage(document.locale, report);
  const locale = {
    country: document.country,
    countries,
    chatIds: isProven ? (provider?.chat_ids ?? []) : undefined,
    locale: language.locale,
    timezone: document.timezone ?? 'UTC',
    localTimes: provider?.local_times,
    exponents: provider?.exponents,
  };
  const dedupe = compileDedupe(document, { provider, verify }, reports);
  const subject = compiledIf('.subject', document.subject, compileText, report);
  const account = document.account ?? DEFAULT_ACCOUNT_NAME;
  if (premium && (isProven || countries !== undefined))
    warn('.premium', 'unsafe', isProven ? SAYS.premiumProven : SAYS.premiumListed);
  const gateway = { account, spec: parts.gatewayOf(account) };
  const ofRoutes = { ...parts, gateway, mayBePremium: premium || isProven, timezone: locale.timezone, form };
  const names = new Set<string>();
  const routes = (document.routes ?? []).flatMap((route, index) => {
    const { name } = route;
    const path = `.routes[${index}]`;
    const taken = `\`${name}\` is already the name of another route of this source`;
    if (names.has(name)) report(`${path}.name`, 'duplicate', taken);
    names.add(name);
    return compileRoute(route, ofRoutes, (inner, ...fault) => report(path + inner, ...fault)) ?? [];
  });
  const limit = verify === null ? null : sourceLimit(document.limit, verify, report);
  if (errors.length > 0 || provider === null || verify === null) return { source: null, errors, warnings };
  const secrets = document.secrets ?? [];
  const source: Source = {
    id,
    provider: isTokenBody(verify) ? { ...provider, body: { ...provider.body, token: true } } : provider,
    verify,
    isOpen: !isProven,
    url: document.url ?? null,
    secrets,
    handshakeSecret: document.handshake?.secret ?? null,
    account,
    locale,
    language: language.text,
    dedupe,
    subject,
    store: document.store ?? 'full',
    heartbeatMs: document.heartbeat ?? null,
    limit,
    form,
    routes,
    routesMark: fnv(JSON.stringify(document.routes ?? [])),
  };
  routes.forEach((route, index) => {
    const warnHere: Report = (path, ...fault) => warn(`.routes[${index}]${path}`, ...fault);
    warnOfRoute(route, source, warnHere);
    warnOfAlerting(route, warnHere);
    warnOfEscalation(route, warnHere);
  });
  const pairing = `names no secret, so events get 503. Run \`npx hookbell pair ${id}\`, create the webhook at ${provider.name}, set the key as the secret that the command names, and name it here`;
  if (needsSecret(verify) && secrets.length === 0) warn('.secrets', 'secret', pairing);
  return { source, errors, warnings };
}

function providerOf(document: SourceDocument, { documents: { providers } }: SourceParts, report: Report) {
  const { provider: name = GENERIC, verify, answer } = document;
  if (document.provider === undefined && verify === undefined) {
    report('', 'conflict', SAYS.unverified);
    return null;
  }
  const own = providers.get(name);
  const found = own === undefined ? findProvider(name) : providerOfFile(name, own);
  // The errors of a wrong file are listed with it.
  if (found === undefined || (own === undefined && providers.has(name))) {
    if (!providers.has(name))
      report('.provider', ...noSuch('provider', name, [...providers.names, ...providerIds()]));
    return null;
  }
  const provider = withFacts(found, document);
  if (answer === undefined) return provider;
  const { form, answers = [] } = provider;
  const answersItself =
    form === true || answers.some(({ when, body }) => when === undefined && body !== undefined);
  if (document.answers !== undefined) report('.answer', 'conflict', SAYS.twoAnswers);
  else if (answersItself)
    report('.answer', 'no-effect', `has no effect: ${provider.name} gets the answer that it expects`);
  // A body that the provider expects goes with its own status.
  return { ...provider, answers: [...answers.filter(({ body }) => body !== undefined), { status: answer }] };
}

function findScheme(provider: Provider, document: SourceDocument, report: Report): VerifyScheme | null {
  const { verify, secrets = [] } = document;
  const scheme = verify ?? provider.verify;
  if (scheme === null) {
    const needed = `is required: ${provider.name} does not sign its requests. Use what its starter suggests, or token, basic, hmac or none`;
    report('.verify', 'required', needed);
    return null;
  }
  // A provider that hands over its signing key does so only after the source is published.
  const mayLack = verify === undefined && pairs(provider);
  if (needsSecret(scheme) && secrets.length === 0 && !mayLack) report('.secrets', 'secret', SAYS.noSecret);
  if (!needsSecret(scheme) && secrets.length > 0 && !signsAnswers(provider)) {
    const isKeyless = scheme.scheme === 'none' || scheme.scheme === 'oidc';
    const why = isKeyless ? `the scheme is \`${scheme.scheme}\`` : 'the public key is in `verify`';
    report('.secrets', 'no-effect', `has no effect: ${why}`);
  }
  return scheme;
}

/** The sender chooses the `Host` of a request, so it must not decide for whom a token is valid. */
function checkUrl(
  id: string,
  { verify, provider: { name } }: { readonly verify: VerifyScheme; readonly provider: Provider },
  { url }: SourceDocument,
  { report, warn }: Reports,
): void {
  if (!needsUrl(verify)) return;
  if (url === undefined) {
    const other = verify.scheme === 'oidc' ? ', or name the audience in `verify.audience`' : '';
    const needed = `is required: tokens from ${name} contain the address that they are for. Write the one that you gave to ${name}, such as \`url: https://hooks.example.com/hooks/${id}\`${other}`;
    return report('.url', 'required', needed);
  }
  const why = whyNotPublic(new URL(url).hostname);
  if (why !== null)
    warn('.url', 'unreachable', `${why}: tokens from ${name} contain the address that it posts to`);
}

function compileDedupe(
  { dedupe }: SourceDocument,
  { provider, verify }: { readonly provider: Provider | null; readonly verify: VerifyScheme | null },
  { report, warn }: Reports,
): Dedupe {
  const isForm = provider?.form === true;
  const isSigned = isForm || (verify !== null && signsBody(verify));
  const standard = isForm ? SAME_FORM_MS : provider?.signed_body?.window;
  const bodyMs = dedupe?.body ?? (isSigned ? standard : undefined);
  if (bodyMs && verify !== null && !isSigned) report('.dedupe.body', 'unsafe', SAYS.bodyUnsigned);
  const key = compiledIf('.dedupe.key', dedupe?.key, compileText, report);
  if (key !== null && key.nodes === undefined) warn('.dedupe.key', 'constant', SAYS.sameKey);
  return { key, windowMs: dedupe?.window ?? DEDUPE_WINDOW_MS, bodyMs: bodyMs || 0 };
}

/** The language of events that name none that is known: the text's own `default`, which counts for all of these. */
const DEFAULT = /\|\s*default:\s*["']([^"']*)["']/;

function compileLanguage(locale = 'en', report: Report): { locale: string; text: CompiledText | null } {
  if (!isExpression(locale)) return { locale, text: null };
  const [, tag = 'en'] = DEFAULT.exec(locale) ?? [];
  const known = localeIn(tag);
  if (known === null)
    report('.locale', 'malformed', `the default "${tag}" must be a language tag such as de-DE`);
  return { locale: known ?? tag, text: compiled('.locale', compileText(locale), report) };
}

function checkHandshake(provider: Provider, document: SourceDocument, report: Report, tell: Report): void {
  const { name } = provider;
  const { handshake, secrets = [] } = document;
  const asks = asksForSecret(provider);
  if (handshake !== undefined && !asks)
    report('.handshake', 'no-effect', `has no effect: ${name} has no handshake with a secret`);
  if (secrets.length === 0 && signsAnswers(provider)) report('.secrets', 'secret', SAYS.noHandshakeSecret);
  const missing = `is missing: ${name} cannot confirm the address without it. Choose a secret, set it as a Worker secret, and name it: \`handshake: { secret: NAME }\``;
  if (handshake === undefined && asks) tell('.handshake', 'secret', missing);
}
