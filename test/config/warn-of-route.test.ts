import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { routeWith, setOf } from './support.ts';

const TO = '{{ payload.phone }}';
const IN_PATH = { verify: { scheme: 'token', in: 'path' }, secrets: ['HOOK_SECRET'] };
const IN_HEADER = { verify: { scheme: 'token', in: 'header', name: 'X-Token' }, secrets: ['HOOK_SECRET'] };

/** The warnings when a route is published, by path. */
function warnings(route: object, source: object = IN_PATH): readonly string[] {
  const shop = { ...source, routes: [routeWith(route)] };
  const { warnings: all, errors } = compileConfig(setOf({ sources: { shop } }), 1);
  expect(errors).toEqual([]);
  return all.map(({ path, message }) => `${path}: ${message}`).filter((line) => line.includes('.routes['));
}

const RECEIVER = 'sources.shop.routes[0].to: takes a number from the sender';

describe('a receiver from the payload', () => {
  it.each([
    ['a token in the path', IN_PATH],
    ['a token in the query', { ...IN_PATH, verify: { scheme: 'token', in: 'query', name: 'key' } }],
    ['none', { verify: { scheme: 'none' } }],
    [
      'any of a signature and a token in the path',
      { ...IN_PATH, verify: { scheme: 'any', of: [IN_HEADER.verify, IN_PATH.verify] } },
    ],
  ])('of a source that is verified by %s is warned about', (_, source) => {
    expect(warnings({ to: TO }, source)).toEqual([expect.stringContaining(RECEIVER)]);
  });

  it('is not where the source says `countries`, nor where senders prove themselves', () => {
    expect(warnings({ to: TO }, { ...IN_PATH, countries: ['DE'] })).toEqual([]);
    expect(warnings({ to: TO }, IN_HEADER)).toEqual([]);
    expect(warnings({})).toEqual([]);
  });
});

describe('more receivers than the source may make messages', () => {
  const recipients = { many: { numbers: Array.from({ length: 121 }, (_, n) => `49171392${n + 1_000}`) } };
  const warned = (source: object) => {
    const shop = { ...source, routes: [routeWith({ to: ['many', '491713921000'] })] };
    return compileConfig(setOf({ sources: { shop }, recipients }), 1).warnings.filter(({ path }) =>
      path.includes('.routes['),
    );
  };

  it('are warned about: some of them would never get anything', () => {
    expect(warned(IN_PATH)).toEqual([
      {
        path: 'sources.shop.routes[0].to',
        message:
          'has 121 receivers, but the source may make only 120 messages a minute: the others get nothing. Raise `limit.messages_per_minute`',
      },
    ]);
  });

  it('are not where the limit is as high, or there is none', () => {
    expect(warned({ ...IN_PATH, limit: { messages_per_minute: 121 } })).toEqual([]);
    expect(warned({ ...IN_PATH, limit: false })).toEqual([]);
    expect(warned(IN_HEADER)).toEqual([]);
  });
});

describe('a link from the payload', () => {
  const LINK = 'sources.shop.routes[0]: `url` has a link from the sender';

  it.each(['{{ payload.url }}', 'https://{{ payload.host }}/', 'https://a.example{{ payload.path }}'])(
    '%s is warned about in an open source',
    (url) => {
      const send = { kind: 'link-preview', url };
      expect(warnings({ send })).toEqual([expect.stringContaining(LINK)]);
      expect(warnings({ send }, IN_HEADER)).toEqual([]);
    },
  );

  it.each([
    'https://a.example/{{ payload.id }}',
    'https://a.example',
    'https://a.example?id={{ payload.id }}',
  ])('%s has its host from the document', (url) => {
    expect(warnings({ send: { kind: 'link-preview', url } })).toEqual([]);
  });

  it.each([
    'See {{ payload.tracking_url }}',
    'See {{ payload.videoCallUrl | default: "" }}',
    'See https://{{ payload.host }}/',
    'See {{ item.link }}',
  ])('in the text `%s` is warned about where the receiver is the payload’s, too', (message) => {
    const send = { kind: 'text', message };
    const source = { ...IN_PATH, countries: ['DE'] };
    expect(warnings({ to: TO, send }, source)).toEqual([expect.stringContaining('`message` has a link')]);
    expect(warnings({ send }, source)).toEqual([]);
  });

  it.each([
    'Hello {{ payload.name }}',
    'https://a.example/{{ payload.id }}',
    '{{ event.id }}',
    '{{ payload.curlers }}',
  ])('the text `%s` has none', (message) => {
    expect(warnings({ to: TO, send: { kind: 'text', message } }, { ...IN_PATH, countries: ['DE'] })).toEqual(
      [],
    );
  });
});

describe('a host that the document names', () => {
  it.each(['http://10.0.0.7/x.jpg', 'http://camera.local/{{ payload.id }}'])(
    '%s is warned about: not all reach it',
    (url) => {
      expect(warnings({ send: { kind: 'image', image_url: url } }, IN_HEADER)).toEqual([
        expect.stringMatching(
          /^sources\.shop\.routes\[0\]: `image_url`: .* is not a public (?:address|name)/,
        ),
      ]);
    },
  );
});

describe('`once`', () => {
  it('that is the same for all events is warned about', () => {
    expect(warnings({ once: 'paid' })).toEqual([
      'sources.shop.routes[0].once: is the same for all events, so only the first makes a message; use a value that differs, such as "{{ payload.id }}:paid"',
    ]);
    expect(warnings({ once: '{{ payload.id }}:paid' })).toEqual([]);
  });
});

const send = (message: string) => ({ kind: 'text', message });
const warned = (route: object) => warnings({ to: '4915112345678', ...route }, IN_HEADER);

describe('a part of one event in a text about several', () => {
  const group = { wait: '1m' };

  it.each([
    '{{ payload.title }}',
    '{% if payload.title %}x{% endif %}',
    '{{- "a" | append: payload["a b"] }}',
  ])('is warned about, with where it is instead: %s', (message) => {
    expect(warned({ group, send: send(message) })).toEqual([
      'sources.shop.routes[0]: `message` names `payload`, which is empty in a notification of a group, since it is about several events; use `x.item` in `{% for x in new %}` … `{% endfor %}`',
    ]);
    expect(warned({ send: send('x'), digest: send(message), throttle: { max: 1, per: '1h' } })).toEqual([
      expect.stringContaining('.digest: `message` names `payload`, which is empty in a digest'),
    ]);
  });

  it.each([
    '{% for x in new %}{{ x.item.payload }}{% endfor %}',
    'the payload {{ count }}',
    '{{ "payload" }}',
  ])('is not found in %s', (message) => {
    expect(warned({ group, send: send(message) })).toEqual([]);
  });

  it('is right where a notification is about one event', () => {
    expect(warned({ throttle: { max: 1, per: '1h' }, send: send('{{ payload.title }}') })).toEqual([]);
  });
});
