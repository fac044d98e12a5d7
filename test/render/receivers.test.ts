import { describe, expect, it } from 'vitest';
import { eventScope } from '../../src/ingest/request/event.ts';
import { renderReceivers } from '../../src/render/receivers.ts';
import { eventOf, OTHER_PHONE, PHONE, sourceOf } from '../ingest/support.ts';

interface Given {
  readonly phone?: unknown;
  readonly payload?: unknown;
  readonly recipients?: Record<string, object>;
  readonly accounts?: Record<string, object>;
  /** More of the document of the source. */
  readonly source?: object;
}

/** Whom a route of a German source reaches. */
function receivers(to: string | readonly string[], { phone, payload = { phone }, ...given }: Given = {}) {
  const routes = [{ name: 'r', to, send: { kind: 'text', message: 'hello' } }];
  const document = { country: 'DE', ...given.source, routes };
  const source = sourceOf(document, { recipients: given.recipients ?? {}, accounts: given.accounts ?? {} });
  const [route] = source.routes;
  if (route === undefined) throw new Error('no route');
  const { phones, failures } = renderReceivers(
    route,
    eventScope(eventOf(source, { payload })),
    source.locale,
    0,
  );
  return { phones, failures, reasons: failures.map(({ reason }) => reason) };
}

const TO = '{{ payload.phone }}';
const FILTERED = '{{ payload.phone | phone }}';
const phonesOf = (to: string | readonly string[], given?: Given) => receivers(to, given).phones;
const why = (reason: string) => `route \`r\`, parameter \`to\` ({{ payload.phone }}): ${reason}`;

it('receivers are numbers and lists of the documents, as they are', () => {
  const recipients = { owners: { numbers: [OTHER_PHONE, '491713920003'] } };
  expect(phonesOf([PHONE, 'owners'], { recipients })).toEqual([PHONE, OTHER_PHONE, '491713920003']);
});

it('receivers get one message though they stand in two lists, or once more in the payload', () => {
  const recipients = { a: { numbers: [PHONE, OTHER_PHONE] }, b: { numbers: [OTHER_PHONE, PHONE] } };
  const given = { phone: '0171 3920001', recipients };
  expect(phonesOf(['a', 'b', PHONE, TO], given)).toEqual([PHONE, OTHER_PHONE]);
});

it('receivers at a gateway with addresses of its own are what the payload names, but no list by its name', () => {
  const recipients = { 'on-call': { people: { anna: { address: { ntfy: 'secret-k3x9' } } } } };
  const given = (phone: string) => ({ phone, recipients, accounts: { default: { gateway: 'ntfy' } } });
  expect(phonesOf(TO, given('alerts-k3x9'))).toEqual(['alerts-k3x9']);
  const reasons = [why('`on-call` is a recipients list: name one receiver')];
  expect(receivers(TO, given('on-call'))).toMatchObject({ phones: [], reasons });
});

it('receivers that the template made gateway digits of are not read a second time', () => {
  expect(phonesOf(FILTERED, { phone: '0171 3920001' })).toEqual([PHONE]);
  // A number of Vienna, whose digits are nothing that a source in Germany could read.
  expect(phonesOf(FILTERED, { phone: '+43 1 58800123' })).toEqual(['43158800123']);
  expect(phonesOf(TO, { phone: '43158800123' })).toEqual([]);
  const abroad = ['{{ payload.phone | phone: "AT" }}', '+{{ payload.phone | phone: "AT" }}'];
  for (const to of [...abroad, '{% assign n = payload.phone %}{{ n | phone: "AT" }}'])
    expect(phonesOf(to, { phone: '01 58800123' }), to).toEqual(['43158800123']);
});

/** A body of Meta's. */
const messages = (from: string, body = '') => ({
  entry: [{ changes: [{ value: { messages: [{ from, text: { body } }] } }] }],
});

