import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import type { Route } from '../../src/config/config.ts';
import type { ConfigSet } from '../../src/config/schema.ts';
import { open, routeErrors, routeWith, setOf } from './support.ts';

const AT = 'sources.shop.routes[0]';
const templates = { paid: { kind: 'text', message: 'x' }, shout: { kind: 'status', text: 'x' } };
const recipients = { team: { numbers: ['4915112345678', '4915187654321'] } };

function routeOf(change: object, more: Partial<ConfigSet> = {}): Route | undefined {
  const sources = { shop: open({ routes: [routeWith(change)] }) };
  return compileConfig(setOf({ sources, ...more }), 1).config.sources.get('shop')?.routes[0];
}

describe('what a route sends', () => {
  const BOTH_OR_NONE = `${AT}: needs exactly one of \`template\` (a name) and \`send\` (an inline template)`;

  it('is a template or written inline, not both and not neither', () => {
    expect(routeErrors({ template: 'paid' }, { templates })).toEqual([BOTH_OR_NONE]);
    expect(routeErrors({ send: undefined })).toEqual([BOTH_OR_NONE]);
    expect(routeErrors({ send: undefined, template: 'paid' }, { templates })).toEqual([]);
  });

  it('is a template that exists; else the one that was meant is named', () => {
    expect(routeErrors({ send: undefined, template: 'piad' }, { templates })).toEqual([
      `${AT}.template: there is no template \`piad\`; did you mean \`paid\`?`,
    ]);
    expect(routeErrors({ send: undefined, template: 'constructor' }, { templates })).toEqual([
      `${AT}.template: there is no template \`constructor\`; there are paid, shout`,
    ]);
  });

  it('is reported once when it is wrong, where it is written', () => {
    const wrong = { templates: { paid: { kind: 'text', message: '{{ payload.x | mony }}' } } };
    expect(routeErrors({ send: undefined, template: 'paid' }, wrong)).toEqual([
      'templates.paid.message: column 16: unknown filter "mony" (did you mean "money"?)',
    ]);
  });

  it.each([
    [
      { send: { kind: 'text', message: '{{ pyload.x }}' } },
      'send.message: column 4: unknown name "pyload" (did you mean "payload"?)',
    ],
    [
      { send: { kind: 'poll', question: '?', options: ['a', '{{ x }}'] } },
      'send.options[1]: column 4: unknown name "x"',
    ],
    [{ when: 'payload.x ==' }, 'when: column 13: expected a value, found the end'],
    [{ each: 'payload.' }, 'each: column 9: expected a name right after the dot'],
    [{ to: '{{ payload.x | phne }}' }, 'to: column 16: unknown filter "phne" (did you mean "phone"?)'],
    [{ to: ['4915112345678', '{% if %}'] }, 'to[1]: column'],
  ])('is checked as Liquid when it is published: %j', (change, error) => {
    expect(routeErrors(change)[0]).toContain(`${AT}.${error}`);
  });

  it.each([
    [
      [{ kind: 'text', message: '{{ pyload.x }}' }],
      'send.fallback[0].message: column 4: unknown name "pyload"',
    ],
    [
      [{ kind: 'status', text: 'x' }],
      'send.fallback[0].kind: must be a `status` if, and only if, the template is one',
    ],
    [[], 'send.fallback: must not be empty'],
    [
      Array.from({ length: 4 }, () => ({ kind: 'text', message: 'x' })),
      'send.fallback: must have at most 3 templates',
    ],
    [[{ kind: 'text', message: 'x', fallback: [] }], 'send.fallback[0].fallback: unknown key `fallback`'],
    [[{ kind: 'txt', message: 'x' }], 'send.fallback[0].kind: must be one of text'],
  ])('has fallbacks that are checked like itself: %j', (fallback, error) => {
    expect(routeErrors({ send: { kind: 'text', message: 'x', fallback } })[0]).toContain(`${AT}.${error}`);
  });

  it('reports every wrong part at once', () => {
    const errors = routeErrors({
      when: '==',
      each: '.',
      to: 'nobody',
      send: { kind: 'text', message: '{{' },
    });
    expect(errors.map((error) => error.split(':')[0])).toEqual([
      `${AT}.when`,
      `${AT}.each`,
      `${AT}.send.message`,
      `${AT}.to`,
    ]);
  });
});

describe('whom a route sends to', () => {
  it.each([
    [undefined, 'to: is required: a number, the name of a recipients list, or a template'],
    ['taem', 'to: there is no recipients list `taem`; did you mean `team`?'],
    [['4915112345678', 'nobody'], 'to[1]: there is no recipients list `nobody`; there is team'],
    ['toString', 'to: there is no recipients list `toString`'],
    ['+49 151', 'to: "+491…" is too short for a phone number with its country code'],
    ['0151 12345678', 'to: "0151…" has no country code: begin with it, such as +49 151 12345678'],
  ])('is not %j', (to, error) => {
    expect(routeErrors({ to }, { recipients })[0]).toContain(`${AT}.${error}`);
  });

  it('is numbers, lists and templates, in the order in which they are written', () => {
    const to = ['4930123456', '+49 (0)30 / 123-456', 'team', '{{ payload.phone }}'];
    expect(routeOf({ to }, { recipients })?.to).toMatchObject([
      { from: 'document', numbers: ['4930123456'] },
      { from: 'document', numbers: ['4930123456'] },
      { from: 'document', numbers: recipients.team.numbers },
      { from: 'payload', isGatewayDigits: false },
    ]);
  });

  it.each(['{{ payload.phone | phone }}', '{{ payload.phone | default: "1" | phone -}} '])(
    'is not parsed again after `phone` made it the gateway’s digits: %s',
    (to) => {
      expect(routeOf({ to })?.to).toMatchObject([{ isGatewayDigits: true }]);
    },
  );

  it('is not reported as missing when the list it names is wrong itself', () => {
    expect(routeErrors({ to: 'team' }, { recipients: { team: { numbers: ['x'] } } })).toHaveLength(1);
  });

  it('is nobody for a status, by template or inline', () => {
    const refused = `${AT}.to: is refused here: a status goes to all contacts and has no receiver`;
    const inline = { kind: 'status', text: 'x' };
    expect(routeErrors({ send: inline })).toEqual([refused]);
    expect(routeErrors({ send: undefined, template: 'shout' }, { templates })).toEqual([refused]);
    expect(routeOf({ send: inline, to: undefined })?.to).toEqual([]);
  });
});

describe('when a route’s messages expire', () => {
  it.each([
    ['1h', '1m'],
    ['1h', '1h'],
  ])('cannot be before they are sent: delay %s, expires %s', (delay, expires) => {
    expect(routeErrors({ delay, expires })).toEqual([
      `${AT}.expires: must be longer than \`delay\`, 1h: nothing would be sent`,
    ]);
  });

  it('may be at any later time', () => {
    expect(routeOf({ delay: '1h', expires: '2h' })?.delivery).toMatchObject({
      delayMs: 3_600_000,
      expiresMs: 7_200_000,
    });
  });
});

describe('what a route does not say', () => {
  it('has the defaults that are written down for people', () => {
    expect(routeOf({})).toMatchObject({
      when: null,
      each: null,
      stop: false,
      delivery: { delayMs: 0, expiresMs: null, onUncertain: 'retry', priority: 'normal' },
      maxLength: 4_096,
      overflow: 'truncate',
    });
  });
});
