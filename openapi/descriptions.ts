/**
 * What each key of each document means, in Markdown without links. Not in the schemas themselves: they are deployed
 * with the Worker, and these words are for readers of the API's description and of `docs/configuration.md`.
 */

const SIGNATURE_ENCODING =
  'How the signature is written: `hex` (either case), `base64` (padded or not) or `base64url`.';
const TOLERANCE =
  'How far the time may be from now, before or after, from 1s to 4d. An older request may be a copy that somebody kept.';

const HOURS = {
  days: 'The days on which they begin.',
  from: 'When they begin, such as `"22:00"`: when the zone\'s clock first shows it or jumps over it.',
  to: 'When they end, up to `"24:00"`: on the next day, if that is not after `from`.',
  timezone: 'The IANA time zone of `from` and `to`.',
} as const;

/** Options of the schemes that sign a text made of pieces of the request. */
const SIGNED_OPTIONS = {
  header:
    'The header with the signature, or up to 4 alternatives: the first one that is present is used. Exactly one of `header`, `query` and `field` is required.',
  query: 'The query parameter with the signature.',
  field: 'The form field with the signature, or its dotted path in a JSON body.',
  prefix: 'Text before each signature, such as `sha256=`.',
  prefix_optional: '`true`: the signature is also accepted without its `prefix`.',
  list_separator:
    'What separates several signatures: `,`, `;` or a space. Up to 16 are checked, 4 with `ed25519` and `ecdsa`, and any may match. `,` also allows a repeated header, which is refused otherwise.',
  key_value_separator:
    "What separates an item's key from its value, `=` or `,`; the first one in the item counts. Used together with `keys`.",
  keys: 'The 1 to 8 keys of signatures; items with other keys are parameters or ignored. Used together with `key_value_separator`.',
  signed:
    'What is signed: text with `{raw_body}`, `{ts}`, `{method}`, `{url}`, `{header:Name}`, `{query:name}`, `{query_lower:name}`, `{body:path}`, `{item:path}`, `{sig.key}`, `{form_sorted}` and, with scheme `hash`, `{secret}` in it.',
  unsigned_body:
    '`true` confirms that the signature does not cover the body: required if `signed` leaves it out.',
  signed_once:
    '`true`: the sender signs no two events alike (it signs an id or a random token), but does not sign the whole body. Then the signed part makes only one event, whatever body, headers or key come with it.',
  body_hash_query:
    'The query parameter of the signed `{url}` that holds the SHA-256 of the body in hex (Twilio). Required with it, unless the body is a form and `{form_sorted}` is signed.',
  url: "The address as the sender knows it, for `{url}` behind a proxy; the default is the source's `url`, or else the request's own address.",
  url_form:
    'How the sender writes the address: `as_is`, `percent_decoded` (HubSpot: some escapes are decoded), or `any_port` (Twilio: with and without the default port).',
  items:
    'A dotted path to a list (1 to 100) whose elements are signed one by one (Adyen): `field` and `{item:path}` are read from each element, and all signatures must be right.',
  require_headers: 'Headers that must have these values, such as the version of the signature.',
  timestamp: 'Where the time of signing is, and how old it may be. It must be part of what is signed.',
} as const;

const SECRET_OPTIONS = {
  secret_encoding: 'How the secret becomes the key: `utf8` as it is, `base64` or `hex` decoded.',
  strip_secret_prefixes:
    'Up to 4 prefixes, such as `whsec_`: the first that matches is removed from a secret before it is decoded.',
  secret_separator: 'What separates several secrets (8 at most) in one Worker secret: `|`, `,` or a space.',
} as const;

const PARAMETER = 'Liquid, up to 16,384 characters.';

