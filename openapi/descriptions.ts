/**
 * What each key of each document means, in Markdown without links. Not in the schemas themselves: they are deployed
 * with the Worker, and these words are for readers of the API's description and of `docs/configuration.md`.
 */

const SIGNATURE_ENCODING =
  'How the signature is written: `hex` (either case), `base64` (padded or not) or `base64url`.';
const TOLERANCE =
  'How far the time may be from now, before or after, from 1s to 4d. What is older may be a copy that somebody kept.';

/** What the schemes share that sign a text made of pieces of the request. */
const SIGNED_KNOBS = {
  header:
    'The header that the signature stands in, or up to 4 alternatives of which the first that is there counts. Exactly one of `header`, `query` and `field` is given.',
  query: 'The query parameter that the signature stands in.',
  field: 'The form field, or dotted path in a JSON body, that the signature stands in.',
  prefix: 'Text before each signature, such as `sha256=`.',
  prefix_optional: '`true`: the signature is also taken without its `prefix`.',
  list_separator:
    'What separates several signatures: `,`, `;` or a space. Up to 16 are looked at, 4 with `ed25519` and `ecdsa`, and any may match. `,` is also for a header that comes several times: without it a repeated header is refused.',
  key_value_separator:
    "What separates an item's key from its value, `=` or `,`; the first one in the item counts. Goes together with `keys`.",
  keys: 'The keys under which signatures count, 1 to 8; items under others are parameters or ignored. Goes together with `key_value_separator`.',
  signed:
    'What is signed: text with `{raw_body}`, `{ts}`, `{method}`, `{url}`, `{header:Name}`, `{query:name}`, `{query_lower:name}`, `{body:path}`, `{item:path}`, `{sig.key}`, `{form_sorted}` and, with scheme `hash`, `{secret}` in it.',
  unsigned_body:
    '`true` says that you know that the signature does not cover the body: needed when `signed` leaves it out.',
  signed_once:
    '`true` says that the sender signs no two events alike (an id or a random token is signed), and not every byte of the body: what was signed makes one event then, whatever body, headers or key stand beside it.',
  body_hash_query:
    'The query parameter of the signed `{url}` that holds the SHA-256 of the body in hex (Twilio). Required with it, unless the body is a form and `{form_sorted}` is signed.',
  url: "The address as the sender knows it, for `{url}` behind a proxy; without it the source's `url` counts, or the request's own.",
  url_form:
    'How the sender writes the address: `as_is`, `percent_decoded` (HubSpot: some escapes are decoded), or `any_port` (Twilio: with and without the default port).',
  items:
    'A dotted path to a list (1 to 100) whose elements are signed one by one (Adyen): `field` and `{item:path}` are read from each element, and every one of them has to be right.',
  require_headers: 'Headers that must have these values, such as the version of the signature.',
  timestamp:
    'Where the time of signing stands, and how old it may be. It has to be a part of what is signed.',
} as const;

const SECRET_KNOBS = {
  secret_encoding: 'How the secret becomes the key: `utf8` as it is, `base64` or `hex` decoded.',
  strip_secret_prefixes:
    'Taken off a secret before it is decoded, the first that fits of up to 4, such as `whsec_`.',
  secret_separator:
    'What separates several secrets (8 at most) that stand in one Worker secret: `|`, `,` or a space.',
} as const;

const PARAMETER = 'Liquid, up to 16,384 characters.';

