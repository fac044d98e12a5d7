import { writeYaml } from '../../shared/yaml-patch/rewrite.ts';
import { nameForSecretOf } from '../../src/config/secrets/credential-names.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { parseBody } from '../../src/ingest/parse/parse.ts';
import type { VerifyScheme } from '../../src/signature/scheme.ts';
import type { Captured } from './captured.ts';
import { eventOf } from './facts.ts';
import type { Match } from './schemes.ts';
import { signedBy } from './sign.ts';

/** Headers of the way here, and those that hold credentials. */
const OMITTED =
  /^(?:host|content-(?:length|type|encoding)|connection|keep-alive|transfer-encoding|te|expect|upgrade|accept.*|cookie|set-cookie|authorization|proxy-.*|x-forwarded-.*|x-real-ip|true-client-ip|forwarded|via|cf-.*|cdn-loop|x-amzn-.*|x-vercel-.*|fly-.*|x-request-id|x-request-start|x-correlation-id|traceparent|tracestate|sentry-trace|baggage|priority|cache-control|pragma|sec-.*)$/i;

/** Names of headers, query parameters and fields whose values let in whoever knows them. */
const CREDENTIAL = /token|secret|passw|api[-_]?key|access[-_]?key|credential|signature|hmac/i;

/** Invented keys, as long as real ones, in the forms in which a scheme reads secrets. */
const INVENTED = {
  utf8: 'an-invented-key-of-this-sample',
  hex: '696e76656e7465642d6b65792d6f662d746869732d73616d706c652d2d2d2d2d',
  base64: 'aW52ZW50ZWQta2V5LW9mLXRoaXMtc2FtcGxlLS0tLS0=',
} as const;
const INVENTED_LOGIN = 'sender:an-invented-password';

/** What a file is made of. */
interface FileFacts {
  readonly id: string;
  readonly request: Captured;
  /** Null: none was given, or none matched. */
  readonly match: Match | null;
  readonly secret: string | null;
}

