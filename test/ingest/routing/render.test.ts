import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventScope } from '../../../src/ingest/request/event.ts';
import { renderMessages } from '../../../src/ingest/routing/render.ts';
import { eventOf, OTHER_PHONE, PHONE, sourceOf } from '../support.ts';

const TEXT = { kind: 'text', message: 'hello' };
const FAMILY = '👩‍👩‍👧';

/** What a route of a German source makes of a payload. */
function render(route: object, payload: unknown = {}, recipients: Record<string, object> = {}) {
  const routes = [{ name: 'r', ...(!('to' in route) && { to: PHONE }), send: TEXT, ...route }];
  const source = sourceOf({ country: 'DE', routes }, { recipients });
  const [compiled] = source.routes;
  if (compiled === undefined) throw new Error('no route');
  return renderMessages(compiled, eventScope(eventOf(source, { payload })), source.locale);
}

const phonesOf = (to: string | readonly string[], payload?: unknown, recipients?: Record<string, object>) =>
  render({ to }, payload, recipients).messages.map(({ phone }) => phone);

const paramsOf = (send: object, payload?: unknown, more: object = {}) =>
  render({ send, ...more }, payload).messages.map(({ params }) => params);

const reasonsOf = (route: object, payload?: unknown) =>
  render(route, payload).failures.map(({ reason }) => reason);

const LINK = { kind: 'link-preview', url: '{{ payload.url }}', title: '{{ payload.title }}' };
const POLL = { kind: 'poll', question: 'Which?', options: ['{{ payload.a }}', '{{ payload.b }}'] };

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
    const [reason] = reasonsOf({ to: '{{ payload.phone }}' }, { phone });
    expect(reason).toContain('route `r`, parameter `to` ({{ payload.phone }}): ');
    expect(reason).toContain(why);
  });

  it('that fail do not hold up the others', () => {
    const rendered = render(
      { to: ['{{ payload.a }}', '{{ payload.b }}', PHONE] },
      { a: 'x', b: '+4930123456' },
    );
    expect(rendered.messages.map(({ phone }) => phone)).toEqual(['4930123456', PHONE]);
    expect(rendered.failures).toHaveLength(1);
  });

  it('a status has none, and is one message', () => {
    const { messages } = render(
      { to: undefined, send: { kind: 'status', text: 'Open until {{ payload.h }}' } },
      { h: 8 },
    );
    expect(messages).toEqual([{ route: 'r', kind: 'status', phone: null, params: { text: 'Open until 8' } }]);
  });

  it('a list that is longer than an event may be wide fails as a whole', () => {
    const numbers = Array.from({ length: 1_001 }, (_, at) => `4917139${20_000 + at}`);
    const { messages, failures } = render({ to: 'all' }, {}, { all: { numbers } });
    expect(messages).toEqual([]);
    expect(failures[0]?.reason).toBe(
      'route `r`, parameter `to`: makes 1001 messages at once; an event may make 1000',
    );
  });
});

describe('parameters', () => {
  it('are those that the template writes, and no payload adds one', () => {
    const payload = { caption: 'x', phone: OTHER_PHONE, api_key: 'x', url: 'https://a.example', title: 'T' };
    expect(paramsOf(LINK, payload)).toEqual([{ url: 'https://a.example', title: 'T' }]);
  });

  it('a value with `&`, `=` and line breaks stays one value', () => {
    const text = 'a&phone=1\n&api_key=2';
    expect(paramsOf({ kind: 'text', message: '{{ payload.t }}' }, { t: text })).toEqual([{ message: text }]);
  });

  it.each([{}, { t: '' }, { t: ' \n' }, { t: null }])(
    'one that is required and empty fails: %j',
    (payload) => {
      expect(reasonsOf({ send: { kind: 'text', message: '{{ payload.t }}' } }, payload)).toEqual([
        'route `r`, parameter `message` ({{ payload.t }}): is empty, and the gateway requires it',
      ]);
    },
  );

  it('one that is optional and empty is left out', () => {
    expect(paramsOf(LINK, { url: 'https://a.example' })).toEqual([{ url: 'https://a.example' }]);
  });

  it('all that fail are told, not only the first', () => {
    const send = { kind: 'link-preview', url: '{{ payload.url }}', title: '{{ payload.list | sum }}' };
    expect(reasonsOf({ send }, { list: ['x'] })).toHaveLength(2);
  });

  it('a template that loops without end is stopped, and its reason says how to mend it', () => {
    const message = '{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}';
    expect(reasonsOf({ send: { kind: 'text', message } })).toEqual([
      expect.stringMatching(/parameter `message`.*more than 20000 steps: loop over less/),
    ]);
  });
});