describe('the ids of a chat', () => {
  const ID = '5215587740912';
  const secrets = ['TEST_HMAC_SECRET'];
  const hmac = { scheme: 'hmac', header: 'x-signature', algorithm: 'sha256' };
  const meta = {
    provider: 'meta-whatsapp',
    handshake: { secret: 'TEST_HMAC_SECRET' },
    verify: undefined,
    secrets,
  };
  const twilio = { provider: 'twilio', url: 'https://relay.example/hooks/t', verify: undefined, secrets };
  const own = { verify: hmac, secrets };
  const open = { verify: { scheme: 'none' } };

  it('are receivers as their provider signed them, though no numbering plan knows them', () => {
    const message = 'payload.entry[0].changes[0].value.messages[0]';
    for (const [to, source, payload] of [
      ['{{ payload.From }}', twilio, { From: `whatsapp:+${ID}` }],
      ['{{ payload.From | phone }}', twilio, { From: `whatsapp:+${ID}` }],
      ['{{ payload.WaId }}', twilio, { WaId: ID }],
      [`{{ ${message}.from }}`, meta, messages(ID)],
      [`{{ ${message}.from | phone }}`, meta, messages(ID)],
      ['{{ payload.from }}', own, { from: `${ID}@c.us` }],
      ['{{ payload.from }}', own, { from: `${ID}:7@s.whatsapp.net` }],
    ] as const)
      expect(phonesOf(to, { payload, source }), `${to} ${JSON.stringify(payload)}`).toEqual([ID]);
  });

  it('are not what somebody typed, nor what a stranger posts', () => {
    for (const [to, source, payload] of [
      ['{{ payload.entry[0].changes[0].value.messages[0].text.body }}', meta, messages('4915731880426', ID)],
      ['{{ payload.Body }}', twilio, { From: `whatsapp:+${ID}`, Body: ID }],
      ['{{ payload.from }}', own, { from: ID }],
      ['{{ payload.from }}', own, { from: `${ID}@g.us` }],
      ['{{ payload.from }}', open, { from: `${ID}@c.us` }],
      ['{{ payload.from }}', open, { from: `whatsapp:+${ID}` }],
    ] as const)
      expect(phonesOf(to, { payload, source }), `${to} ${JSON.stringify(payload)}`).toEqual([]);
  });
});

it.each([
  ['ask me', 'has no digits'],
  ['+49 171', 'is not a valid international phone number'],
  ['0171 3920001, 0171 3920002', 'several numbers'],
  ['', 'is empty: there is no number to send to'],
  ['  ', 'is empty: there is no number to send to'],
])('receivers %j is none: it %s', (phone, reason) => {
  const [said = ''] = receivers(TO, { phone }).reasons;
  expect(said.startsWith(why(''))).toBe(true);
  expect(said).toContain(reason);
});

it('receivers that fail do not hold up the others', () => {
  const payload = { a: 'x', b: '+4930123456' };
  const { phones, failures } = receivers(['{{ payload.a }}', '{{ payload.b }}', PHONE], { payload });
  expect([phones, failures.length]).toEqual([['4930123456', PHONE], 1]);
});

/** Whom a source that is held to countries reaches. */
const reach = (countries: readonly string[], phone: string, to: string | readonly string[] = TO) =>
  receivers(to, { phone, source: { countries } });

it('countries are reached by their numbers, also where they share a code', () => {
  for (const [country, phone] of [
    ['DE', '0171 3920001'],
    ['AT', '+43 1 58800123'],
    ['US', '+1 212 555 0123'],
    ['CA', '+1 416 555 0123'],
    ['GG', '+44 7781 123456'],
    ['RU', '+7 916 123 45 67'],
    ['KZ', '+7 701 123 45 67'],
    ['IT', '+39 348 123 4567'],
    ['VA', '+39 06 698 12345'],
  ] as const)
    expect(reach([country, 'FR'], phone).phones, country).toHaveLength(1);
});

