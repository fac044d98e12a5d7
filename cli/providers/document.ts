import { writeYaml } from '../../shared/yaml-patch/rewrite.ts';
import { nameForSecretOf } from '../../src/config/secrets/credential-names.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { parseBody } from '../../src/ingest/parse/parse.ts';
import { headerOf, type Captured } from './captured.ts';
import type { Match } from './schemes.ts';
import { signedBy } from './sign.ts';
import { maybeJson, scalarText } from '../../src/lib/json.ts';

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

/**
 * The text of a provider's file from one request. The secret (null: none was given) is nowhere in it; where it would be,
 * there is no file.
 */
export async function providerFile(
  id: string,
  request: Captured,
  match: Match | null,
  secret: string | null,
): Promise<Result<string, string>> {
  const isPublic = match !== null && ['ed25519', 'ecdsa', 'rsa'].includes(match.scheme.scheme);
  const secrets = secret === null || isPublic ? [] : formsOf(secret);
  const clean = withoutSecrets(request, secrets, isPublic ? JSON.stringify(match.verify) : '');
  const contentType = headerOf(clean.headers, 'content-type');
  const parsed = await parseBody(contentType ?? null, new TextEncoder().encode(clean.body), clean.quirks);
  const kept = clean.headers.filter(([name]) => !OMITTED.test(name));
  const event = eventOf(kept, parsed.ok ? parsed.value.payload : null);
  const name = id.replaceAll(/(?:^|[-_])(\w)/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();
  const sample = sampleOf(clean, contentType, match, isPublic);
  const shown = JSON.stringify(sample);
  if (secrets.some((form) => shown.includes(form)))
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

/**
 * The request without the secret in any of its forms, and without anything else that lets somebody in. `verify`: how its
 * signature is checked, if that stays in it.
 */
function withoutSecrets(request: Captured, secrets: readonly string[], verify: string): Captured {
  const isSecret = (text: string): boolean => secrets.some((form) => text.includes(form));
  const isSigned = (name: string): boolean => verify.toLowerCase().includes(`"${name.toLowerCase()}"`);
  const url = new URL(request.url);
  url.search = new URLSearchParams(
    [...url.searchParams].filter(([name, value]) => !isSecret(value) && !CREDENTIAL.test(name)),
  ).toString();
  return {
    ...request,
    url,
    headers: request.headers.filter(
      ([name, value]) =>
        !isSecret(value) && (!CREDENTIAL.test(name) || isSigned(name) || /timestamp$/i.test(name)),
    ),
    body: secrets.reduce((cleaned, form) => cleaned.replaceAll(form, INVENTED.utf8), request.body),
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

/** The sample: signed anew with an invented key, or as it came if its key is public. */
function sampleOf(
  request: Captured,
  contentType: string | undefined,
  match: Match | null,
  isPublic: boolean,
): object {
  const json = isPublic ? undefined : jsonOf(request.body);
  const body = json === undefined ? request.body : JSON.stringify(json);
  const headers = Object.fromEntries(request.headers.filter(([name]) => !OMITTED.test(name)));
  const bare = { method: request.method, url: request.url.href, headers, body };
  // A public key would be the value of a Worker secret, which no document may have. The signature stays as it came.
  const key = match === null || isPublic ? null : inventedKey(match);
  // The address that its sender signed is not known from the sample.
  const canSign = match !== null && key !== null && !/\{(?:url|method)\}/.test(JSON.stringify(match.verify));
  const signed = canSign ? signedBy(match.scheme, bare, { keys: [key], now: match.now }) : null;
  const made = signed ?? bare;
  const again = json === undefined ? undefined : jsonOf(made.body);
  const query = Object.fromEntries(new URL(made.url).searchParams);
  return {
    ...(signed !== null && { secret: key }),
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
  const value = maybeJson(body);
  const isExact = !/(?<![\w."])\d{16,}/.test(body);
  return typeof value === 'object' && value !== null && isExact ? value : undefined;
}

/** A fact about an event: its place as a file writes it, and its value. */
interface Fact {
  readonly text: string;
  readonly name: string;
  readonly value: string;
  readonly depth: number;
  /** In a list further down: a part of the event, such as a line of an order. */
  readonly isPart: boolean;
}

/** Fields by which senders name an event, what it is about, and its kind; the first that is there is proposed. */
const IDS = ['event_id', 'eventId', 'message_id', 'messageId', 'delivery_id'];
const TYPES =
  'event_type eventType event_name eventName triggerEvent trigger topic event type action status state'.split(
    ' ',
  );
const SUBJECTS = 'title subject name summary headline message description text reference number email'.split(
  ' ',
);

const ID_HEADER =
  /(?:event|webhook|message|delivery|notification|idempotency)-?(?:id|uuid|key)$|-delivery$|^webhook-id$/i;
const TYPE_HEADER = /(?:event|topic|webhook)(?:-(?:type|name|topic|key))?$/i;

const MAX_FACTS = 500;
const MAX_DEPTH = 5;

/** Proposes where an event's id, type and subject are: by the names that senders give them. */
function eventOf(headers: Captured['headers'], payload: unknown): object | null {
  const isList = Array.isArray(payload);
  const facts = factsIn(isList ? payload[0] : payload, isList ? 'payload[0]' : 'payload');
  const own = facts.filter(({ isPart }) => !isPart);
  const typeFact = named(own, TYPES, (value) => /^[A-Za-z][\w.:/-]{1,63}$/.test(value));
  const typeHeader = header(headers, TYPE_HEADER);
  const type = typeHeader ?? typeFact?.text ?? null;
  const id = header(headers, ID_HEADER) ?? idBeside(typeHeader === null ? typeFact : null, own);
  const subject =
    named(facts, SUBJECTS, (value) => value.length <= 200 && /\p{L}/u.test(value))?.text ?? null;
  const ofItem = isList && id?.startsWith('payload[0]') === true ? id.replace('payload[0]', 'item') : null;
  const event = {
    ...(id !== null && ofItem === null && { id: `{{ ${id} }}` }),
    ...(type !== null && { type: `{{ ${type} }}` }),
    ...(subject !== null && { subject: `{{ ${subject} }}` }),
    ...(isList && { items: { at: 'payload', ...(ofItem !== null && { id: `{{ ${ofItem} }}` }) } }),
  };
  return Object.keys(event).length === 0 ? null : event;
}

const header = (headers: Captured['headers'], pattern: RegExp): string | null => {
  const [name, value = ''] = headers.find(([one]) => pattern.test(one)) ?? [];
  return name === undefined || value === '' || value.length > 128 ? null : `headers.${name.toLowerCase()}`;
};

/** The fact with the first of these names, and of those the least deep. */
function named(
  facts: readonly Fact[],
  names: readonly string[],
  fits: (value: string) => boolean = () => true,
): Fact | null {
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1)
    for (const name of names) {
      const found = facts.find((one) => one.depth === depth && one.name === name && fits(one.value));
      if (found !== undefined) return found;
    }
  return null;
}

/** An id names the event only beside its type: elsewhere it names a thing, whose next event would be taken for the same. */
function idBeside(type: Fact | null, facts: readonly Fact[]): string | null {
  const beside = facts.filter((one) => type !== null && parentOf(one) === parentOf(type));
  const isOfEvent = /^(?:event(?:_?type|_?name)?|type|topic|trigger(?:Event)?)$/i.test(type?.name ?? '');
  const found =
    named([...facts.filter(({ depth }) => depth === 0), ...beside], IDS) ??
    (isOfEvent ? named(beside, ['id', 'uuid']) : null);
  return found?.text ?? null;
}

const parentOf = ({ text, name }: Fact): string => text.slice(0, -stepOf(name).length);

/** Every text and number of a payload; of a list its first element. */
function factsIn(payload: unknown, root: string): readonly Fact[] {
  const facts: Fact[] = [];
  const walk = (value: unknown, text: string, name: string, depth: number): void => {
    const scalar = scalarText(value);
    const isPart = text.slice(root.length).includes('[0]');
    if (scalar !== null && scalar !== '') facts.push({ text, name, value: scalar, depth, isPart });
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || facts.length > MAX_FACTS) return;
    for (const [key, inner] of Object.entries(value).slice(0, Array.isArray(value) ? 1 : undefined))
      if (!/["'\\.]/.test(key)) walk(inner, text + stepOf(key), key, depth + 1);
  };
  walk(payload, root, '', -1);
  return facts;
}

const stepOf = (key: string): string =>
  /^\d+$/.test(key) ? `[${key}]` : /^[A-Za-z_][\w-]*$/.test(key) ? `.${key}` : `["${key}"]`;
