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

describe('parameters', () => {
  it('are those that the template writes, and no payload adds one', () => {
    const payload = {
      caption: 'x',
      phone: OTHER_PHONE,
      api_key: 'x',
      url: 'https://a.example/x',
      title: 'T',
    };
    expect(paramsOf(LINK, payload)).toEqual([{ url: 'https://a.example/x', title: 'T' }]);
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
    expect(paramsOf(LINK, { url: 'https://a.example/x' })).toEqual([{ url: 'https://a.example/x' }]);
  });

  it('all that fail are reported, not only the first', () => {
    const send = { kind: 'link-preview', url: '{{ payload.url }}', title: '{{ payload.list | sum }}' };
    expect(reasonsOf({ send }, { list: ['x'] })).toHaveLength(2);
  });

  it('a template that loops without end is stopped, and its reason says how to fix it', () => {
    const message = '{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}';
    expect(reasonsOf({ send: { kind: 'text', message } })).toEqual([
      expect.stringMatching(/parameter `message`.*more than 4194304 units of work: loop over less/),
    ]);
  });
});

describe('addresses', () => {
  it.each([
    ['https://a.example/x?y=1&z=2', 'https://a.example/x?y=1&z=2'],
    [' https://a.example ', 'https://a.example/'],
    ['HTTPS://Bücher.example:443/über uns', 'https://xn--bcher-kva.example/%C3%BCber%20uns'],
    ['http://0x8080808/', 'http://8.8.8.8/'],
  ])('%j is one, and is sent as it was checked: %s', (url, sent) => {
    expect(paramsOf(LINK, { url })).toEqual([{ url: sent }]);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://a.example',
    '//a.example',
    'a.example',
    'https://',
  ])('%j is none', (url) => {
    expect(reasonsOf({ send: LINK }, { url })).toEqual([
      'route `r`, parameter `url` ({{ payload.url }}): is not an http(s) URL',
    ]);
  });
});

describe('an address that programs read in different ways', () => {
  // A browser calls 8.8.8.8, and curl what is after the `@`.
  const INSIDE = 'http://8.8.8.8\\@127.0.0.1:21990/meta';

  it.each<[string, object, object]>([
    ['a link', LINK, { url: INSIDE }],
    ['a picture', { kind: 'image', image_url: '{{ payload.url }}' }, { url: INSIDE }],
    ['a recording', { kind: 'voice', audio_url: '{{ payload.url }}' }, { url: INSIDE }],
    [
      'a link on a host of the document',
      { kind: 'link-preview', url: 'https://a.example/{{ payload.url }}' },
      { url: '\\@127.0.0.1' },
    ],
    ['a line break', LINK, { url: 'https://a.example/\nX: y' }],
    ['a tab', LINK, { url: 'https://a.\texample/' }],
    ['a character that nobody sees', LINK, { url: 'https://a.example/\u0000' }],
  ])('is refused: %s', (_, send, payload) => {
    expect(reasonsOf({ send }, payload)).toEqual([
      expect.stringContaining('contains a backslash, a line break or another control character'),
    ]);
  });
});

describe('addresses from a payload', () => {
  it.each([
    ['http://127.0.0.1/', '127.0.0.1 is not a public address (loopback, RFC 1122)'],
    ['http://0x7f.1/', '127.0.0.1 is not a public address (loopback, RFC 1122)'],
    ['http://[::ffff:10.0.0.1]/', '[::ffff:a00:1] is not a public address (private, RFC 1918)'],
    ['http://169.254.169.254/latest', '169.254.169.254 is not a public address (link-local, RFC 3927)'],
    ['http://localhost:8787/admin', 'localhost is not a public name'],
  ])('%s is refused: it leads into the network of whoever asks', (url, why) => {
    expect(reasonsOf({ send: LINK }, { url })).toEqual([
      `route \`r\`, parameter \`url\` ({{ payload.url }}): ${why}: a link from a payload must lead to one`,
    ]);
  });

  it.each(['https://ada@a.example/', 'https://ada:secret@a.example/'])(
    '%s is refused for its credentials',
    (url) => {
      expect(reasonsOf({ send: LINK }, { url })[0]).toContain('has a user name or a password');
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
      expect.stringContaining('has 80001 characters in total, more than 65536'),
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
      "route `r`, parameter `message` ({{ payload.t }}): has 11 characters, but the route's `max_length` is 10",
    ]);
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
      url: 'https://a.example/',
      text: '{{ payload.t }}',
      title: '{{ payload.t }}',
    };
    expect(paramsOf(link, { t: 'hello world' }, { max_length: 6, overflow: 'split' })).toEqual([
      { url: 'https://a.example/', text: 'hello', title: 'hello…' },
      { url: 'https://a.example/', text: 'world', title: 'hello…' },
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
    expect(render(route, { text }).ok).toBe(true);
    const larger = { send: { ...send, description: '{{ payload.text }}' }, max_length: 65_536 };
    expect(reasonsOf(larger, { text })[0]).toMatch(
      /has 1\d{6} bytes as JSON with all its parameters; 800000 is the limit/,
    );
  });
});