it.each([
  [['DE', 'AT'], '+41 44 668 18 00', '"+414…" belongs to CH, and the source\'s `countries` are DE, AT'],
  [['US', 'CA'], '+1 876 555 0123', '"+187…" belongs to JM, and the source\'s `countries` are US, CA'],
  [['GB'], '+44 7781 123456', '"+447…" belongs to GG, and the source\'s `countries` are GB'],
  [['RU'], '+7 701 123 45 67', '"+770…" belongs to KZ, and the source\'s `countries` are RU'],
  [['DE'], '+800 1234 5678', '"+800…" belongs to no country, and the source\'s `countries` are DE'],
])('countries %j: %s is not, and says why without the whole number', (countries, phone, reason) => {
  const { phones, reasons } = reach(countries, phone);
  expect([phones, reasons]).toEqual([[], [why(reason)]]);
});

it('countries leave the other receivers theirs, and numbers of documents anywhere', () => {
  const { phones, failures } = reach(['AT'], '0171 3920001', [OTHER_PHONE, TO, '41446681800']);
  expect([phones, failures.length]).toEqual([[OTHER_PHONE, '41446681800'], 1]);
});

it('countries hold what the filter `phone` has made digits of, too', () => {
  expect(reach(['AT'], '0171 3920001', FILTERED).phones).toEqual([]);
});

const verified = (...verify: readonly [object, ...object[]]) => ({
  verify: verify.length === 1 ? verify[0] : { scheme: 'any', of: verify },
  secrets: ['HOOK_SECRET'],
});
const [HEADER, PATH, QUERY] = [
  { scheme: 'token', in: 'header', name: 'X-Token' },
  { scheme: 'token', in: 'path' },
  { scheme: 'token', in: 'query', name: 'X-Token' },
];

describe('premium-rate and satellite numbers', () => {
  const GERMAN = '+49 900 1 234567';
  const ALLOW = 'to allow such numbers, set `premium: true` on the source, or list DE in its `countries`';
  const recipients = { hotlines: { numbers: ['499001234567'] } };
  /** Whom a route reaches, of a source that anybody may post to unless the document says otherwise. */
  const reached = (source: object, phone: string, to: string | readonly string[] = TO) =>
    receivers(to, { phone, source, recipients });

  it.each([
    ['anybody', {}],
    ['a token in the path', verified(PATH)],
    ['a token in the query', verified(QUERY)],
    ['the weakest of several', verified(HEADER, PATH)],
  ])('from a source of %s are refused: what, where, and how to allow them', (_, document) => {
    const reason = `"+499…" is a premium-rate number of DE, and anybody can post to this source: ${ALLOW}`;
    expect(reached(document, GERMAN)).toMatchObject({ phones: [], reasons: [why(reason)] });
    for (const phone of ['0900 1 234567', '+1 900 234 5678', '+881 612345678', '+979 123456789'])
      expect(reached(document, phone).phones).toEqual([]);
  });

  it('are refused when the filter `phone` has made digits of them, too, and the other receivers get theirs', () => {
    const { phones, failures } = reached({}, GERMAN, [FILTERED, PHONE]);
    expect([phones, failures.length]).toEqual([[PHONE], 1]);
  });

  it('are taken where the source says `premium: true`, lists their country, or proves its senders', () => {
    for (const document of [{ premium: true }, { countries: ['AT', 'DE'] }, verified(HEADER)])
      expect(reached(document, GERMAN).phones).toEqual(['499001234567']);
  });

  it('are refused where the source lists other countries, and those of no country where it lists any', () => {
    expect(reached({ countries: ['AT'] }, GERMAN).phones).toEqual([]);
    expect(reached({ countries: ['DE'] }, '+881 612345678').phones).toEqual([]);
    expect(reached({ premium: true }, '+881 612345678').phones).toEqual(['881612345678']);
  });

  it('are the admin’s choice where the configuration has them: as a number, in a list, in a template', () => {
    const to = '{% if payload.phone == "" %}+49 900 1 234567{% else %}{{ payload.phone }}{% endif %}';
    for (const one of ['499001234567', 'hotlines', to])
      expect(reached({}, '', one).phones).toEqual(['499001234567']);
    expect(reached({}, '+1 900 234 5678', to).phones).toEqual([]);
  });
});
