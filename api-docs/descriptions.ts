import { KIND_NAMES, KIND_WORDS, MESSAGE_KINDS, type MessageKind } from '../src/gateway/kinds.ts';

/** The description of each key of each document, in Markdown without links. Not in the schemas, which the Worker contains. */

const SIGNATURE_ENCODING =
  'The encoding of the signature: `hex` (either case), `base64` (padded or not) or `base64url`.';
const TOLERANCE =
  'The largest difference between the signing time and now, in either direction. An older request may be a captured copy.';

const HOURS = {
  days: 'The days on which the hours begin, such as `[mon, fri]`.',
  from: 'The start, such as `"22:00"`. On a day when clocks change, it is when the clock first shows or jumps over that time.',
  to: 'The end, up to `"24:00"`. If it is not after `from`, it is on the next day.',
  timezone: 'The IANA time zone of `from` and `to`.',
} as const;

/** Options of the schemes that sign a text built from parts of the request. */
const SIGNED_OPTIONS = {
  header:
    'The header with the signature, or a list of alternatives, of which the first that is present is used. Exactly one of `header`, `query` and `field` is required.',
  query: 'The query parameter with the signature.',
  field: 'The form field with the signature, or its dotted path in a JSON body.',
  prefix: 'Text before each signature, such as `sha256=`.',
  prefix_optional: '`true` also accepts signatures without the `prefix`.',
  list_separator:
    'The separator between several signatures: `,`, `;` or a space. Up to 16 are checked, or 4 with a public key; one must match. `,` also allows the header to be repeated, which is refused otherwise.',
  key_value_separator:
    'The separator between the key and the value in each part of the list, `=` or `,`. The first one in a part counts. Requires `keys`.',
  keys: 'The keys whose values are signatures. Parts with other keys are not signatures; `signed` and `timestamp` can use their values. Requires `key_value_separator`.',
  signed:
    'The signed text, made of placeholders such as `{raw_body}` and `{ts}`. The others are `{method}`, `{url}`, `{header:Name}`, `{query:name}`, `{query_lower:name}`, `{body:path}`, `{item:path}`, `{sig.key}`, `{form_sorted}` and, with scheme `hash`, `{secret}`.',
  unsigned_body:
    '`true` confirms that the signature does not cover the body. Required if `signed` does not contain it.',
  signed_once:
    '`true` for a sender that signs an id or a random token of each event, but not the whole body. Each signed text then makes only one event, whatever body, headers or key come with it.',
  body_hash_query:
    'The query parameter in the signed `{url}` that holds the SHA-256 of the body in hex (Twilio). Required with `{url}`, unless the body is a form and `{form_sorted}` is signed.',
  url: "The address as the sender knows it, for `{url}` behind a proxy. By default the source's `url`, or else the request's address.",
  url_form:
    'The form of the address that is signed: `as_is`, `percent_decoded` or `any_port`. HubSpot decodes some escapes (`percent_decoded`); Twilio signs it with or without the default port (`any_port`).',
  items:
    'A dotted path to a list (1 to 100) whose elements are signed one by one (Adyen). `field` and `{item:path}` are read from each element, and all signatures must match.',
  require_headers: 'Headers that must have these values, such as the version of the signature.',
  timestamp: 'Where the signing time is, and how old it may be. The time must be part of the signed text.',
} as const;

const SECRET_OPTIONS = {
  secret_encoding: 'The encoding of the secret: `utf8` (used unchanged), `base64` or `hex`.',
  strip_secret_prefixes:
    'Prefixes such as `whsec_`. The first that matches is removed before the secret is decoded.',
  secret_separator:
    'The separator between several secrets (at most 8) in one Worker secret: `|`, `,` or a space.',
} as const;

const KEY_OPTIONS = {
  key: "The sender's public key: a PEM, or a JWK (an object, or its JSON). Without `key` and `jwks`, the key is a secret of `secrets`.",
  jwks: "The https address of the sender's JSON Web Key Set. It is fetched once an hour, and again for an unknown key, at most once a minute. While it cannot be fetched, requests with other keys get 503.",
} as const;

type Prose = Readonly<Record<string, string>>;

const wordsOfKinds = (group: string, words: (kind: MessageKind) => Prose): Readonly<Record<string, Prose>> =>
  Object.fromEntries(KIND_NAMES.map((kind) => [`${group}.${kind}`, words(kind)]));

const asLiquid = (kind: MessageKind): Prose => {
  const words: Prose = KIND_WORDS[kind];
  const liquid = (name: string): string =>
    `${words[name] ?? ''} ${MESSAGE_KINDS[kind].params[name]?.holds === 'list' ? 'Each is ' : ''}Liquid.`;
  return Object.fromEntries(
    Object.keys(words).map((name) => [name, name === 'kind' ? KIND_WORDS[kind].kind : liquid(name)]),
  );
};

const FALLBACK =
  'Fallback templates. Each is sent as a separate message if the one before it becomes a dead letter; with `account`, by another account.';

