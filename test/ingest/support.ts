import { bindings as bindingsOfTests } from '../bindings.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import type { Config, Source } from '../../src/config/compiled/config.ts';
import { EMPTY_SET, type ConfigSet } from '../../src/config/documents/schema.ts';
import type { RawRequest, VerifiedRequest, WebhookEvent } from '../../src/ingest/request/event.ts';
import { parseBody } from '../../src/ingest/parse/parse.ts';
import { asVerified } from '../../src/ingest/request/verify.ts';
import { secretsSet } from '../../src/config/secrets/named-secrets.ts';

/** The time when every request of these tests comes in: now, in whole seconds. */
export const NOW = Math.floor(Date.now() / 1_000) * 1_000;

/** Numbers that the German regulator keeps free for media. */
export const PHONE = '491713920001';
export const OTHER_PHONE = '491713920002';

/** A configuration with these sources; throws when there is something wrong with it. */
export function configOf(sources: ConfigSet['sources'], more: Partial<ConfigSet> = {}): Config {
  const set = { ...EMPTY_SET, sources, ...more };
  const { config, errors } = compileConfig(set, 7);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return config;
}

/** The source `shop`, which lets anybody in, without a limit, unless the document says otherwise. */
export function sourceOf(document: object = {}, more: Partial<ConfigSet> = {}): Source {
  const source = configOf(
    { shop: { verify: { scheme: 'none' }, limit: false, ...document } },
    more,
  ).sources.get('shop');
  if (source === undefined) throw new Error('no source');
  return source;
}

/** An event of a source, as far as a test is about it. */
export const eventOf = (source: Source, over: Partial<WebhookEvent> = {}): WebhookEvent => ({
  id: 'evt_1',
  source,
  type: 'order.paid',
  receivedAt: NOW,
  dedupeKey: null,
  signed: null,
  payload: {},
  headers: {},
  query: {},
  ...over,
});

export interface RequestParts {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly pathToken?: string;
  readonly env?: Env;
}

/** A request for a source, read to its end. */
export function rawOf(source: Source, parts: RequestParts = {}): RawRequest {
  const {
    method = 'POST',
    url = 'https://relay.example/hooks/shop',
    headers = {},
    body = '',
    pathToken,
    env: bindings = bindingsOfTests(),
  } = parts;
  const sent = new Headers(headers);
  const bytes = new TextEncoder().encode(body);
  return {
    source,
    method,
    url: new URL(url),
    headers: sent,
    body: bytes,
    parsed: () => parseBody(sent.get('content-type'), bytes, source.provider.body),
    pathToken,
    registeredUrl: source.url,
    secrets: secretsSet(source.secrets, bindings),
    receivedAt: NOW,
  };
}

/** A POST with this body, which may be a stream. */
export const requestWith = (body: BodyInit, headers: Readonly<Record<string, string>> = {}): Request => {
  // Node asks for `duplex` where a body is a stream.
  const init = { method: 'POST', body, headers, duplex: 'half' };
  return new Request('https://relay.example/hooks/shop', init);
};

/** The same, with its sender known, and with this payload. */
export const verifiedOf = (
  source: Source,
  parts: RequestParts & { readonly payload?: unknown } = {},
): VerifiedRequest => asVerified(rawOf(source, parts), parts.payload ?? {});

/** A problem answer's own words. */
export const problemOf = (response: Response) =>
  response.json<{ type: string; title: string; status: number; detail: string }>();
