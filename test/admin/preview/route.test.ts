import { describe, expect, it } from 'vitest';
import { routeView } from '../../../src/admin/preview/route.ts';
import { routeEvent } from '../../../src/ingest/routing/match.ts';
import { eventOf, sourceOf } from '../../ingest/support.ts';

/** The reason for which a route with this condition was not taken. */
function why(when: string, payload: unknown): string | undefined {
  const send = { kind: 'text', message: 'x' };
  const event = eventOf(sourceOf({ routes: [{ name: 'a', when, to: '4930123456', send }] }), { payload });
  const [result] = routeEvent(event);
  return result && routeView(event, result).why;
}

describe('why a route was not taken', () => {
  it.each([
    ['event.type == "a"', {}, '`event.type` was "order.paid"'],
    [
      'payload.total > 5 and payload.paid',
      { total: 2, paid: null },
      '`payload.total` was 2, `payload.paid` was null',
    ],
    ['payload.lines == blank', { lines: [1, 2] }, '`payload.lines` was a list of 2'],
    ['payload.buyer == 1', { buyer: {} }, '`payload.buyer` was an object'],
    ['payload.buyer.name == "x"', {}, '`payload.buyer.name` is not there'],
    ['payload.buyr == "x"', { buyer: {} }, '`payload.buyr` is not there (did you mean "buyer"?)'],
    ['(payload.age | plus: 0) > 18', { age: '17' }, '`payload.age` was "17"'],
  ])('%s: it says what the condition saw', (when, payload, values) => {
    expect(why(when, payload)).toBe(`\`when\` is false: ${when}, where ${values}`);
  });

  it('names no value where the condition reads none', () => {
    expect(why('1 == 2', {})).toBe('`when` is false: 1 == 2');
  });

  it('shows text of a payload in quotes, on one line, and not at any length', () => {
    expect(why('payload.a == "x"', { a: 'one\n`two` was "3"' })).toContain(
      '`payload.a` was "one\\n`two` was \\"3\\""',
    );
    const long = why('payload.a == "x"', { a: '😀'.repeat(1_000) }) ?? '';
    expect(long).toContain(`was "${'😀'.repeat(79)}…"`);
    const many = Array.from({ length: 30 }, (_, index) => `payload.k${index} == 1`).join(' or ');
    expect(why(many, {})?.match(/is not there/g)).toHaveLength(10);
  });
});

/** A route's result as a preview shows it. */
function view(more: object) {
  const send = { kind: 'text', message: 'x' };
  const event = eventOf(sourceOf({ routes: [{ name: 'a', to: '4930123456', send, ...more }] }), {
    payload: {},
  });
  const [result] = routeEvent(event);
  return result && routeView(event, result);
}

describe('quiet hours that an event came in', () => {
  const quiet = { from: '00:00', to: '23:59', timezone: 'UTC' };

  it('hold its notifications until they end', () => {
    const held = view({ quiet })?.held;
    expect(held).toMatchObject([{ phone: '4930123456' }]);
    expect(held?.[0]?.until).toMatch(/T23:59:00\.000Z$/);
  });

  it('hold nothing urgent, and nothing of a route that has none', () => {
    expect(view({ quiet, priority: 'high' })).not.toHaveProperty('held');
    expect(view({ throttle: { max: 1, per: '1h' } })).not.toHaveProperty('held');
    expect(view({})).not.toHaveProperty('held');
  });
});