/** By group (a document, or an object in it, `verify.*` by scheme and `template.*` by kind), then by key. */
export const DESCRIPTIONS = {
  source: {
    provider:
      'The id of a built-in provider, as in `GET /providers`. Required, unless the source has its own `verify`.',
    verify: "The verification of requests. Overrides the provider's verification.",
    secrets:
      'The names of Worker secrets, never their values. Any of them may match, so list the old and the new one while you rotate.',
    handshake: 'The handshake of a provider that sends a separate secret before it posts.',
    url: 'The full address that you gave to the provider. Required if the provider sends tokens that contain it, or if the provider signs it and a proxy changes it.',
    account: 'The account that sends the messages: one gateway login.',
    country: 'The country of phone numbers without a country code, as an ISO 3166 code such as `DE`.',
    countries:
      'The countries to which numbers from a payload may belong, such as `[DE, AT]`. Their numbers are read without `+` as well. A message to any other country fails. Numbers in documents may be in any country.',
    premium:
      '`true` allows premium-rate and satellite numbers from a payload in a source to which anybody can post. If `countries` is set, it decides instead. Numbers in documents may be of any kind.',
    locale:
      'The language: a BCP 47 tag such as `de-DE`, or Liquid that reads one from each event. With a default: `{{ payload.locale | default: "de-DE" }}`.',
    timezone: 'The IANA time zone of times in messages, such as `Europe/Berlin`.',
    dedupe: "The rules that recognise duplicate events. Keys that you leave out have the provider's values.",
    subject:
      "Liquid for the line that describes an event in lists, such as `#{{ payload.order }} {{ payload.name }}`. Search and the tail show it, too. It is truncated to 120 characters, and not stored with `store: metadata`. By default the provider's line, if it has one.",
    store:
      "`full` stores everything, `metadata` no payload, headers or query. Such an event cannot be replayed, and a message's parameters are deleted once it is sent or cancelled.",
    answer:
      'Short for `answers: { accepted: 200 }`, for a sender that takes any other status for a failure. The body is the same.',
    event:
      'Where the id, the type and the events of a webhook are. What is given here wins over the provider; `subject` and `dedupe` win over both.',
    body: "How the sender's bodies differ from their `Content-Type`, in place of what the provider says.",
    handshakes:
      'Requests by which the sender checks the address, and the responses, in place of those of the provider.',
    answers: 'The response to an accepted event, in place of that of the provider.',
    exponents:
      'The decimals of currencies that the sender counts differently from ISO 4217, such as `{ ISK: 2 }`.',
    heartbeat: "The longest time for which the source may be silent before the account's owner is notified.",
    limit:
      'The limits of the source: `{ per_minute, burst, mib_per_hour, messages_per_minute }`, or `false` for none. A webhook over the limit gets 429 with `Retry-After`.',
    origins:
      'For forms: the origins of pages that may post it, such as `[https://shop.example]`. `any` also allows requests without an `Origin` header. By default, any page may post it if its request has that header.',
    redirect: 'For forms: the pages to which the browser is redirected afterwards. A script gets JSON.',
    fields: 'For forms: the fields by name. Visitors see errors in the language of `locale`.',
    other_fields: 'For forms: `drop` or `keep` fields that are not in `fields`; at most 50 are kept.',
    spam: 'For forms: the rules that recognise spam. Spam gets the same response as success and sends nothing. It is kept for 14 days among the rejections, where you can release it.',
    routes: 'The routes, tried in order. Without routes, events are stored as `unmatched`.',
  },
  'source.redirect': {
    ok: "The page after success. The form's `_next` overrides it if it is within `origins`.",
    failed:
      'The page after a failure. It gets the names of the fields to correct as `?faults=email,message`. Visitors may lose what they wrote.',
  },
  'source.spam': {
    honeypot: 'The name of a field that people do not see. If it is filled in, the form is spam.',
    links: 'The maximum number of links in all fields together.',
    min_seconds:
      'The shortest time between opening the page and sending the form, in seconds. A script on the page has to fetch a token with the current time from the relay; a form without it is spam.',
    turnstile:
      'The name of the secret of Cloudflare Turnstile, whose widget is on the page. If Turnstile cannot be reached, the form gets 503.',
    per_address: 'The number of forms that one IP address may send.',
  },
  'source.spam.per_address': {
    per_hour: 'The number of forms per hour. Addresses are not stored, only a hash that changes daily.',
  },
  'source.fields': {
    kind: '`text`, `name` (one line), `email` or `phone` (validated), or `file`. Messages to visitors may show names. Of a file, only the name, the type and the size are kept.',
    label: 'The name that visitors see.',
    max: 'The maximum number of characters.',
    required: '`true`: the field must not be empty.',
  },
  'source.limit': {
    per_minute: 'The number of webhooks in any minute.',
    burst:
      'The number of webhooks that may arrive at once. If it exceeds `per_minute`, the first minute after a time without webhooks may have this many.',
    mib_per_hour: 'The total size of accepted bodies in any hour, in MiB.',
    messages_per_minute:
      'The number of messages in any minute. One webhook makes at most this many and leaves out the rest. Further webhooks get 429.',
  },
  'source.handshake': {
    secret: "The name of the Worker secret that a handshake must contain, such as Meta's verify token.",
  },
  'source.dedupe': {
    key: 'Liquid expression that identifies the event. A second event with the same key is a duplicate. A key has up to 512 characters; an empty key is never a duplicate.',
    window: 'The time for which a key is remembered.',
    body: 'The time for which an identical body counts as a duplicate, whatever its id; `false`: never. Requires a `verify` that signs the body, or a form.',
  },
  route: {
    name: 'The name of the route, unique in the source.',
    when: 'A Liquid condition without braces: the route matches if it is true.',
    to: 'The receivers: a number, the name of a recipients list, or Liquid; or a list of these. A number has its country code and is in quotes. A message of the kind `status` goes to all contacts, so its route has no `to`.',
    template:
      'The name of a template, or of one for each language: `{ default: order-paid, de: order-paid-de }`. Exactly one of `template` and `send` is required.',
    send: 'A template in the route itself.',
    each: 'A path to a list, which may have filters: the route makes one message per element. In it, `item` is the element and `index` its number from 1. The route fails if the value is not a list.',
    once: "Liquid expression that identifies a fact. Within `dedupe.window`, the route sends only the first event's messages for each value. An empty value sends all.",
    stop: '`true`: if this route matches, later routes are skipped, even if it fails to render.',
    actions:
      'Links that the receiver can press, by name: up to 8. A template shows one as `{{ actions.approve.url }}`. `stop` is built in: the receiver gets no more messages. With `incident`, so are `ack`, `resolve` and silences.',
    transactional:
      '`true`: messages of this route also go to receivers who have opted out. Only for what the receiver asked for, such as an order confirmation or an on-call alert.',
    to_visitor:
      "`true` lets a form's route send to a number from the form. Each number gets at most 3 such messages a day. They are texts without links, and show nothing from the form but names.",
    delay: 'The minimum time between receiving the event and sending the message.',
    expires:
      'The maximum time between receiving the event and sending the message. After that the message expires. Must be longer than `delay`.',
    on_uncertain:
      '`retry` or `hold` a message that the gateway may or may not have sent. A retried one may arrive twice. A held one waits for a person; until then, a notification counts as sent.',
    priority: "`high` is sent before the account's normal messages, and even in quiet hours.",
    max_length: 'The maximum length of a text parameter, in UTF-16 units (most emoji count as 2).',
    overflow:
      'A longer text: `truncate` cuts it and adds `…`, `split` makes up to 100 messages, `fail` fails the route. Notifications of incidents are always truncated.',
    incident: 'Makes items incidents: receivers are notified when one opens and when it resolves.',
    group: 'Puts several items into one notification.',
    throttle:
      'The number of messages that one receiver may get from the route: `{ max, per }`, or a list of these. Further messages become one digest.',
    digest: 'The template for digests: its name, or the template itself.',
    quiet: 'Hours in which receivers get no notifications of normal priority.',
    escalate:
      'Further receivers who are notified of an incident that nobody has acknowledged, in steps. Quiet hours and `throttle` do not hold a step back. Requires `incident`.',
    acknowledged_for:
      'The time for which an acknowledgement lasts. If the incident is still open then, its receivers are notified again, and reminders (`incident.repeat`) and escalation steps begin again. Requires `incident`.',
  },
  'route.escalate': {
    after:
      'The time since the incident opened, longer than that of the step before. Time in which the incident is held back does not count. If an acknowledgement runs out, the time counts from then.',
    to: 'The receivers, as in `to` of a route, but no Liquid. They get the next notifications of the incident, too.',
  },
  'route.actions': {
    label:
      'The text of the button, as Liquid. It can use the same names as the message. Required, except for `stop`, `ack`, `resolve` and silences.',
    silence:
      'For actions named `silence` or `silence_…`: a duration (1m to 30d), or the time of day when it ends (`"07:00"`). The incidents are silenced for that time.',
    expires: 'The time for which the link can be pressed.',
  },
  'route.incident': {
    key: 'Liquid expression that identifies the problem. Items of a route with the same key share an incident. Keys longer than 256 characters are shortened. An item with an empty key makes one notification and no incident.',
    resolved: 'A Liquid condition without braces: if it is true, the item resolves its incident.',
    at: 'Liquid expression: since when it is so, by the sender’s clock. It is ISO 8601, or seconds or milliseconds since 1970. An item that is older than what is known of its incident changes nothing. It also gives `started_at`, `resolved_at` and `duration_ms`. A time in the future, and a text that is no time, count as the time of arrival.',
    acknowledged:
      'A Liquid condition: if it is true, the item acknowledges its incident, as the link `ack` does. It opens nothing.',
    unacknowledged:
      'A Liquid condition: if it is true, the item takes back what `acknowledged` did. Requires `acknowledged`.',
    by: 'Liquid expression that names the person who acknowledged the incident. Requires `acknowledged`.',
    repeat:
      'The time to wait before repeating the notification of an open incident. Must be shorter than `incident.expires`.',
    expires:
      'The time for which the incident stays open without further items. It then closes without a message.',
    inhibited_by:
      'Liquid expression that names another incident: its key in this route, `route/key` or `source/route/key`. While that incident is open, nobody is notified that this one has opened.',
    flapping:
      'When an incident counts as flapping. One notification says so, and another follows once it has been stable for `per`.',
  },
  'route.incident.flapping': {
    changes: 'The number of times that it must open or resolve.',
    per: 'The period in which the changes are counted, shorter than `expires`.',
  },
  'route.group': {
    by: 'Liquid expressions: items with the same values form a group. Without it, all items of the route do.',
    wait: "The time to wait for more items before a group's first notification. At most `interval`.",
    interval:
      'The time to wait between two notifications about a group while any of it is open. The last resolution does not wait.',
    max: 'The maximum number of items that the template gets.',
  },
  throttle: {
    max: 'The number of messages.',
    per: 'The period in which messages are counted.',
  },
  quiet: {
    ...HOURS,
    do: '`hold` or `digest` the messages of these hours. Afterwards, `hold` notifies of incidents that are still open and counts the rest; `digest` sends one digest of everything.',
    resolved:
      "`hold` resolutions for the message that ends the quiet hours, or `send` a group's last one at once.",
  },
  silence: {
    of: 'What is silenced, as its texts are; no sign has a meaning. With `when`, both must hold.',
    when: 'A Liquid condition, as in a route: nobody is notified of new incidents that match. Resolutions are sent.',
    from: 'The start, with its UTC offset, such as `2026-01-31T22:00:00+01:00`.',
    until: 'The end, with its UTC offset.',
    every: 'The hours of the week in which the silence is active.',
    reason: 'The reason, for people who see the silence.',
  },
  'silence.of': {
    source: 'The name of the source.',
    type: 'The type of the event.',
    route: 'The name of the route.',
    group: 'The values that the incidents of a group share, as its `group.by` makes them.',
    keys: 'The keys of the incidents. Any other incident of the route stays loud.',
  },
  'silence.every': HOURS,
  ...wordsOfKinds('template', (kind) => ({ ...asLiquid(kind), fallback: FALLBACK })),
  ...wordsOfKinds('fallback', (kind) => ({
    ...asLiquid(kind),
    account: 'Another account that sends it. Absent: the account that sends the message.',
    after:
      'With `account`: the other account sends it if the message is not sent within this time. Absent: when the message becomes a dead letter.',
  })),
  recipients: {
    numbers: 'Numbers with their country code, in quotes: `"+49 151 12345678"` or `"4915112345678"`.',
    people:
      'Receivers by name: a number, or `{ phone, address }`. A route may name one of them as `list/person`.',
    rotation:
      'The people take turns: messages go to the one who is on call. Without it, they go to all of them. Cannot be combined with `numbers`.',
    quiet: 'Hours in which these receivers get no notifications of normal priority.',
    throttle:
      'The number of messages that each of them may get from a route: `{ max, per }`, or a list of these. Further messages become one digest.',
  },
  'recipients.people': {
    phone: 'The number, for gateways that send to numbers.',
    address:
      'The addresses by the name of a gateway or account, such as `{ telegram: "12345" }`. If both match, the account\'s is used.',
  },
  'recipients.rotation': {
    order: 'The names of the people, in the order of their turns.',
    every: 'The length of a turn in days or weeks, such as `1w` or `2d`, at most 366d.',
    from: "When the first turn begins, in the rotation's time zone: `2026-11-23T09:00`. Each turn begins at this time of day, in summer and in winter.",
    timezone: 'The IANA time zone of all times of the rotation, such as `Europe/Berlin`.',
    shifts:
      'Shifts, which give certain hours of the day to other people. If shifts overlap, the first one in the list counts. Outside all shifts, `order` of the rotation decides.',
    overrides:
      'Overrides that are planned, which may not overlap. They take precedence over turns and shifts, and those by hand over them.',
  },
  'recipients.rotation.shifts': {
    order:
      'The names of the people who have the shift. Each of their turns lasts as long as `every`. Whoever has the turn when the shift begins keeps it until the shift ends.',
    days: HOURS.days,
    from: HOURS.from,
    to: HOURS.to,
  },
  'recipients.rotation.overrides': {
    person: 'The name of the person who takes over.',
    from: "When it begins, in the rotation's time zone.",
    to: 'When it ends, later than `from`.',
  },
  account: {
    gateway:
      'The gateway: `v2`, a built-in one such as `ntfy`, or `http`, which this document declares. `v2` is any gateway with the v2 API.',
    base_url:
      'The address of a self-hosted gateway. If the variable `GATEWAY_HOSTS` is set, it must list the host.',
    options: 'Settings that this gateway needs besides its secrets, such as a sending number.',
    http: 'The declaration of the gateway, for `gateway: http`.',
    rate: "The account's pace for all messages, including retries; `false` for no limit.",
    per_recipient:
      'The number of messages that one receiver may get; `false` for no limit. Messages above the limit wait without delaying other receivers. Sources that cannot prove their sender have half of it.',
    timeout: 'The longest time that a call to the gateway may take.',
    retry: 'The waits before further attempts, ±20 %; n entries make n + 1 attempts.',
    permanent_errors:
      "Regular expressions for the gateway's `message`. A refusal that matches one is not retried.",
    circuit: 'The circuit breaker, which stops calling a failing gateway for a while.',
    retention:
      'The time for which events and messages are stored. Deletion may be late by up to an eighth of that time, at most a day. Nothing that waits to be sent is deleted.',
    new_contacts:
      'The number of receivers that may get their first message in a day: `{ per_day }`. Others wait for a later day.',
    digest_above: 'If more normal messages than this wait for one receiver, they become one digest.',
    notify:
      'The channel that notifies the owner of problems such as a paused account, a failing gateway or dead letters.',
    canary: 'Sends a link to your own phone regularly. A press proves that messages arrive.',
    escape: 'The escape channel: another way for messages of high priority that are not sent.',
  },
  'account.rate': {
    per_minute: 'The number of messages in a minute.',
    burst: 'The number of messages that may be sent at once after a time without messages.',
  },
  http: {
    secrets:
      'The last parts of the names of secrets: `TOKEN` of the account `sales` is `GATEWAY_SALES_TOKEN`. Each is one word that is no login of `v2`.',
    optional_secrets:
      'The same for secrets that may be missing. A header that names a missing one is left out.',
    receiver: 'The form of its receivers: `phone` for numbers, or `{ address, what }` for its own addresses.',
    headers: 'The headers. They may contain `{secret.NAME}` and `{id}`.',
    basic:
      'The user and the password for basic authentication, such as `["{secret.USER}", "{secret.PASSWORD}"]`.',
    format: 'The formatting that it understands: `chat` (`*bold*` and the like), `plain` (none) or `html`.',
    max_length: 'The maximum number of characters in a text. A longer text is cut.',
    max_bytes: 'The maximum number of bytes in a text.',
    kinds: 'The kinds of message that it can send. Others are sent as text.',
    answer: 'The meaning of its answers.',
  },
  'http.receiver': {
    address: 'A regular expression for a whole address, which has at most 256 characters.',
    what: 'The word for an address, such as `topic`.',
  },
  'http.kinds': Object.fromEntries(
    Object.entries(KIND_WORDS).map(([name, { kind }]) => [
      name,
      `The request for ${kind.charAt(0).toLowerCase()}${kind.slice(1)}`,
    ]),
  ),
  'http.call': {
    method: 'The HTTP method: `POST` or `PUT`.',
    path: 'The path below `base_url`. It may contain `{to}`, `{id}`, `{secret.NAME}` and the parameters of the kind.',
    json: 'The body as JSON. Its texts may contain the same placeholders as `path`. Exactly one of `json` and `form` is required.',
    form: 'The body as form fields.',
    limits:
      'The maximum number of characters in each parameter. For a poll, `options` limits the number of options, and `option` the characters in each. A message above a limit is sent as text.',
  },
  answer: {
    sent: 'The part of a 2xx that shows that the message was sent. Any other 2xx is uncertain.',
    refused: 'The part of a 2xx that shows that the message was not sent: `{ field, is }`, as in `sent`.',
    reason: 'The fields that may have the reason, such as `error.message`.',
    retry_after: 'The field with the seconds to wait. The header `Retry-After` is read as well.',
    rules: 'Rules that override the meaning of a status. The first match counts.',
  },
  'answer.sent': {
    field: 'A field of the JSON, such as `data.id` or `messages.0.id`. Required without `matches`.',
    is: 'The accepted values. By default, any value except `null`, `false` and an empty text.',
    matches:
      'A regular expression for the first 4,096 characters of the answer, in place of `field` and `is`.',
  },
  'answer.rule': {
    status: 'The statuses to which the rule applies.',
    field: 'A field of the JSON answer.',
    is: 'The values of that field to which the rule applies.',
    matches: 'A regular expression for the first 4,096 characters of the reason.',
    means:
      'The outcome: `refused`, `uncertain`, `unauthorized`, `forbidden`, `busy`, `rejected` or `server_error`.',
    say: 'A text for people, shown before the reason.',
  },
  'account.per_recipient': { per_hour: 'The number of messages to one receiver in an hour.' },
  'account.new_contacts': { per_day: 'The number of receivers per day (UTC).' },
  'account.circuit': {
    failures: 'The number of failures in a row that open the circuit.',
    probe: 'The interval between attempts while the circuit is open.',
  },
  'account.notify': {
    url: 'An https address (http only to the same machine), with `{secret}` in place of its secret part.',
    secret: 'The name of the Worker secret that replaces `{secret}`. It begins with `NOTIFY_`.',
    format: 'The format of the body: `json`, `slack`, `discord` or `ntfy`.',
  },
  'account.canary': {
    to: 'The phone, or the address that the gateway uses.',
    every: 'The interval between links.',
    answer_within:
      'The time in which its link has to be pressed. Otherwise, the owner is notified, once, over `escape` and `notify`.',
    at: 'The time of day when it is sent.',
    timezone: 'The time zone of `at`.',
    language: 'The language of its text: `en` or `de`.',
  },
  'account.escape': {
    after:
      'The time after which a message that is not sent goes to the escape channel. It goes there once, and keeps waiting in this account as well.',
    via: 'The channel: `kind` and `secret`, or `account`.',
  },
  'account.escape.via': {
    kind: 'The service: `ntfy`, `slack`, `telegram`, or `webhook`, which gets JSON.',
    secret: 'The name of the Worker secret that holds the whole https address. It begins with `NOTIFY_`.',
    account: 'Another account, which sends the message.',
    to: "The receiver there; by default, the message's own.",
  },
  event: {
    id: 'The id that a repeated delivery keeps, as a text with `{{ payload.… }}`, `{{ headers.… }}` or `{{ query.… }}`, or a list of texts: the first whose parts are all there counts. Without one, no event is a duplicate by its id.',
    type: 'The type of the event, in the same form.',
    subject: 'Liquid for the line that describes an event in lists. It has no words of any language.',
    items: 'For a sender that posts several events at once.',
  },
  'event.items': {
    at: 'The path of the list: `payload.events`, `payload` if the body is the list, or `payload.entry.*.changes` for the lists of all entries.',
    id: 'The id of one element, as a text with `{{ item.… }}`.',
  },
  body: {
    json_field: 'A form field that contains the whole payload as JSON.',
    base64_texts: 'Paths of texts that are base64 of UTF-8, and are decoded.',
    json_texts: 'Paths of texts that contain JSON, and are read.',
  },
  handshakes: {
    match: 'The request that is a handshake.',
    proof: 'What it has to show before it is answered.',
    respond: 'The response.',
    confirm: '`sns`: calls the address in the body that confirms an SNS subscription.',
  },
  'handshakes.match': {
    method: 'The method of the request.',
    where: 'Conditions, all of which must hold.',
  },
  'handshakes.proof': {
    by: "`signature`: signed like an event; `nothing`; `secret`: it contains the secret that the source's `handshake` names; `pairing`: it hands over the key of later signatures.",
    at: 'The place of the secret.',
    key: 'The place of the key.',
  },
  'handshakes.respond': {
    status: 'The status, from 200 to 299.',
    headers: 'The headers by name: texts, or values of the request.',
    body: 'The body: `{ text: … }`, or `{ json: { … } }`.',
  },
  'handshakes.respond.body': {
    text: 'A text, sent as `text/plain`.',
    json: 'An object of texts and numbers.',
  },
  echo: {
    echo: 'The place of a text in the request, such as `body:challenge`.',
    hmac: "The place of such a text, of which the HMAC-SHA256 with the source's secret is sent.",
    encoding: 'The encoding of the HMAC.',
    prefix: 'Text before the HMAC.',
  },
  answers: {
    accepted:
      'A status, or a response with a body, or a list of responses of which the first whose `when` holds is sent.',
  },
  'answers.accepted': {
    when: 'Conditions, all of which must hold. Without them, it is always sent.',
    status: 'The status, from 200 to 299.',
    body: 'The exact body. Without one, it is what hookbell made of the event, as JSON.',
    content_type: 'The type of the body. By default `text/plain`.',
  },
  condition: {
    at: 'A place: `body:` and a path, or `header:` or `query:` and a name.',
    equals: 'The text that is there. Without it, any value is enough.',
    absent: '`true`: nothing is there.',
  },
  provider: {
    name: 'The name of the sender, as people know it.',
    category: 'The kind of sender, by which lists group it.',
    popular: 'Its place among those that lists show first.',
    words: 'Other words that people search for.',
    verify: 'The verification of its requests. Without it, each source needs its own.',
    event: 'Where the id, the type and the events of a webhook are.',
    body: 'How its bodies differ from their `Content-Type`.',
    handshakes: 'Requests by which it checks an address, and the responses.',
    answers: 'The response that it expects for an accepted event.',
    exponents:
      'The decimals of currencies whose minor unit it counts differently from ISO 4217, such as `{ ISK: 2 }`.',
    signed_body: 'When equal signed bodies are duplicates, for a sender that signs no id and no time.',
    left_out:
      'Paths of a list that may be incomplete, and of the number of elements that it lacks (`count`) or would have (`total`).',
    size_setting: 'The setting at the sender that makes its webhooks smaller, as an instruction.',
    chat_ids: 'For a chat: the paths of its ids, which are receivers as they came.',
    local_times: "`true`: its times without a zone are those of the source's `timezone`.",
    form: '`true`: it is a form on a page.',
    bare_refusals: '`true`: refused webhooks get a response without a body.',
    mark: 'The name of its mark in simple-icons, if that differs from the id.',
    docs: "The sender's own page about its webhooks.",
    confidence: 'How certain these facts are.',
    captured: 'What stops a captured request from being sent again as another event.',
    setup: 'The steps at the sender, each a line of Markdown.',
    secret: 'A name for the secret, and where to find its value.',
    source: 'Further keys of a new source, such as `verify` or `dedupe`.',
    asks: 'Questions that only a user can answer. `[[ask:name]]` stands for the answer.',
    samples:
      'What the sender posts, by name; in order of time if they are about the same thing. At least one.',
    routes: 'The routes of a new source. Without any, it has one with the default message.',
    further: 'Routes that a new source has only as comments, and what each would do.',
    customers:
      'Routes that notify customers, and what each does. A source has them only if its owner asks for them.',
    templates: 'Templates that several routes share.',
    texts: 'What `[[name]]` stands for in routes and templates, in English.',
    sentences: 'What the console says of a route whose name does not say it.',
    de: 'What people read, in German. English is used for what is missing.',
  },
  'provider.signed_body': {
    window: 'The time in which an equal body is a duplicate.',
    types: 'Types that are compared separately.',
    changing: 'Lists of conditions: only bodies that meet all of one list are compared.',
  },
  'provider.left_out': {
    list: 'The path of the list.',
    count: 'The path of the number of elements that it lacks.',
    total: 'The path of the number of elements that it would have.',
  },
  'provider.confidence': {
    level:
      '`verified`: from documents or code of the sender, or from real requests; `reported`: by others; `unconfirmed`: from memory.',
    note: 'What is certain, and what is not.',
  },
  'provider.captured': {
    kind: '`signed-id`, `signed-time`, `digest` of what is signed, or `open`: nothing does.',
    note: 'What remains possible.',
  },
  'provider.secret': {
    name: 'The name of the secret, never its value.',
    hint: 'Where its value is found.',
  },
  'provider.asks': {
    question: 'The question.',
    example: 'An answer, as an example.',
    pattern: 'A regular expression for a valid answer.',
  },
  'provider.samples': {
    silent: 'The reason for which it makes no message.',
    test: "`true`: it is what the sender's own test button posts.",
    secret: 'An invented key with which it is signed. A check verifies the signature with it.',
    headers: 'The headers by name.',
    query: 'The query parameters by name.',
    content_type: 'The type of a `body` that is text. By default, the body is JSON.',
    body: 'The body: an object or a list, which is sent as JSON, or a text.',
  },
  'provider.de': {
    setup: 'The steps at the sender.',
    hint: 'Where the secret is found.',
    asks: 'The questions by their names.',
    samples: 'Names of samples by their English ones.',
    routes: 'The messages of routes by the names of the routes.',
    texts: 'The texts by their names.',
    sentences: 'What the console says of routes.',
  },
  'verify.hmac': {
    scheme: 'An HMAC of a text built from parts of the request.',
    algorithm:
      'The hash: `sha1`, `sha256` or `sha512`; `md5` only for senders that offer nothing better (Patreon).',
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
    secret_encoding: 'The encoding of the public key: `hex` or `base64`.',
  },
  'verify.ecdsa': {
    scheme:
      "An ECDSA signature, P-256 with SHA-256; the secret is the sender's public key (PEM, its base64, or JWK).",
    encoding: SIGNATURE_ENCODING,
    signature_format: "The encoding of the signature's two numbers: `der` (ASN.1) or `raw` (64 bytes).",
    ...SIGNED_OPTIONS,
  },
  'verify.rsa': {
    scheme:
      'An RSA signature (PKCS #1 v1.5, SHA-256) of a text built from parts of the request; with `format`, that of SNS or PayPal.',
    format:
      "`sns`, `paypal`, or `signed` (the default) for other senders. With `sns` the secret is the topic's ARN, with `paypal` the webhook's id; the sender names a certificate, which is fetched only from its own hosts.",
    encoding: SIGNATURE_ENCODING,
    ...SIGNED_OPTIONS,
    ...KEY_OPTIONS,
    tolerance: `With \`sns\` and \`paypal\`: ${TOLERANCE.charAt(0).toLowerCase()}${TOLERANCE.slice(1)}`,
  },
  'verify.jwt': {
    scheme: 'A JSON Web Token in a header, or as the whole body.',
    header:
      'The header with the token, or a list of alternatives, of which the first that is present is used. Required, except with `in: body`.',
    in: '`body`: the token is the whole body, and its claims are the payload (Wix).',
    prefix: 'Text before the token, such as `Bearer `, in upper or lower case.',
    prefix_optional: '`true` also accepts the token without its `prefix`.',
    algorithm:
      "The only accepted algorithm: `HS256`, `HS384`, `HS512`, `RS256`, `ES256` or `EdDSA`. Those of HS take a secret, the others the sender's public key (P-256 for `ES256`, Ed25519 for `EdDSA`).",
    ...KEY_OPTIONS,
    issuer: 'The required value of `iss`.',
    audience:
      "The required value of `aud`. `url` stands for the source's `url`, which is then required; a token without `aud` is accepted.",
    body_hash_claim: 'The claim with the SHA-256 of the body in hex.',
    unsigned_body:
      '`true` confirms that the token does not cover the body. Required without `body_hash_claim`, except with `in: body`.',
    require_exp: '`true`: a token without `exp` is refused.',
    max_age: 'A token that is older by its `iat`, or has none, is refused.',
    tolerance:
      "The largest accepted difference of the sender's clock when `exp`, `nbf` and `iat` are checked.",
  },
  'verify.oidc': {
    scheme:
      "An OpenID Connect token in `Authorization: Bearer`. The issuer's keys are fetched from its own host.",
    issuer: 'The issuer of the tokens: `google`.',
    email:
      'The service account that posts. Required, because anybody can get a token from the issuer for any audience.',
    audience: "The required value of `aud`. By default the source's `url`, which is then required.",
  },
  'verify.basic': { scheme: 'HTTP Basic; the secret is `user:password`.' },
  'verify.token': {
    scheme: 'The request contains the secret itself.',
    in: 'Where the token is: `header`, `query`, `body`, or `path` (`/hooks/{source}/{token}`).',
    name: 'The name of the header, query parameter or form field, or the dotted path in a JSON body. Required, except with `in: path`.',
    prefix: 'Text before the token, such as `Bearer `, in upper or lower case.',
    prefix_optional: '`true` also accepts the token without its `prefix`.',
    items: 'A dotted path to a list in the body. `name` is read from each element, and all must match.',
  },
  'verify.any': {
    scheme: 'Several schemes with one secret, for senders that use more than one.',
    of: 'The schemes, one of which must accept the request.',
  },
  'verify.none': { scheme: 'No verification: anybody may post. Publishing shows a warning.' },
  'verify.timestamp': {
    header: 'The header with the time. Exactly one of `header`, `key` and `body` is required.',
    key: "The key of the time in the signature's header.",
    body: 'The dotted path of the time in the body.',
    unit: 'The format of the time: `s` or `ms` since 1970, `iso8601`, or `auto`. `auto` is `s` or `ms`, depending on the number of digits.',
    tolerance: TOLERANCE,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

type DescribedGroup = keyof typeof DESCRIPTIONS;

/** The defaults of keys, in Markdown. A key that is not listed is required, or has no default. */
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
    limit: 'depends on `verify`',
    redirect: 'a page of the relay',
    other_fields: '`drop` with `fields`, else `keep`',
  },
  'source.limit': {
    per_minute: 'see `limit`',
    burst: 'as `per_minute`',
    mib_per_hour: 'see `limit`',
    messages_per_minute: 'see `limit`',
  },
  'source.fields': {
    kind: '`name` if it is called `name`, `first_name` or `last_name`, else `text`',
    label: '`E-mail address` for `email` and the like, else its name',
    max: '2,000; 80 for `name`, 254 for `email`, 40 for `phone`, 255 for `file`',
    required: '`false`',
  },
  'source.dedupe': { key: "the provider's", window: '`3d`', body: "the provider's" },
  route: {
    when: 'always',
    each: 'one message',
    once: 'sends all',
    stop: '`false`',
    transactional: '`false`',
    delay: '`0s`',
    expires: 'never',
    on_uncertain: '`retry`',
    priority: '`normal`',
    max_length: '`4096`',
    overflow: '`truncate`',
    throttle: 'no limit',
    digest: 'the built-in text',
    quiet: 'none',
    escalate: 'none',
    acknowledged_for: '`24h`',
  },
  'route.actions': { label: 'built-in words', expires: '`7d`, or `30d` for `stop`' },
  'route.incident': { repeat: 'never', expires: '`7d`', flapping: 'never' },
  'route.group': { by: 'all of the route', wait: '`30s`', interval: '`5m`', max: '`20`' },
  recipients: { rotation: 'none', quiet: 'none', throttle: 'no limit' },
  'recipients.rotation': { shifts: 'none', overrides: 'none' },
  'recipients.rotation.shifts': { days: 'all' },
  quiet: { days: 'all', timezone: "the source's; `UTC` for recipients", do: '`hold`', resolved: '`hold`' },
  silence: { of: 'everything', when: 'always', from: 'at once', until: 'never', every: 'always' },
  'silence.of': { type: 'all', route: 'all', group: 'all', keys: 'all' },
  'silence.every': { days: 'all', timezone: '`UTC`' },
  account: {
    rate: "the gateway's; `{ per_minute: 30, burst: 5 }` for `v2` and `http`",
    per_recipient: '`{ per_hour: 30 }`',
    timeout: '`15s`',
    retry: '`[5s, 30s, 2m, 10m, 30m, 1h, 3h, 6h, 12h]`',
    permanent_errors: '`[]`',
    circuit: '`{ failures: 5, probe: 30s }`',
    retention: '`30d`',
    new_contacts: 'no limit',
    digest_above: 'never',
    gateway: '`v2`',
    base_url: "the gateway's own, if it is not self-hosted",
  },
  http: { format: '`chat`' },
  'http.call': { method: '`POST`' },
  'account.rate': { burst: '`5`, or `per_minute` if that is less' },
  'account.circuit': { failures: '`5`', probe: '`30s`' },
  'account.notify': { format: 'by the host, or else `json`' },
  'account.escape': { after: '`3m`' },
  'account.canary': {
    every: '`1d`',
    answer_within: '`2h`',
    at: '`10:00`',
    timezone: '`UTC`',
    language: '`en`',
  },
} as const satisfies Partial<Readonly<Record<DescribedGroup, Readonly<Record<string, string>>>>>;
