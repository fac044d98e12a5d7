import { describe, expect, it } from 'vitest';
import { eventScope } from '../../src/ingest/request/event.ts';
import { renderReceivers } from '../../src/render/receivers.ts';
import { eventOf, OTHER_PHONE, PHONE, sourceOf } from '../ingest/support.ts';

interface Given {
  readonly payload?: unknown;
  readonly recipients?: Record<string, object>;
  readonly countries?: readonly string[];
}

/** Whom a route of a German source reaches. */
function receivers(to: string | readonly string[], { payload = {}, recipients = {}, countries }: Given = {}) {
  const routes = [{ name: 'r', to, send: { kind: 'text', message: 'hello' } }];
  const held = countries === undefined ? {} : { countries };
  const source = sourceOf({ country: 'DE', ...held, routes }, { recipients });
  const [route] = source.routes;
  if (route === undefined) throw new Error('no route');
  return renderReceivers(route, eventScope(eventOf(source, { payload })), source.locale, 0);
}

const phonesOf = (to: string | readonly string[], payload?: unknown, recipients?: Record<string, object>) =>
  receivers(to, { payload, ...(recipients && { recipients }) }).phones;

describe('receivers', () => {
  it('are numbers and lists of the documents, as they are', () => {
    const recipients = { owners: { numbers: [OTHER_PHONE, '491713920003'] } };
    expect(phonesOf([PHONE, 'owners'], {}, recipients)).toEqual([PHONE, OTHER_PHONE, '491713920003']);
  });

  it('get one message though they stand in two lists, or once more in the payload', () => {
    const recipients = { a: { numbers: [PHONE, OTHER_PHONE] }, b: { numbers: [OTHER_PHONE, PHONE] } };
    expect(phonesOf(['a', 'b', PHONE, '{{ payload.phone }}'], { phone: '0171 3920001' }, recipients)).toEqual(
      [PHONE, OTHER_PHONE],
    );
  });

  it.each([
    ['+49 171 3920001', PHONE],
    ['0049 (171) 39200-01', PHONE],
    ['0171/3920001', PHONE],
    ['491713920001', PHONE],
    [491713920001, PHONE],
  ])('from a payload are parsed: %j', (phone, digits) => {
    expect(phonesOf('{{ payload.phone }}', { phone })).toEqual([digits]);
  });

  it('that the template made gateway digits of are not read a second time', () => {
    expect(phonesOf('{{ payload.phone | phone }}', { phone: '0171 3920001' })).toEqual([PHONE]);
    // A number of Vienna, whose digits would be one of Kiel, in Germany.
    expect(phonesOf('{{ payload.phone | phone }}', { phone: '+43 1 58800123' })).toEqual(['43158800123']);
    expect(phonesOf('{{ payload.phone }}', { phone: '43158800123' })).toEqual(['4943158800123']);
  });

  it.each([
    ['ask me', 'has no digits'],
    ['+49 171', 'is not a valid international phone number'],
    ['0171 3920001, 0171 3920002', 'several numbers'],
    ['', 'is empty: there is no number to send to'],
    ['  ', 'is empty: there is no number to send to'],
  ])('%j is none: it %s', (phone, why) => {
    const [{ reason } = { reason: '' }] = receivers('{{ payload.phone }}', { payload: { phone } }).failures;
    expect(reason).toContain('route `r`, parameter `to` ({{ payload.phone }}): ');
    expect(reason).toContain(why);
  });

  it('that fail do not hold up the others', () => {
    const rendered = receivers(['{{ payload.a }}', '{{ payload.b }}', PHONE], {
      payload: { a: 'x', b: '+4930123456' },
    });
    expect(rendered.phones).toEqual(['4930123456', PHONE]);
    expect(rendered.failures).toHaveLength(1);
  });
});

/** Whom a source that is held to countries reaches. */
const reach = (
  countries: readonly string[],
  phone: string,
  to: readonly string[] = ['{{ payload.phone }}'],
) => receivers(to, { countries, payload: { phone } });