describe('addresses', () => {
  it.each(['https://a.example/x?y=1&z=2', 'http://a.example', ' https://a.example '])('%j is one', (url) => {
    expect(paramsOf(LINK, { url })).toEqual([{ url: url.trim() }]);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://a.example',
    '//a.example',
    'a.example',
    'https://',
    'https://a.example/\nX: y',
    'java\nscript:x',
  ])('%j is none', (url) => {
    expect(reasonsOf({ send: LINK }, { url })).toEqual([
      'route `r`, parameter `url` ({{ payload.url }}): is not an http(s) URL',
    ]);
  });
});

describe('addresses from a payload', () => {
  it.each([
    ['http://127.0.0.1/', '127.0.0.1 is no public address (loopback, RFC 1122)'],
    ['http://0x7f.1/', '127.0.0.1 is no public address (loopback, RFC 1122)'],
    ['http://[::ffff:10.0.0.1]/', '[::ffff:a00:1] is no public address (private, RFC 1918)'],
    ['http://169.254.169.254/latest', '169.254.169.254 is no public address (link-local, RFC 3927)'],
    ['http://localhost:8787/admin', 'localhost is no public name'],
  ])('%s is refused: it leads into the network of whoever asks', (url, why) => {
    expect(reasonsOf({ send: LINK }, { url })).toEqual([
      `route \`r\`, parameter \`url\` ({{ payload.url }}): ${why}: a link from a payload has to lead to one`,
    ]);
  });

  it.each(['https://ada@a.example/', 'https://ada:secret@a.example/'])(
    '%s is refused for its credentials',
    (url) => {
      expect(reasonsOf({ send: LINK }, { url })[0]).toContain('has a user name or a password in it');
      expect(reasonsOf({ send: LINK }, { url })[0]).not.toContain('secret');
    },
  );

  it.each([
    [{ kind: 'image', image_url: '{{ payload.url }}' }],
    [{ kind: 'voice', audio_url: '{{ payload.url }}' }],
    [{ kind: 'link-preview', url: 'http://{{ payload.host }}/' }],
    [{ kind: 'link-preview', url: 'http://a.example{{ payload.more }}/' }],
  ])('%j is looked at', (send) => {
    const payload = { url: 'http://10.0.0.1/', host: '10.0.0.1', more: '@10.0.0.1' };
    expect(reasonsOf({ send }, payload)).toHaveLength(1);
  });

  it('are not those whose host a document names: its owner may know why', () => {
    const send = { kind: 'link-preview', url: 'http://camera.local/{{ payload.id }}' };
    expect(paramsOf(send, { id: '7' })).toEqual([{ url: 'http://camera.local/7' }]);
  });
});

/** What a source that is held to countries makes of a number. */
function sendHeld(
  countries: readonly string[],
  phone: string,
  to: readonly string[] = ['{{ payload.phone }}'],
) {
  const routes = [{ name: 'r', to, send: TEXT }];
  const source = sourceOf({ country: 'DE', countries, routes });
  const [route] = source.routes;
  if (route === undefined) throw new Error('no route');
  return renderMessages(route, eventScope(eventOf(source, { payload: { phone } })), source.locale);
}

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
  ])('%j: a message to %s is sent', (countries, phone) => {
    expect(sendHeld(countries, phone).messages).toHaveLength(1);
  });

  it.each([
    [['DE', 'AT'], '+41 44 668 18 00', '"+414…" belongs to CH, and the source\'s `countries` are DE, AT'],
    [['US', 'CA'], '+1 876 555 0123', '"+187…" belongs to JM, and the source\'s `countries` are US, CA'],
    [['GB'], '+44 7781 123456', '"+447…" belongs to GG, and the source\'s `countries` are GB'],
    [['RU'], '+7 701 123 45 67', '"+770…" belongs to KZ, and the source\'s `countries` are RU'],
    [['DE'], '+800 1234 5678', '"+800…" belongs to no country, and the source\'s `countries` are DE'],
  ])('%j: a message to %s fails, and says why without the whole number', (countries, phone, why) => {
    const { messages, failures } = sendHeld(countries, phone);
    expect(messages).toEqual([]);
    expect(failures.map(({ reason }) => reason)).toEqual([
      `route \`r\`, parameter \`to\` ({{ payload.phone }}): ${why}`,
    ]);
  });

  it('leave the other receivers theirs, and numbers of documents anywhere', () => {
    const { messages, failures } = sendHeld(['AT'], '0171 3920001', [
      OTHER_PHONE,
      '{{ payload.phone }}',
      '41446681800',
    ]);
    expect(messages.map(({ phone }) => phone)).toEqual([OTHER_PHONE, '41446681800']);
    expect(failures).toHaveLength(1);
  });

  it('hold what the filter `phone` has made digits of, too', () => {
    expect(sendHeld(['AT'], '0171 3920001', ['{{ payload.phone | phone }}']).messages).toEqual([]);
  });
});