/** The parameters of each kind of message. */
const KINDS = {
  text: { kind: 'A text message.', message: `The text. ${PARAMETER}` },
  image: {
    kind: 'A picture.',
    image_url: `The picture's http or https address. ${PARAMETER}`,
    caption: `The text below the picture. ${PARAMETER}`,
  },
  voice: {
    kind: 'A voice message.',
    audio_url: `The recording's http or https address. ${PARAMETER}`,
  },
  'link-preview': {
    kind: 'A link with a card.',
    url: `The link's http or https address. ${PARAMETER}`,
    text: `The text above the card. ${PARAMETER}`,
    title: `The card's title. ${PARAMETER}`,
    description: `The card's text. ${PARAMETER}`,
  },
  poll: {
    kind: 'A question with options to choose from.',
    question: `The question. ${PARAMETER}`,
    options: `The 2 to 64 options. Each is ${PARAMETER}`,
  },
  status: {
    kind: 'A status, which goes to all contacts and has no receiver.',
    text: `The text. ${PARAMETER}`,
  },
} as const;

const FALLBACK =
  'Up to three templates that are sent instead, one after the other: each as a message of its own when the one before is dead.';

/** By group (a document, or an object in it, `verify.*` by scheme and `template.*` by kind), then by key. */
export const DESCRIPTIONS = {
  source: {
    provider: 'The id of a built-in provider, as in `GET /providers`. Optional if there is a `verify`.',
    verify: "How its requests are verified, instead of the provider's way.",
    secrets:
      'Names of up to 8 Worker secrets, never their values. Any may match, so name the old and the new one while rotating.',
    handshake: 'For a provider that shows a separate secret before it posts.',
    url: 'The whole address that the provider was given: required where its tokens name it, and where a proxy changes it on the way; some senders sign it.',
    account: 'The account that sends: one gateway login.',
    country: 'The country of phone numbers without a country code: ISO 3166, two capitals, such as `DE`.',
    countries:
      'The countries in which receivers from a payload may be, such as `[DE, AT]`. A message to any other country fails. Numbers in documents may be anywhere.',
    premium:
      'Whether a source that anybody can post to takes premium-rate and satellite numbers from a payload. `countries` decides it where they are given. Numbers in documents may be any.',
    locale: 'How amounts, numbers and times are written: a BCP 47 tag such as `de-DE`.',
    timezone: 'The IANA time zone of times in messages, such as `Europe/Berlin`.',
    dedupe:
      "What makes an event a duplicate, and for how long. A key that is left out has the provider's value.",
    store:
      "`full`, or `metadata`: payload, headers and query are not kept, so the event cannot be replayed; a message's parameters are deleted once it is sent or cancelled.",
    heartbeat: "How long the source may be silent before the account's owner is notified, 10m to 90d.",
    limit:
      'How much it may send: `{ per_minute, burst, mib_per_hour, messages_per_minute }`, or `false` for no limit. A webhook over the limit gets 429 with `Retry-After`.',
    routes: 'Up to 200, tried in order. Without routes, events are kept as `unmatched`.',
  },
  'source.limit': {
    per_minute: 'Webhooks in any minute.',
    burst:
      'How many at once. If it is more than `per_minute`, a minute after a quiet time may have this many.',
    mib_per_hour: 'MiB of accepted bodies in any hour.',
    messages_per_minute:
      'Messages in any minute. One webhook makes at most this many and leaves the rest out; further ones get 429.',
  },
  'source.handshake': {
    secret: 'The name of the Worker secret that a handshake has to show, such as the verify token of Meta.',
  },
  'source.dedupe': {
    key: 'Liquid: a second event with the same rendered key is a duplicate. A key has up to 512 characters; an empty key means no dedupe.',
    window: 'How long a key is remembered, 1s to 30d.',
    body: 'How long an equal body is a duplicate, whatever id comes with it, 1s to 30d; `false`: never. Only where `verify` signs the body.',
  },
  route: {
    name: 'Unique in the source.',
    when: 'A Liquid condition without braces.',
    to: 'Who gets the messages: one entry, or a list of up to 500. An entry is a number (digits with the country code, in quotes), the name of a recipients list, or Liquid. A `status` has no receiver and no `to`.',
    template: 'The name of a template. Exactly one of `template` and `send` is required.',
    send: 'A template in the route itself.',
    each: 'A path to a list, filters allowed: one message for each element, which is `item`, with `index` from 1. Anything but a list fails the route.',
    once: 'Liquid: of the messages of this route whose `once` is the same, only the first is sent, for the time of `dedupe.window`. Empty: all are.',
    stop: '`true`: if this route matches, later ones are not tried, even if it cannot be rendered.',
    delay: 'The message is sent this long after receipt at the earliest, up to 30d.',
    expires:
      'The message is not sent any more this long after receipt, 1s to 30d. Must be longer than `delay`.',
    on_uncertain:
      'If nobody knows whether the gateway sent the message: `retry` (it may arrive twice), or `hold` (it waits for a person; a notification counts as sent meanwhile).',
    priority: "`high`: sent before the account's normal messages that wait, and in quiet hours, too.",
    max_length: 'The maximum length of a text parameter, in UTF-16 units (most emoji count 2).',
    overflow:
      'What happens to a longer text: `truncate` cuts between characters and ends in `…`; `split` makes up to 100 messages of it; `fail` fails the route. A notification of incidents is always truncated.',
    incident: 'Items are problems over time: receivers are notified when one opens and when it resolves.',
    group: 'Several items are one notification.',
    throttle:
      'How many messages one receiver gets of the route: `{ max, per }`, or a list of up to 4. What is over it becomes one digest.',
    digest: 'The template of digests: its name, or the template itself.',
    quiet: 'Hours in which receivers are notified of nothing of normal priority.',
  },
  'route.incident': {
    key: 'Liquid: what is one problem. Items with the same key are one incident; it is unique in the route. What is longer than 256 characters is shortened. An item whose key is empty is notified once, as no incident.',
    resolved: 'A Liquid condition without braces: whether the item resolves its incident.',
    repeat:
      'How long after a notification it is notified again while it is open, 1s to 90d. Must be shorter than `expires`.',
    expires: 'Closed, without a message, when nothing was heard of it for so long, 1s to 90d.',
    inhibited_by:
      'Liquid: nobody is notified that it opened while this incident is open, given as its key in this route, as `route/key` or as `source/route/key`.',
    flapping:
      'From this many changes on it is flapping: one notification says so, and one more follows when it has been stable for `per`.',
  },
  'route.incident.flapping': {
    changes: 'How often it opens or resolves, 2 to 100.',
    per: 'In which time, 1s to 7d.',
  },
  'route.group': {
    by: 'Liquid, up to 10: items for which all of these are the same are one group. Left out: the whole route is one.',
    wait: 'How long the first notification of a group waits for more items, 1s to 1d. Not longer than `interval`.',
    interval:
      'How long after a notification was sent the next one of the group may follow, 1s to 7d. The last resolution of a group does not wait.',
    max: 'How many items the template sees.',
  },
  throttle: {
    max: 'How many messages.',
    per: 'In any time of this length, 1s to 7d.',
  },
  quiet: {
    ...HOURS,
    do: 'What happens to messages: `hold` notifies afterwards of what is still open and counts the rest, `digest` sends one digest of all.',
    resolved:
      'What happens to resolutions of what the receiver was notified of: `hold` keeps them for the message that ends the quiet hours, `send` sends the last one of a group at once.',
  },
  silence: {
    when: 'A Liquid condition without braces, as in a route: nobody is notified of openings for which it holds; resolutions pass.',
    from: 'When it begins: a time with its offset, such as `2026-01-31T22:00:00+01:00`.',
    until: 'When it ends.',
    every: 'Hours of the week in which it is in force.',
    reason: 'Why, for others.',
  },
  'silence.every': HOURS,
  'template.text': { ...KINDS.text, fallback: FALLBACK },
  'template.image': { ...KINDS.image, fallback: FALLBACK },
  'template.voice': { ...KINDS.voice, fallback: FALLBACK },
  'template.link-preview': { ...KINDS['link-preview'], fallback: FALLBACK },
  'template.poll': { ...KINDS.poll, fallback: FALLBACK },
  'template.status': { ...KINDS.status, fallback: FALLBACK },
  'fallback.text': KINDS.text,
  'fallback.image': KINDS.image,
  'fallback.voice': KINDS.voice,
  'fallback.link-preview': KINDS['link-preview'],
  'fallback.poll': KINDS.poll,
  'fallback.status': KINDS.status,
  recipients: {
    numbers:
      "Up to 10,000 numbers in the gateway's form: digits that start with the country code, in quotes, without `+` and spaces.",
    quiet: 'Hours in which these receivers are notified of nothing of normal priority.',
    throttle:
      'How many messages each of them gets of a route: `{ max, per }`, or a list of up to 4. What is over it becomes one digest.',
  },
  account: {
    rate: "The account's pace, for all messages and their retries; `false`: no limit.",
    per_recipient:
      'How many messages one receiver gets; `false`: no limit. Messages over the limit wait, those to other receivers do not.',
    timeout: 'How long a call of the gateway may take in all, 100ms to 2m.',
    retry:
      'The waits before each further attempt, ±20 %: n entries make n + 1 attempts. Up to 50, each 100ms to 7d.',
    permanent_errors:
      "Regular expressions for the gateway's `message`: a refusal that matches one is not tried again. Up to 50.",
    circuit: 'When calls of the gateway stop for a while.',
    retention:
      'How long events and messages are kept, 1h to 3650d. Deleted at most an eighth of it later, and a day at most; not while they wait to be sent.',
    digest_above: 'More normal messages than this that wait for one receiver become one digest.',
    notify:
      'Where the owner is notified, for example that the account is paused, its gateway down, or messages dead.',
  },
  'account.rate': {
    per_minute: 'Messages in a minute.',
    burst: 'How many messages may be sent at once after a quiet time.',
  },
  'account.per_recipient': { per_hour: 'Messages to one receiver in an hour.' },
  'account.circuit': {
    failures: 'How many failures in a row open it, 1 to 1,000.',
    probe: 'How often an open circuit lets an attempt through, 100ms to 1h.',
  },
  'account.notify': {
    url: 'An https address (http only to this machine), with `{secret}` in place of its secret part.',
    secret: 'The name of the Worker secret that replaces `{secret}`. It begins with `NOTIFY_`.',
    format: 'The format of the body: `json`, `slack`, `discord` or `ntfy`.',
  },
  'verify.hmac': {
    scheme: 'An HMAC of a text made of pieces of the request.',
    algorithm:
      'The hash: `sha1`, `sha256` or `sha512`; `md5` is only for old senders that have nothing better (Patreon).',
    encoding: SIGNATURE_ENCODING,
    ...SIGNED_OPTIONS,
    ...SECRET_OPTIONS,
  },
  'verify.hash': {
    scheme: 'A plain hash of a text that contains the secret: `signed` must have `{secret}`.',
    algorithm: 'The hash: `sha256` or `sha512`.',
    encoding: SIGNATURE_ENCODING,
    ...SIGNED_OPTIONS,
    ...SECRET_OPTIONS,
  },
  'verify.ed25519': {
    scheme: "An Ed25519 signature; the secret is the sender's public key, 32 bytes.",
    encoding: SIGNATURE_ENCODING,
    ...SIGNED_OPTIONS,
    ...SECRET_OPTIONS,
    secret_encoding: 'How the public key is written: `hex` or `base64`.',
  },
  'verify.ecdsa': {
    scheme:
      "An ECDSA signature, P-256 with SHA-256; the secret is the sender's public key (SPKI, PEM or base64).",
    encoding: SIGNATURE_ENCODING,
    signature_format: "How the signature's two numbers are written: `der` (ASN.1), or `raw` (64 bytes).",
    ...SIGNED_OPTIONS,
  },
  'verify.rsa': {
    scheme:
      "An RSA signature with a certificate that the sender names; it is fetched only from the sender's own hosts.",
    format:
      "Whose format it is: `sns` (the secret is the topic's ARN) or `paypal` (the secret is the webhook's id).",
    tolerance: TOLERANCE,
  },
  'verify.jwt': {
    scheme: 'A JSON Web Token in a header.',
    header: 'The header with the token, or up to 4 alternatives: the first one that is present is used.',
    prefix: 'Text before the token, such as `Bearer `, in any case.',
    prefix_optional: '`true`: the token is also accepted without its `prefix`.',
    algorithm: 'The only algorithm that is accepted: `HS256`, `HS384` or `HS512`.',
    issuer: 'The required value of `iss`.',
    audience:
      "What `aud` must be. `url`: if there is one, it must be the source's `url`, which is then required.",
    body_hash_claim: 'The claim with the SHA-256 of the body in hex.',
    unsigned_body:
      '`true` confirms that the token does not cover the body: required without `body_hash_claim`.',
    require_exp: '`true`: a token without `exp` is refused.',
    tolerance: "How far the sender's clock may be off for `exp`, `nbf` and `iat`, 1s to 4d.",
  },
  'verify.oidc': {
    scheme:
      "An OpenID Connect token in `Authorization: Bearer`; the issuer's keys are fetched from its own host.",
    issuer: 'Who issues the tokens: `google`.',
    email:
      'The service account that posts: required, since anybody can get a token of the issuer for any audience.',
    audience: "What `aud` must be; by default the source's `url`, which is then required.",
  },
  'verify.basic': { scheme: 'HTTP Basic; the secret is `user:password`.' },
  'verify.token': {
    scheme: 'The request contains the secret itself.',
    in: 'Where the token is: `header`, `query`, `body`, or `path` (`/hooks/{source}/{token}`).',
    name: 'The name of the header, query parameter or form field, or the dotted path in a JSON body.',
    prefix: 'Text before the token, such as `Bearer `, in any case.',
    prefix_optional: '`true`: the token is also accepted without its `prefix`.',
    items:
      'A dotted path to a list in the body: `name` is read from each of its elements, and all must be right.',
  },
  'verify.any': {
    scheme: 'Any of several schemes, for senders that use more than one, with one secret.',
    of: 'The 2 to 4 schemes, of which one must accept the request.',
  },
  'verify.none': { scheme: 'Nothing is verified: anybody may post. A publish warns about it.' },
  'verify.timestamp': {
    header: 'The header with the time. Exactly one of `header`, `signature_param` and `body` is required.',
    signature_param: "The time's key beside the signatures.",
    body: 'The dotted path of the time in the body.',
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
    premium: '`false`',
    locale: '`en`',
    timezone: '`UTC`',
    dedupe: "the provider's, 3 days",
    store: '`full`',
    limit: 'by `verify`, see below',
  },
  'source.limit': {
    per_minute: 'by `verify`, as that of `limit`',
    burst: 'as `per_minute`',
    mib_per_hour: 'by `verify`, as that of `limit`',
    messages_per_minute: 'by `verify`, as that of `limit`',
  },
  'source.dedupe': { key: "the provider's", window: '`3d`', body: "the provider's" },
  route: {
    when: 'always',
    each: 'once',
    once: 'all are sent',
    stop: '`false`',
    delay: '`0s`',
    expires: 'never',
    on_uncertain: '`retry`',
    priority: '`normal`',
    max_length: '`4096`',
    overflow: '`truncate`',
    throttle: 'no limit',
    digest: 'the built-in text',
    quiet: 'none',
  },
  'route.incident': { repeat: 'never', expires: '`7d`', flapping: 'never' },
  'route.group': { by: 'all of the route', wait: '`30s`', interval: '`5m`', max: '`20`' },
  recipients: { quiet: 'none', throttle: 'no limit' },
  quiet: { days: 'all', timezone: "the source's; `UTC` in a list", do: '`hold`', resolved: '`hold`' },
  silence: { from: 'at once', until: 'never', every: 'always' },
  'silence.every': { days: 'all', timezone: '`UTC`' },
  account: {
    rate: '`{ per_minute: 30, burst: 5 }`',
    per_recipient: '`{ per_hour: 30 }`',
    timeout: '`15s`',
    retry: '`[5s, 30s, 2m, 10m, 30m, 1h, 3h, 6h, 12h]`',
    permanent_errors: '`[]`',
    circuit: '`{ failures: 5, probe: 30s }`',
    retention: '`30d`',
    digest_above: 'never',
  },
  'account.rate': { burst: '`5`, or `per_minute` if that is less' },
  'account.circuit': { failures: '`5`', probe: '`30s`' },
  'account.notify': { format: 'by the host; `json` for one that is not known' },
} as const satisfies Partial<Readonly<Record<DescribedGroup, Readonly<Record<string, string>>>>>;
