import { vi } from 'vitest';
import { compileConfig } from '../../src/config/compile/compile.ts';
import type { Source } from '../../src/config/compiled/config.ts';
import { parseBody } from '../../src/ingest/parse/parse.ts';
import { EMPTY_SET } from '../../src/config/documents/schema.ts';
import type { Provider } from '../../src/provider/provider.ts';
import type { Sample, Starter } from '../../src/config/documents/provider-file.ts';
import type { SignedRequest } from '../../src/signature/basics/request.ts';
import { OTHER_RSA_CERTIFICATE, RSA_CERTIFICATE } from '../signature/certificates.ts';
import { bindingNames } from './senders/keys.ts';
import { CERTIFICATES } from './senders/certificate-senders.ts';
import { GOOGLE_KEYS, googleKeySet } from './senders/cloud-senders.ts';
import { nameOf, type Sender, type Webhook } from './senders/sender.ts';
import { samplesOf, starterOf } from './starters.ts';

/** The source of a sender: one for each, since a provider's ways may have secrets of their own. */
export const sourceIdOf = (sender: Sender): string =>
  nameOf(sender)
    .replaceAll(/[^a-z0-9]+/gi, '-')
    .replace(/-$/, '');

/** The address that the provider was given. */
const addressOf = (sender: Sender): string => `https://relay.example/hooks/${sourceIdOf(sender)}`;

/** The source that its starter proposes, with the secrets of the tests. */
export const sourceOf = (provider: Provider, sender: Sender, routes: readonly object[] = []) => ({
  provider: provider.id,
  ...withBoundSecret(starterOf(provider).source),
  ...(sender.verify && { verify: sender.verify }),
  ...(sender.covers.address === true && { url: addressOf(sender) }),
  ...(sender.keys.secrets.length > 0 && { secrets: bindingNames(sender.keys) }),
  country: 'DE',
  locale: 'en-GB',
  timezone: 'Europe/Berlin',
  routes,
});

/** A handshake's secret is one that the tests bind. */
const withBoundSecret = (source: Starter['source'] = {}): object =>
  source['handshake'] === undefined ? source : { ...source, handshake: { secret: 'HOOK_SECRET' } };

const compiledSources = new Map<Sender, Source>();

/** The same as the Worker has it. */
export function compiledSource(provider: Provider, sender: Sender): Source {
  const source = compiledSources.get(sender) ?? compileSender(provider, sender);
  compiledSources.set(sender, source);
  return source;
}

function compileSender(provider: Provider, sender: Sender): Source {
  const set = { ...EMPTY_SET, sources: { shop: sourceOf(provider, sender) } };
  const { config, errors } = compileConfig(set, 1);
  const source = config.sources.get('shop');
  if (source === undefined || errors.length > 0) throw new Error(JSON.stringify(errors, null, 1));
  return source;
}

/** The sample on its way to its source, not yet signed. */
export function draftOf(sender: Sender, sample: Sample, address = addressOf(sender)): Webhook {
  const query = new URLSearchParams(sample.query).toString();
  const draft = {
    method: 'POST',
    url: `${address}${sender.query ?? ''}`,
    headers: { 'content-type': sample.content_type, ...sample.headers },
    body: sample.body,
  };
  const asked =
    query === '' ? draft : { ...draft, url: `${draft.url}${sender.query === undefined ? '?' : '&'}${query}` };
  return sender.adapt === undefined ? asked : sender.adapt(asked);
}

/** Every sample of the provider that this sender posts, not yet signed. */
export const draftsOf = (provider: Provider, sender: Sender): readonly (readonly [string, Webhook])[] =>
  samplesOf(provider)
    .map((sample) => [sample.name, draftOf(sender, sample)] as const)
    .filter(([, draft]) => sender.takes?.(draft) ?? true);

/** A webhook as the verifier sees it. */
export function requestOf(
  provider: Provider,
  { method, url, headers, body }: Webhook,
  registeredUrl: string | null = null,
): SignedRequest {
  const address = new URL(url);
  const [, , , token] = address.pathname.split('/');
  const sent = new Headers(headers);
  const bytes = new TextEncoder().encode(body);
  return {
    method,
    url: address,
    registeredUrl,
    headers: sent,
    body: bytes,
    parsed: () => parseBody(sent.get('content-type'), bytes, provider.body),
    pathToken: token === undefined ? undefined : decodeURIComponent(token),
  };
}

/** The hosts of certificates and keys, which serve those of the tests and nothing else. */
export const certificates: typeof fetch = async (input) => {
  const url = input instanceof Request ? input.url : String(input);
  if (url === CERTIFICATES.sns || url === CERTIFICATES.paypal) return new Response(RSA_CERTIFICATE);
  if (url === CERTIFICATES.snsOther || url === CERTIFICATES.paypalOther)
    return new Response(OTHER_RSA_CERTIFICATE);
  if (url === GOOGLE_KEYS) return Response.json(await googleKeySet());
  throw new Error(`nobody should call ${url}`);
};

/** Lets the Worker find certificates, too; what is not one goes where it went. */
export function serveCertificates(): void {
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    return /\.pem$|\/certs(?:\/|$)/.test(url) ? certificates(input, init) : real(input, init);
  });
}