describe('polls', () => {
  it('an option with a comma stays one option', () => {
    expect(paramsOf(POLL, { a: 'Yes, please', b: 'No' })).toEqual([
      { question: 'Which?', options: 'Yes\u201a please,No' },
    ]);
  });

  it('an empty option fails, by its number and expression', () => {
    expect(reasonsOf({ send: POLL }, { a: 'Yes' })).toEqual([
      'route `r`, parameter `options` ({{ payload.a }} · {{ payload.b }}): option 2 of the poll is empty',
    ]);
  });

  it('an option that is too long is cut, or refused where the route says `fail`', () => {
    const payload = { a: 'x'.repeat(20), b: 'No' };
    for (const overflow of ['truncate', 'split']) {
      expect(paramsOf(POLL, payload, { max_length: 10, overflow })).toEqual([
        { question: 'Which?', options: `${'x'.repeat(9)}…,No` },
      ]);
    }
    expect(reasonsOf({ send: POLL, max_length: 10, overflow: 'fail' }, payload)[0]).toContain(
      'has 20 characters',
    );
  });

  it('options that are too long together are refused: no row would hold them', () => {
    const payload = { a: 'x'.repeat(40_000), b: 'y'.repeat(40_000) };
    expect(reasonsOf({ send: POLL, max_length: 65_536 }, payload)).toEqual([
      expect.stringContaining('has 80001 characters in all, and 65536 is the most'),
    ]);
  });
});

describe('text over `max_length`', () => {
  const send = { kind: 'text', message: '{{ payload.t }}' };
  const of = (t: string, more: object) => paramsOf(send, { t }, more).map(({ message }) => message ?? '');

  it('is cut at a grapheme by default', () => {
    expect(of(FAMILY.repeat(3), { max_length: 20 })).toEqual([`${FAMILY.repeat(2)}…`]);
  });

  it('is 4096 units of UTF-16 where the route does not say', () => {
    expect(of('x'.repeat(4_096), {})).toEqual(['x'.repeat(4_096)]);
    expect(of('x'.repeat(4_097), {})).toEqual([`${'x'.repeat(4_095)}…`]);
  });

  it('fails where the route says so, with both lengths', () => {
    expect(reasonsOf({ send, max_length: 10, overflow: 'fail' }, { t: 'x'.repeat(11) })).toEqual([
      "route `r`, parameter `message` ({{ payload.t }}): has 11 characters, and the route's `max_length` is 10",
    ]);
  });

  it('becomes several messages in order where the route says `split`, each to every receiver', () => {
    const route = { to: [PHONE, OTHER_PHONE], send, max_length: 11, overflow: 'split' };
    const { messages } = render(route, { t: 'hello world again and again' });
    expect(messages.map(({ phone, params }) => [phone, params['message']])).toEqual(
      [PHONE, OTHER_PHONE].flatMap((phone) =>
        ['hello world', 'again and', 'again'].map((piece) => [phone, piece]),
      ),
    );
  });

  it('is never split into more pieces than anybody would read', () => {
    expect(of('x'.repeat(1_000), { max_length: 10, overflow: 'split' })).toHaveLength(100);
    expect(reasonsOf({ send, max_length: 10, overflow: 'split' }, { t: 'x'.repeat(1_001) })).toEqual([
      expect.stringContaining('has 1001 characters: more than 100 pieces of 10 (`max_length`)'),
    ]);
  });

  it('of two parameters one is split and the other cut: neither is lost', () => {
    const link = {
      kind: 'link-preview',
      url: 'https://a.example',
      text: '{{ payload.t }}',
      title: '{{ payload.t }}',
    };
    expect(paramsOf(link, { t: 'hello world' }, { max_length: 6, overflow: 'split' })).toEqual([
      { url: 'https://a.example', text: 'hello', title: 'hello…' },
      { url: 'https://a.example', text: 'world', title: 'hello…' },
    ]);
  });

  it('fits afterwards, whatever it was and however it is made to fit', () => {
    const overflows = fc.constantFrom('truncate', 'split');
    const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 30 }), overflows, (t, max_length, overflow) => {
        fc.pre(t.trim() !== '');
        for (const text of of(t, { max_length, overflow }))
          expect(text.length).toBeLessThanOrEqual(max_length);
      }),
      { numRuns: 60 },
    );
  });
});

describe('parameters that the row of a message does not hold', () => {
  it('are a failure of the route, since the message could not be recorded', () => {
    const text = '\u0001'.repeat(60_000);
    const send = {
      kind: 'link-preview',
      url: 'https://x.example/',
      text: '{{ payload.text }}',
      title: '{{ payload.text }}',
    };
    const route = { send, max_length: 65_536 };
    expect(render(route, { text }).messages).toHaveLength(1);
    const larger = { send: { ...send, description: '{{ payload.text }}' }, max_length: 65_536 };
    expect(render(larger, { text }).messages).toEqual([]);
    expect(reasonsOf(larger, { text })[0]).toMatch(
      /has 1\d{6} bytes as JSON with all its parameters; 800000 is the limit/,
    );
  });
});