describe('countries', () => {
  it.each([
    [['DE', 'AT'], '0171 3920001'],
    [['AT'], '+43 1 58800123'],
    [['US'], '+1 212 555 0123'],
    [['CA'], '+1 416 555 0123'],
    [['GG'], '+44 7781 123456'],
    [['RU'], '+7 916 123 45 67'],
    [['KZ'], '+7 701 123 45 67'],
    [['IT'], '+39 348 123 4567'],
    [['VA'], '+39 06 698 12345'],
  ])('%j: %s is reached', (countries, phone) => {
    expect(reach(countries, phone).phones).toHaveLength(1);
  });

  it.each([
    [['DE', 'AT'], '+41 44 668 18 00', '"+414…" belongs to CH, and the source\'s `countries` are DE, AT'],
    [['US', 'CA'], '+1 876 555 0123', '"+187…" belongs to JM, and the source\'s `countries` are US, CA'],
    [['GB'], '+44 7781 123456', '"+447…" belongs to GG, and the source\'s `countries` are GB'],
    [['RU'], '+7 701 123 45 67', '"+770…" belongs to KZ, and the source\'s `countries` are RU'],
    [['DE'], '+800 1234 5678', '"+800…" belongs to no country, and the source\'s `countries` are DE'],
  ])('%j: %s is not, and says why without the whole number', (countries, phone, why) => {
    const { phones, failures } = reach(countries, phone);
    expect(phones).toEqual([]);
    expect(failures.map(({ reason }) => reason)).toEqual([
      `route \`r\`, parameter \`to\` ({{ payload.phone }}): ${why}`,
    ]);
  });

  it('leave the other receivers theirs, and numbers of documents anywhere', () => {
    const { phones, failures } = reach(['AT'], '0171 3920001', [
      OTHER_PHONE,
      '{{ payload.phone }}',
      '41446681800',
    ]);
    expect(phones).toEqual([OTHER_PHONE, '41446681800']);
    expect(failures).toHaveLength(1);
  });

  it('hold what the filter `phone` has made digits of, too', () => {
    expect(reach(['AT'], '0171 3920001', ['{{ payload.phone | phone }}']).phones).toEqual([]);
  });
});

const token = (place: string) => ({
  verify: { scheme: 'token', in: place, ...(place !== 'path' && { name: 'X-Token' }) },
  secrets: ['HOOK_SECRET'],
});

describe('premium-rate and satellite numbers', () => {
  const TO = '{{ payload.phone }}';
  const GERMAN = '+49 900 1 234567';
  /** Whom a route reaches, of a source that anybody may post to unless the document says otherwise. */
  const reached = (document: object, phone: string, to: string | readonly string[] = TO) => {
    const recipients = { hotlines: { numbers: ['499001234567'] } };
    const routes = [{ name: 'r', to, send: { kind: 'text', message: 'hello' } }];
    const source = sourceOf({ country: 'DE', ...document, routes }, { recipients });
    const [route] = source.routes;
    if (route === undefined) throw new Error('no route');
    return renderReceivers(route, eventScope(eventOf(source, { payload: { phone } })), source.locale, 0);
  };
  it.each([
    ['anybody', {}],
    ['a token in the path', token('path')],
    ['a token in the query', token('query')],
    [
      'the weakest of several',
      {
        verify: { scheme: 'any', of: [token('header').verify, token('path').verify] },
        secrets: ['HOOK_SECRET'],
      },
    ],
  ])('from a source of %s are refused: what, where, and how to allow them', (_, document) => {
    const { phones, failures } = reached(document, GERMAN);
    expect(phones).toEqual([]);
    expect(failures.map(({ reason }) => reason)).toEqual([
      'route `r`, parameter `to` ({{ payload.phone }}): "+499…" is a premium-rate number of DE, and anybody can post to this source: to allow such numbers, set `premium: true` on the source, or list DE in its `countries`',
    ]);
    for (const phone of ['0900 1 234567', '+1 900 234 5678', '+881 612345678', '+979 123456789'])
      expect(reached(document, phone).phones).toEqual([]);
  });

  it('are refused when the filter `phone` has made digits of them, too, and the other receivers get theirs', () => {
    const { phones, failures } = reached({}, GERMAN, ['{{ payload.phone | phone }}', PHONE]);
    expect(phones).toEqual([PHONE]);
    expect(failures).toHaveLength(1);
  });

  it.each([
    ['says `premium: true`', { premium: true }],
    ['lists their country', { countries: ['AT', 'DE'] }],
    ['proves its senders', token('header')],
  ])('are taken where the source %s', (_, document) => {
    expect(reached(document, GERMAN).phones).toEqual(['499001234567']);
  });

  it('are refused where the source lists other countries, and those of no country where it lists any', () => {
    expect(reached({ countries: ['AT'] }, GERMAN).phones).toEqual([]);
    expect(reached({ countries: ['DE'] }, '+881 612345678').phones).toEqual([]);
    expect(reached({ premium: true }, '+881 612345678').phones).toEqual(['881612345678']);
  });

  it('are the admin’s choice where the configuration has them: as a number, in a list, in a template', () => {
    expect(reached({}, '', '499001234567').phones).toEqual(['499001234567']);
    expect(reached({}, '', 'hotlines').phones).toEqual(['499001234567']);
    const to = '{% if payload.phone == "" %}+49 900 1 234567{% else %}{{ payload.phone }}{% endif %}';
    expect(reached({}, '', to).phones).toEqual(['499001234567']);
    expect(reached({}, '+1 900 234 5678', to).phones).toEqual([]);
  });
});