/** By group (a document, or an object in it, `verify.*` by scheme and `template.*` by kind), then by key. */
export const DESCRIPTIONS = {
  source: {
    provider:
      'What hookbell knows of the sender, by its id as in `GET /providers`. May be left out when there is a `verify`.',
    verify: "How its requests are told from anybody else's, in place of the provider's own way.",
    secrets:
      'Names of up to 8 Worker secrets, never their values. Any may match, so name the old and the new one while rotating.',
    handshake: 'For a provider that shows a secret of its own before it posts.',
    url: 'The whole address that the provider was given, when a proxy makes it another one on the way; some senders sign it.',
    account: 'The account that sends: one gateway login.',
    country: 'Where phone numbers without a country code belong: ISO 3166, two capitals, such as `DE`.',
    countries:
      'Where receivers that come from a payload may be, such as `[DE, AT]`. A message to any other country fails. Numbers in documents may be anywhere.',
    locale: 'How amounts, numbers and times are written: a BCP 47 tag such as `de-DE`.',
    timezone: 'The IANA time zone that times are written in, such as `Europe/Berlin`.',
    dedupe: "What makes an event a duplicate, and for how long. What is left out is the provider's.",
    store:
      "`full`, or `metadata`: payload, headers and query are not kept, so that the event cannot be replayed; a message's parameters go once it is sent or cancelled.",
    heartbeat: "How long the source may be silent before the account's owner is told, 10m to 90d.",
    limit:
      'What it may send: `{ per_minute, burst, mib_per_hour }`, or `false` for no limit. What is over it is answered 429 with `Retry-After`.',
    routes: 'Up to 200, looked at in order. Without any the events are kept as `unmatched`.',
  },
  'source.limit': {
    per_minute: 'Webhooks in any minute.',
    burst: 'How many at once. More than `per_minute`: so many in a minute, once the bucket is empty again.',
    mib_per_hour: 'MiB of accepted bodies in any hour.',
  },
  'source.handshake': {
    secret: 'The name of the Worker secret that a handshake has to show, such as the verify token of Meta.',
  },
  'source.dedupe': {
    key: 'Liquid: a second event whose key comes out the same is a duplicate. Up to 512 characters come out; an empty key is none.',
    window: 'How long a key is remembered, 1s to 30d.',
  },
  route: {
    name: 'Unique in the source.',
    when: 'A Liquid condition without braces.',
    to: 'Who gets it: one entry, or a list of up to 500. An entry is a number (digits with the country code, in quotes), the name of a recipients list, or Liquid. A `status` has no receiver and takes no `to`.',
    template: 'The name of a template. Exactly one of `template` and `send` is given.',
    send: 'A template written in place.',
    each: 'A path to a list, filters allowed: one message for each element, which is `item`, and `index` from 1. Anything but a list fails the route.',
    stop: '`true`: once this route has matched, later ones are not looked at, even if it could not be rendered.',
    delay: 'How long after receipt it is sent at the earliest, up to 30d.',
    expires: 'How long after receipt it is not sent any more, 1s to 30d. Has to be longer than `delay`.',
    on_uncertain:
      'When nobody knows whether the gateway sent it: `retry` (it may arrive twice), or `hold` (it waits for a person).',
    priority: '`high`: before all normal messages of the account that wait.',
    max_length: 'The most that a text parameter may have, in UTF-16 units (most emoji count 2).',
    overflow:
      'What is done with a longer text: `truncate` cuts between characters and ends in `…`; `split` makes up to 100 messages of it; `fail` fails the route.',
  },
  'template.text': { kind: 'A text message.', message: `The text. ${PARAMETER}` },
  'template.image': {
    kind: 'A picture.',
    image_url: `Where the picture is: an http or https address. ${PARAMETER}`,
    caption: `The text below the picture. ${PARAMETER}`,
  },
  'template.voice': {
    kind: 'A voice message.',
    audio_url: `Where the recording is: an http or https address. ${PARAMETER}`,
  },
  'template.link-preview': {
    kind: 'A link with a card.',
    url: `Where the link leads: an http or https address. ${PARAMETER}`,
    text: `The text above the card. ${PARAMETER}`,
    title: `The card's title. ${PARAMETER}`,
    description: `The card's text. ${PARAMETER}`,
  },
  'template.poll': {
    kind: 'A question with options to choose from.',
    question: `The question. ${PARAMETER}`,
    options: `The 2 to 64 options. Each is ${PARAMETER}`,
  },
  'template.status': {
    kind: 'A status, which goes to all contacts and has no receiver.',
    text: `The text. ${PARAMETER}`,
  },
  recipients: {
    numbers:
      'Up to 10,000 numbers as the gateway takes them: digits that start with the country code, in quotes, without `+` and spaces.',
  },
  account: {
    rate: "The account's pace, which every message keeps, retries too; `false`: no limit.",
    per_recipient:
      'How much one receiver gets; `false`: no limit. What is over it waits, messages to others go on.',
    timeout: 'How long a call of the gateway may take in all, 100ms to 2m.',
    retry:
      'The waits before each further attempt, ±20 %: n entries make n + 1 attempts. Up to 50, each 100ms to 7d.',
    permanent_errors:
      "Regular expressions on the gateway's `message`: a refusal that matches one is not tried again. Up to 50.",
    circuit: 'When the gateway is left alone for a while.',
    retention: 'How long events and messages are kept, 1h to 3650d. What still waits to be sent stays.',
    shards: 'How many objects share the work, 1 to 64. At most `burst` and `per_minute`.',
    notify: 'Where the owner is told that the account is paused, its gateway down, or messages dead.',
  },
  'account.rate': {
    per_minute: 'Messages in a minute.',
    burst: 'How many may leave at once after a quiet time.',
  },
  'account.per_recipient': { per_hour: 'Messages to one receiver in an hour.' },
  'account.circuit': {
    failures: 'How many failures in a row open it, 1 to 1,000.',
    probe: 'How often an open one lets an attempt through, 100ms to 1h.',
  },
  'account.notify': {
    url: 'An https address (http only to this machine); `{secret}` stands where its secret part goes.',
    secret:
      'The name of the Worker secret whose value takes the place of `{secret}`. It begins with `NOTIFY_`.',
    format: 'What is posted there: `json`, or as `slack`, `discord` or `ntfy` take it.',
  },
  'verify.hmac': {
    scheme: 'An HMAC of a text made of pieces of the request.',
    algorithm: 'The hash: `sha1`, `sha256` or `sha512`.',
    encoding: SIGNATURE_ENCODING,
    ...SIGNED_KNOBS,
    ...SECRET_KNOBS,
  },
  'verify.hash': {
    scheme: 'A plain hash of a text with the secret in it: `signed` has to have `{secret}`.',
    algorithm: 'The hash: `sha256` or `sha512`.',
    encoding: SIGNATURE_ENCODING,
    ...SIGNED_KNOBS,
    ...SECRET_KNOBS,
  },
  'verify.ed25519': {
    scheme: "An Ed25519 signature; the secret is the sender's public key, 32 bytes.",
    encoding: SIGNATURE_ENCODING,
    ...SIGNED_KNOBS,
    ...SECRET_KNOBS,
    secret_encoding: 'How the public key is written: `hex` or `base64`.',
  },
  'verify.ecdsa': {
    scheme:
      "An ECDSA signature, P-256 with SHA-256; the secret is the sender's public key (SPKI, PEM or base64).",
    encoding: SIGNATURE_ENCODING,
    signature_format: "How the signature's two numbers are written: `der` (ASN.1), or `raw` (64 bytes).",
    ...SIGNED_KNOBS,
  },
  'verify.rsa': {
    scheme:
      'An RSA signature by a certificate that the sender names and that is fetched from its own hosts only.',
    format:
      "Whose form it has: `sns` (the secret is the topic's ARN) or `paypal` (the secret is the webhook's id).",
    tolerance: TOLERANCE,
  },
  'verify.jwt': {
    scheme: 'A JSON Web Token in a header.',
    header:
      'The header that the token stands in, or up to 4 alternatives of which the first that is there counts.',
    prefix: 'Text before the token, such as `Bearer `; upper and lower case are alike.',
    prefix_optional: '`true`: the token is also taken without its `prefix`.',
    algorithm: 'The only algorithm that is taken: `HS256`, `HS384` or `HS512`.',
    issuer: 'What `iss` must be.',
    audience: '`url`: `aud`, where there is one, must be the address of the source as the sender has it.',
    body_hash_claim: 'The claim that holds the SHA-256 of the body in hex.',
    unsigned_body:
      '`true` says that you know that the token does not cover the body: needed without `body_hash_claim`.',
    require_exp: '`true`: a token without `exp` is refused.',
    tolerance: "How far the sender's clock may be off when `exp`, `nbf` and `iat` are looked at, 1s to 4d.",
  },
  'verify.basic': { scheme: 'HTTP Basic; the secret is `user:password`.' },
  'verify.token': {
    scheme: 'The secret itself stands in the request.',
    in: 'Where it stands: `header`, `query`, `body`, or `path` (`/hooks/{source}/{token}`).',
    name: 'The name of the header, query parameter or form field, or the dotted path in a JSON body.',
    prefix: 'Text before the token, such as `Bearer `; upper and lower case are alike.',
    prefix_optional: '`true`: the token is also taken without its `prefix`.',
    items:
      'A dotted path to a list in the body: `name` is read from each of its elements, and all have to be right.',
  },
  'verify.any': {
    scheme: 'Any of several ways, for senders that prove themselves in more than one, with one secret.',
    of: 'The 2 to 4 ways, of which one has to fit.',
  },
  'verify.none': { scheme: 'Nothing is checked: anybody may post. Publishing warns about it.' },
  'verify.timestamp': {
    header:
      'The header that the time stands in. Exactly one of `header`, `signature_param` and `body` is given.',
    signature_param: 'The key under which the time stands beside the signatures.',
    body: 'The dotted path in the body that the time stands at.',
    unit: 'How the time is written: `s` or `ms` since 1970, `iso8601`, or `auto` (`s` or `ms`, by the number of digits).',
    tolerance: TOLERANCE,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A document, or an object in one. */
type DescribedGroup = keyof typeof DESCRIPTIONS;

/** What counts when a key is left out, in Markdown; a key that is not here has to be given, or is simply not there. */
export const DEFAULTS = {
  source: {
    provider: '`generic`',
    verify: "the provider's",
    account: '`default`',
    locale: '`en`',
    timezone: '`UTC`',
    dedupe: "the provider's, 3 days",
    store: '`full`',
    limit: 'by `verify`, see below',
  },
  'source.limit': { burst: 'as `per_minute`', mib_per_hour: 'by `verify`, as that of `limit`' },
  'source.dedupe': { key: "the provider's", window: '`3d`' },
  route: {
    when: 'always',
    each: 'once',
    stop: '`false`',
    delay: '`0s`',
    expires: 'never',
    on_uncertain: '`retry`',
    priority: '`normal`',
    max_length: '`4096`',
    overflow: '`truncate`',
  },
  account: {
    rate: '`{ per_minute: 30, burst: 5 }`',
    per_recipient: '`{ per_hour: 30 }`',
    timeout: '`15s`',
    retry: '`[5s, 30s, 2m, 10m, 30m, 1h, 3h, 6h, 12h]`',
    permanent_errors: '`[]`',
    circuit: '`{ failures: 5, probe: 30s }`',
    retention: '`30d`',
    shards: '`1`',
  },
  'account.rate': { burst: '`5`, or `per_minute` if that is less' },
  'account.circuit': { failures: '`5`', probe: '`30s`' },
  'account.notify': { format: 'by the host; `json` for one that is not known' },
} as const satisfies Partial<Readonly<Record<DescribedGroup, Readonly<Record<string, string>>>>>;
