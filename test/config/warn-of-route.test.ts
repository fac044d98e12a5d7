import { expect, it } from 'vitest';
import { routeWarnings } from './support.ts';

const TO = '{{ payload.phone }}';
const TOKEN = { scheme: 'token', in: 'path' };
const HEADER = { scheme: 'token', in: 'header', name: 'X-Token' };
const IN_PATH = { verify: TOKEN, secrets: ['HOOK_SECRET'] };
const IN_HEADER = { ...IN_PATH, verify: HEADER };
const IN_DE = { ...IN_PATH, countries: ['DE'] };
const AT = 'sources.shop.routes[0]';
const text = (message: string) => ({ kind: 'text', message });
const preview = (url: string) => ({ send: { kind: 'link-preview', url } });
const warnings = (route: object, source: object = IN_PATH) => routeWarnings(route, {}, source);

it('a receiver from the payload is warned about where an address is all that a sender has to know', () => {
  const warning: unknown = expect.stringContaining(`${AT}.to: takes a number from the sender`);
  const byQuery = { ...IN_PATH, verify: { scheme: 'token', in: 'query', name: 'key' } };
  const byAny = { ...IN_PATH, verify: { scheme: 'any', of: [HEADER, TOKEN] } };
  for (const source of [IN_PATH, byQuery, byAny, {}]) expect(warnings({ to: TO }, source)).toEqual([warning]);
  for (const source of [IN_DE, IN_HEADER]) expect(warnings({ to: TO }, source)).toEqual([]);
  expect(warnings({})).toEqual([]);
});

it('more receivers than the source may make messages are warned about: some would never get anything', () => {
  const numbers = Array.from({ length: 121 }, (_, n) => `49171392${n + 1_000}`);
  const warned = (source: object) =>
    routeWarnings({ to: ['many', '491713921000'] }, { recipients: { many: { numbers } } }, source).filter(
      (warning) => warning.startsWith(AT),
    );
  expect(warned(IN_PATH)).toEqual([
    `${AT}.to: has 121 receivers, but the source may make only 120 messages a minute: the others get nothing. Raise \`limit.messages_per_minute\``,
  ]);
  for (const limit of [{ messages_per_minute: 121 }, false])
    expect(warned({ ...IN_PATH, limit })).toEqual([]);
  expect(warned(IN_HEADER)).toEqual([]);
});

it('a link from the payload is warned about in an open source, unless its host is from the document', () => {
  const own = 'https://a.example';
  for (const url of ['{{ payload.url }}', 'https://{{ payload.host }}/', `${own}{{ payload.path }}`]) {
    const warning: unknown = expect.stringContaining(`${AT}: \`url\` has a link from the sender`);
    expect(warnings(preview(url))).toEqual([warning]);
    expect(warnings(preview(url), IN_HEADER)).toEqual([]);
  }
  for (const url of [own, `${own}/{{ payload.id }}`, `${own}?id={{ payload.id }}`])
    expect(warnings(preview(url))).toEqual([]);
});

it('a link from the payload in a text is warned about where the receiver is the payload’s, too', () => {
  const warning: unknown = expect.stringContaining('`message` has a link');
  const rows = [
    ['See {{ payload.tracking_url }}', [warning]],
    ['See {{ payload.videoCallUrl | default: "" }}', [warning]],
    ['See https://{{ payload.host }}/', [warning]],
    ['See {{ item.link }}', [warning]],
    ['Hello {{ payload.name }}', []],
    ['https://a.example/{{ payload.id }}', []],
    ['{{ event.id }}', []],
    ['{{ payload.curlers }}', []],
  ] as const;
  expect(rows.map(([one]) => [one, warnings({ to: TO, send: text(one) }, IN_DE)])).toEqual(rows);
  for (const [message] of rows) expect(warnings({ send: text(message) }, IN_DE)).toEqual([]);
});

it('a host that the document names is warned about if not all reach it, and `once` that is the same for all events', () => {
  for (const image_url of ['http://10.0.0.7/x.jpg', 'http://camera.local/{{ payload.id }}']) {
    const warning: unknown = expect.stringMatching(/: `image_url`: .* is not a public (?:address|name)/);
    expect(warnings({ send: { kind: 'image', image_url } }, IN_HEADER)).toEqual([warning]);
  }
  expect(warnings({ once: 'paid' })).toEqual([
    `${AT}.once: is the same for all events, so only the first makes a message; use a value that differs, such as "{{ payload.id }}:paid"`,
  ]);
  expect(warnings({ once: '{{ payload.id }}:paid' })).toEqual([]);
});

const group = { wait: '1m' };
const throttle = { max: 1, per: '1h' };

it('a part of one event in a text about several is warned about, with where it is instead, but not in other words, nor in a text about one event', () => {
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
  const loop = '{% for x in new %}{{ x.item.payload }}{% endfor %}';
  for (const message of [loop, 'the payload {{ count }}', '{{ "payload" }}'])
    expect(warnings({ group, send: text(message) }, IN_HEADER)).toEqual([]);
  expect(warnings({ throttle, send: text('{{ payload.title }}') }, IN_HEADER)).toEqual([]);
});