/** The text of a provider's file from one request. The secret is nowhere in it; where it would be, there is no file. */
export async function providerFile({
  id,
  request,
  match,
  secret,
}: FileFacts): Promise<Result<string, string>> {
  const clean = withoutSecrets(request, secret, match);
  const contentType = clean.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const parsed = await parseBody(contentType ?? null, new TextEncoder().encode(clean.body), clean.quirks);
  const kept = clean.headers.filter(([name]) => !OMITTED.test(name));
  const event = eventOf(kept, parsed.ok ? parsed.value.payload : null);
  const name = id.replaceAll(/(?:^|[-_])(\w)/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();
  const sample = sampleOf(clean, contentType, match);
  if (
    secret !== null &&
    (match === null || !isPublicKey(match.scheme)) &&
    hasSecret(JSON.stringify(sample), secret)
  )
    return err('has the secret in more places than can be found: take it out of the request by hand');
  const head = {
    name,
    category: 'other',
    confidence: { level: 'unconfirmed', note: 'Made from one captured request.' },
  };
  const verify =
    match === null
      ? commented(
          [
            'No scheme is known yet. Until then the secret stands at the end of the address: https://<your worker>/hooks/<source>/<secret>.',
            'Once you know how the sender signs, write `verify:` here in place of `source:`.',
          ],
          { source: { verify: { scheme: 'token', in: 'path' } } },
        )
      : writeYaml({ verify: match.verify });
  const setup = [
    `Open the settings of webhooks in ${name}, and add one.`,
    match === null || match.verify['in'] === 'path'
      ? 'Enter `https://<your worker>/hooks/<source>/<secret>` as the address.'
      : 'Enter `https://<your worker>/hooks/<source>` as the address.',
    'Choose the events that you want to hear about.',
    `Store the secret that ${name} shows as a Worker secret.`,
  ];
  const parts = [
    commented(['Made from a captured request. Look at each line, and correct what is not right.'], head),
    verify,
    event === null ? '' : writeYaml({ event }),
    clean.quirks === undefined ? '' : writeYaml({ body: clean.quirks }),
    writeYaml({
      setup,
      secret: { name: nameForSecretOf(id), hint: `The secret that ${name} shows for the webhook.` },
    }),
    commented(
      ['The body is as it was captured: look for names, numbers and addresses before you share this file.'],
      { samples: { captured: sample } },
    ),
  ];
  return ok(parts.join(''));
}

const commented = (lines: readonly string[], value: object): string =>
  [...lines.map((line) => `# ${line}\n`), writeYaml(value)].join('');

/** The request without the secret, and without anything else that lets somebody in. */
function withoutSecrets(request: Captured, secret: string | null, match: Match | null): Captured {
  const isPublic = match !== null && isPublicKey(match.scheme);
  const forms = secret === null || isPublic ? [] : formsOf(secret);
  const clean = (text: string): string =>
    forms.reduce((cleaned, form) => cleaned.replaceAll(form, INVENTED.utf8), text);
  const isSecret = (text: string): boolean => forms.some((form) => text.includes(form));
  const url = new URL(request.url);
  url.search = new URLSearchParams(
    [...url.searchParams].filter(([name, value]) => !isSecret(value) && !CREDENTIAL.test(name)),
  ).toString();
  const signedHeader = isPublic ? JSON.stringify(match.verify).toLowerCase() : '';
  return {
    ...request,
    url,
    headers: request.headers.filter(
      ([name, value]) =>
        !isSecret(value) &&
        (!CREDENTIAL.test(name) ||
          signedHeader.includes(`"${name.toLowerCase()}"`) ||
          /timestamp$/i.test(name)),
    ),
    body: clean(request.body),
  };
}

/** A secret as it may stand in a request: as it is, in JSON, in an address, in base64, in hex. */
const formsOf = (secret: string): readonly string[] => {
  const bare = secret.replace(/^(?:[A-Za-z0-9]{1,12}_){1,3}(?=.{8})/, '');
  const inJson = [secret, bare].map((text) => JSON.stringify(text).slice(1, -1));
  const texts = [secret, bare, ...inJson].flatMap((text) => {
    const bytes = new TextEncoder().encode(text);
    const base64 = btoa(String.fromCharCode(...bytes));
    return [
      text,
      encodeURIComponent(text),
      new URLSearchParams([['', text]]).toString().slice(1),
      base64,
      base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
      [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    ];
  });
  return [...new Set(texts)].toSorted((a, b) => b.length - a.length);
};

const isPublicKey = ({ scheme }: VerifyScheme): boolean =>
  scheme === 'ed25519' || scheme === 'ecdsa' || scheme === 'rsa';

/** The sample: signed anew with an invented key, or as it came if its key is public. */
function sampleOf(request: Captured, contentType: string | undefined, match: Match | null): object {
  const isPublic = match !== null && isPublicKey(match.scheme);
  const json = isPublic ? undefined : jsonOf(request.body);
  const body = json === undefined ? request.body : JSON.stringify(json);
  const headers = Object.fromEntries(request.headers.filter(([name]) => !OMITTED.test(name)));
  const bare = { method: request.method, url: request.url.href, headers, body };
  const key = match === null ? null : inventedKey(match);
  // The address that its sender signed is not known from the sample.
  const canSign =
    match !== null && !isPublic && key !== null && !/\{(?:url|method)\}/.test(JSON.stringify(match.verify));
  const signed = canSign ? signedBy(match.scheme, bare, { keys: [key], now: match.now }) : null;
  const made = signed ?? bare;
  const again = json === undefined ? undefined : jsonOf(made.body);
  const query = Object.fromEntries(new URL(made.url).searchParams);
  // A public key would be the value of a Worker secret, which no document may have. The signature stays as it came.
  const shownKey = signed === null ? null : key;
  return {
    ...(shownKey !== null && { secret: shownKey }),
    ...(Object.keys(made.headers).length > 0 && { headers: made.headers }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(again === undefined && { content_type: contentType ?? 'application/json' }),
    body: again ?? made.body,
  };
}

/** A key that nobody has, in the form in which the scheme reads one. Null: a token in the path is in no sample. */
function inventedKey({ scheme }: Match): string | null {
  if (scheme.scheme === 'basic') return INVENTED_LOGIN;
  if (scheme.scheme === 'token') return scheme.in === 'path' ? null : INVENTED.utf8;
  if (scheme.scheme !== 'hmac' && scheme.scheme !== 'hash') return null;
  return `${scheme.strip_secret_prefixes?.[0] ?? ''}${INVENTED[scheme.secret_encoding]}`;
}

/** The JSON of a body that stays what it is in YAML: numbers with more digits than JavaScript has would change. */
function jsonOf(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const isExact = !/(?<![\w."])\d{16,}/.test(body);
    return typeof value === 'object' && value !== null && isExact ? value : undefined;
  } catch {
    return undefined;
  }
}

/** True if a text has the secret in any of its forms. */
const hasSecret = (text: string, secret: string): boolean =>
  formsOf(secret).some((form) => text.includes(form));
