import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventScope } from '../../src/ingest/request/event.ts';
import { renderSend } from '../../src/render/send.ts';
import { eventOf, OTHER_PHONE, PHONE, sourceOf } from '../ingest/support.ts';

const FAMILY = '👩‍👩‍👧';

/** Renders a payload by a route of a German source. */
function render(route: object, payload: unknown = {}) {
  const source = sourceOf({ country: 'DE', routes: [{ name: 'r', to: PHONE, ...route }] });
  const [compiled] = source.routes;
  if (compiled === undefined) throw new Error('no route');
  return renderSend(compiled, compiled.send, eventScope(eventOf(source, { payload })), source.locale);
}

function paramsOf(send: object, payload?: unknown, more: object = {}) {
  const made = render({ send, ...more }, payload);
  return made.ok ? made.value : [];
}

function reasonsOf(route: object, payload?: unknown) {
  const made = render(route, payload);
  return made.ok ? [] : made.error.map(({ reason }) => reason);
}

const LINK = { kind: 'link-preview', url: '{{ payload.url }}', title: '{{ payload.title }}' };
const POLL = { kind: 'poll', question: 'Which?', options: ['{{ payload.a }}', '{{ payload.b }}'] };

const why = (parameter: string, expression: string, reason: string) =>
  `route \`r\`, parameter \`${parameter}\` (${expression}): ${reason}`;
const TEXT = { kind: 'text', message: '{{ payload.t }}' };
const whyUrl = (url: string, send: object = LINK) => reasonsOf({ send }, { url });

it('parameters are those that the template writes, and no payload adds one', () => {
  const extra = { caption: 'x', phone: OTHER_PHONE, api_key: 'x' };
  const written = { url: 'https://a.example/x', title: 'T' };
  expect(paramsOf(LINK, { ...extra, ...written })).toEqual([written]);
  // One that is optional and empty is left out.
  expect(paramsOf(LINK, { url: written.url })).toEqual([{ url: written.url }]);
});

it('parameters a value with `&`, `=` and line breaks stays one value', () => {
  const t = 'a&phone=1\n&api_key=2';
  expect(paramsOf(TEXT, { t })).toEqual([{ message: t }]);
  // But half a character, which no request could carry.
  expect(paramsOf(TEXT, { t: 'a\ud800' })).toEqual([{ message: 'a\ufffd' }]);
});

it('parameters one that is required and empty fails, and all that fail are reported, not only the first', () => {
  const empty = why('message', '{{ payload.t }}', 'is empty, and the gateway requires it');
  for (const payload of [{}, { t: '' }, { t: ' \n' }, { t: null }])
    expect(reasonsOf({ send: TEXT }, payload)).toEqual([empty]);
  const send = { ...LINK, title: '{{ payload.list | sum }}' };
  expect(reasonsOf({ send }, { list: ['x'] })).toHaveLength(2);
});

it('parameters a template that loops without end is stopped, and its reason says how to fix it', () => {
  const message = '{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}';
  const [reason] = reasonsOf({ send: { kind: 'text', message } });
  expect(reason).toMatch(/parameter `message`.*more than 4194304 units of work: loop over less/);
});

it.each([
  ['https://a.example/x?y=1&z=2', 'https://a.example/x?y=1&z=2'],
  [' https://a.example ', 'https://a.example/'],
  ['HTTPS://Bücher.example:443/über uns', 'https://xn--bcher-kva.example/%C3%BCber%20uns'],
  ['http://0x8080808/', 'http://8.8.8.8/'],
])('an address %j is sent as it was checked: %s', (url, sent) => {
  expect(paramsOf(LINK, { url })).toEqual([{ url: sent }]);
});

it('an address is one of http or https', () => {
  const schemes = ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'ftp://a.example'];
  for (const url of [...schemes, '//a.example', 'a.example', 'https://'])
    expect(whyUrl(url)).toEqual([why('url', '{{ payload.url }}', 'is not an http(s) URL')]);
});

// A browser calls 8.8.8.8, and curl what is after the `@`.
const INSIDE = 'http://8.8.8.8\\@127.0.0.1:21990/meta';

it.each<[string, object, string]>([
  ['a link', LINK, INSIDE],
  ['a picture', { kind: 'image', image_url: '{{ payload.url }}' }, INSIDE],
  ['a recording', { kind: 'voice', audio_url: '{{ payload.url }}' }, INSIDE],
  [
    'a link on a host of the document',
    { ...LINK, url: 'https://a.example/{{ payload.url }}' },
    '\\@127.0.0.1',
  ],
  ['a line break', LINK, 'https://a.example/\nX: y'],
  ['a tab', LINK, 'https://a.\texample/'],
  ['a character that nobody sees', LINK, 'https://a.example/\u0001'],
])('an address that programs read in different ways is refused: %s', (_, send, url) => {
  const [reason, ...more] = whyUrl(url, send);
  expect(reason).toContain('contains a backslash, a line break or another control character');
  expect(more).toEqual([]);
});

it.each([
  ['http://127.0.0.1/', '127.0.0.1 is not a public address (loopback, RFC 1122)'],
  ['http://0x7f.1/', '127.0.0.1 is not a public address (loopback, RFC 1122)'],
  ['http://[::ffff:10.0.0.1]/', '[::ffff:a00:1] is not a public address (private, RFC 1918)'],
  ['http://169.254.169.254/latest', '169.254.169.254 is not a public address (link-local, RFC 3927)'],
  ['http://localhost:8787/admin', 'localhost is not a public name'],
])('an address from a payload is refused if it leads into the network of whoever asks: %s', (url, reason) => {
  const refused = `${reason}: a link from a payload must lead to one`;
  expect(whyUrl(url)).toEqual([why('url', '{{ payload.url }}', refused)]);
});

