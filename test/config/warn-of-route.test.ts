import { describe, expect, it } from 'vitest';
import { routeWarnings } from './support.ts';

const TO = '{{ payload.phone }}';
const TOKEN = { scheme: 'token', in: 'path' };
const HEADER = { scheme: 'token', in: 'header', name: 'X-Token' };
const IN_PATH = { verify: TOKEN, secrets: ['HOOK_SECRET'] };
const IN_HEADER = { ...IN_PATH, verify: HEADER };
const AT = 'sources.shop.routes[0]';
const text = (message: string) => ({ kind: 'text', message });
const warnings = (route: object, source: object = IN_PATH) => routeWarnings(route, {}, source);

describe('a receiver from the payload', () => {
  it('is warned about where an address is all that a sender has to know', () => {
    const warning: unknown = expect.stringContaining(`${AT}.to: takes a number from the sender`);
    const byQuery = { ...IN_PATH, verify: { scheme: 'token', in: 'query', name: 'key' } };
    const byAny = { ...IN_PATH, verify: { scheme: 'any', of: [HEADER, TOKEN] } };
    for (const source of [IN_PATH, byQuery, byAny, {}])
      expect(warnings({ to: TO }, source)).toEqual([warning]);
    expect(warnings({ to: TO }, { ...IN_PATH, countries: ['DE'] })).toEqual([]);
    expect(warnings({ to: TO }, IN_HEADER)).toEqual([]);
    expect(warnings({})).toEqual([]);
  });
});

describe('more receivers than the source may make messages', () => {
  it('are warned about unless the limit is as high, or there is none: some would never get anything', () => {
    const numbers = Array.from({ length: 121 }, (_, n) => `49171392${n + 1_000}`);
    const warned = (source: object) =>
      routeWarnings({ to: ['many', '491713921000'] }, { recipients: { many: { numbers } } }, source).filter(
        (warning) => warning.startsWith(AT),
      );
    expect(warned(IN_PATH)).toEqual([
      `${AT}.to: has 121 receivers, but the source may make only 120 messages a minute: the others get nothing. Raise \`limit.messages_per_minute\``,
    ]);
    for (const source of [
      { ...IN_PATH, limit: { messages_per_minute: 121 } },
      { ...IN_PATH, limit: false },
    ])
      expect(warned(source)).toEqual([]);
    expect(warned(IN_HEADER)).toEqual([]);
  });
});

const preview = (url: string) => ({ send: { kind: 'link-preview', url } });

describe('a link from the payload', () => {
  it('is warned about in an open source, unless its host is from the document', () => {
    for (const url of [
      '{{ payload.url }}',
      'https://{{ payload.host }}/',
      'https://a.example{{ payload.path }}',
    ]) {
      const warning: unknown = expect.stringContaining(`${AT}: \`url\` has a link from the sender`);
      expect(warnings(preview(url))).toEqual([warning]);
      expect(warnings(preview(url), IN_HEADER)).toEqual([]);
    }
    const own = 'https://a.example';
    for (const url of [own, `${own}/{{ payload.id }}`, `${own}?id={{ payload.id }}`])
      expect(warnings(preview(url))).toEqual([]);
  });

  it('in a text is warned about where the receiver is the payload’s, too', () => {
    const source = { ...IN_PATH, countries: ['DE'] };
    for (const message of [
      'See {{ payload.tracking_url }}',
      'See {{ payload.videoCallUrl | default: "" }}',
      'See https://{{ payload.host }}/',
      'See {{ item.link }}',
    ]) {
      const warning: unknown = expect.stringContaining('`message` has a link');
      expect(warnings({ to: TO, send: text(message) }, source)).toEqual([warning]);
      expect(warnings({ send: text(message) }, source)).toEqual([]);
    }
    for (const message of [
      'Hello {{ payload.name }}',
      'https://a.example/{{ payload.id }}',
      '{{ event.id }}',
      '{{ payload.curlers }}',
    ])
      expect(warnings({ to: TO, send: text(message) }, source)).toEqual([]);
  });
});

it('a host that the document names is warned about if not all reach it', () => {
  for (const image_url of ['http://10.0.0.7/x.jpg', 'http://camera.local/{{ payload.id }}']) {
    const warning: unknown = expect.stringMatching(/: `image_url`: .* is not a public (?:address|name)/);
    expect(warnings({ send: { kind: 'image', image_url } }, IN_HEADER)).toEqual([warning]);
  }
});

it('`once` that is the same for all events is warned about', () => {
  expect(warnings({ once: 'paid' })).toEqual([
    `${AT}.once: is the same for all events, so only the first makes a message; use a value that differs, such as "{{ payload.id }}:paid"`,
  ]);
  expect(warnings({ once: '{{ payload.id }}:paid' })).toEqual([]);
});

describe('a part of one event in a text about several', () => {
  const group = { wait: '1m' };
  const throttle = { max: 1, per: '1h' };

  it('is warned about, with where it is instead', () => {
    for (const message of [
      '{{ payload.title }}',
      '{% if payload.title %}x{% endif %}',
      '{{- "a" | append: payload["a b"] }}',
    ]) {
      expect(warnings({ group, send: text(message) }, IN_HEADER)).toEqual([
        `${AT}: \`message\` names \`payload\`, which is empty in a notification of a group, since it is about several events; use \`x.item\` in \`{% for x in new %}\` … \`{% endfor %}\``,
      ]);
      expect(warnings({ send: text('x'), digest: text(message), throttle }, IN_HEADER)).toEqual([
        expect.stringContaining('.digest: `message` names `payload`, which is empty in a digest'),
      ]);
    }
  });

  it('is not found in other words, nor where a notification is about one event', () => {
    const loop = '{% for x in new %}{{ x.item.payload }}{% endfor %}';
    for (const message of [loop, 'the payload {{ count }}', '{{ "payload" }}'])
      expect(warnings({ group, send: text(message) }, IN_HEADER)).toEqual([]);
    expect(warnings({ throttle, send: text('{{ payload.title }}') }, IN_HEADER)).toEqual([]);
  });
});