it('an address is refused for its credentials, which are not shown', () => {
  for (const url of ['https://ada@a.example/', 'https://ada:secret@a.example/']) {
    expect(whyUrl(url)[0]).toContain('has a user name or a password');
    expect(whyUrl(url)[0]).not.toContain('secret');
  }
});

it('an address is looked at wherever a payload has a part in its host, and not where a document names it', () => {
  const payload = { url: 'http://10.0.0.1/', host: '10.0.0.1', more: '@10.0.0.1', id: '7' };
  for (const send of [
    { kind: 'image', image_url: '{{ payload.url }}' },
    { kind: 'voice', audio_url: '{{ payload.url }}' },
    { kind: 'link-preview', url: 'http://{{ payload.host }}/' },
    { kind: 'link-preview', url: 'http://a.example{{ payload.more }}/' },
  ])
    expect(reasonsOf({ send }, payload), JSON.stringify(send)).toHaveLength(1);
  const send = { kind: 'link-preview', url: 'http://camera.local/{{ payload.id }}' };
  expect(paramsOf(send, payload)).toEqual([{ url: 'http://camera.local/7' }]);
});

describe('polls', () => {
  const question = 'Which?';

  it('an option with a comma stays one option, and an empty one fails by its number and expression', () => {
    const options = 'Yes\u201a please,No';
    expect(paramsOf(POLL, { a: 'Yes, please', b: 'No' })).toEqual([{ question, options }]);
    const empty = why('options', '{{ payload.a }} · {{ payload.b }}', 'option 2 of the poll is empty');
    expect(reasonsOf({ send: POLL }, { a: 'Yes' })).toEqual([empty]);
  });

  it('an option that is too long is cut, or refused where the route says `fail`', () => {
    const payload = { a: 'x'.repeat(20), b: 'No' };
    const cut = [{ question, options: `${'x'.repeat(9)}…,No` }];
    for (const overflow of ['truncate', 'split'])
      expect(paramsOf(POLL, payload, { max_length: 10, overflow })).toEqual(cut);
    const [refused] = reasonsOf({ send: POLL, max_length: 10, overflow: 'fail' }, payload);
    expect(refused).toContain('has 20 characters');
  });

  it('options that are too long together are refused: no row would hold them', () => {
    const payload = { a: 'x'.repeat(40_000), b: 'y'.repeat(40_000) };
    const [refused] = reasonsOf({ send: POLL, max_length: 65_536 }, payload);
    expect(refused).toContain('has 80001 characters in total, more than 65536');
  });
});

const of = (t: string, more: object) => paramsOf(TEXT, { t }, more).map(({ message }) => message ?? '');

describe('text over `max_length`', () => {
  it('is cut at a grapheme by default, at 4096 units of UTF-16 where the route does not say', () => {
    expect(of(FAMILY.repeat(3), { max_length: 20 })).toEqual([`${FAMILY.repeat(2)}…`]);
    expect(of('x'.repeat(4_096), {})).toEqual(['x'.repeat(4_096)]);
    expect(of('x'.repeat(4_097), {})).toEqual([`${'x'.repeat(4_095)}…`]);
  });

  it('fails where the route says so, with both lengths', () => {
    const reason = "has 11 characters, but the route's `max_length` is 10";
    const refused = reasonsOf({ send: TEXT, max_length: 10, overflow: 'fail' }, { t: 'x'.repeat(11) });
    expect(refused).toEqual([why('message', '{{ payload.t }}', reason)]);
  });

  it('is never split into more pieces than anybody would read', () => {
    const split = { max_length: 10, overflow: 'split' };
    expect(of('x'.repeat(1_000), split)).toHaveLength(100);
    const [refused] = reasonsOf({ send: TEXT, ...split }, { t: 'x'.repeat(1_001) });
    expect(refused).toContain('has 1001 characters: more than 100 pieces of 10 (`max_length`)');
  });

  const url = 'https://a.example/';
  const BOTH = { kind: 'link-preview', url, text: '{{ payload.t }}', title: '{{ payload.t }}' };

  it('of two parameters one is split and the other cut: neither is lost', () => {
    const sets = paramsOf(BOTH, { t: 'hello world' }, { max_length: 6, overflow: 'split' });
    expect(sets).toEqual(['hello', 'world'].map((text) => ({ url, text, title: 'hello…' })));
  });

  it('fits afterwards, whatever it was and however it is made to fit', () => {
    const overflows = fc.constantFrom('truncate', 'split');
    const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 30 }), overflows, (t, max_length, overflow) => {
        fc.pre(t.trim() !== '');
        const lengths = of(t, { max_length, overflow }).map(({ length }) => length);
        expect(Math.max(...lengths)).toBeLessThanOrEqual(max_length);
      }),
      { numRuns: 60 },
    );
  });

  it('fails where the row of a message does not hold its parameters: it could not be recorded', () => {
    const t = '\u0001'.repeat(60_000);
    expect(render({ send: BOTH, max_length: 65_536 }, { t }).ok).toBe(true);
    const [refused] = reasonsOf(
      { send: { ...BOTH, description: '{{ payload.t }}' }, max_length: 65_536 },
      { t },
    );
    expect(refused).toMatch(/has 1\d{6} bytes as JSON with all its parameters; 800000 is the limit/);
  });
});
