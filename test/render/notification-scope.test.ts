import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { notificationScope, type NotificationContent } from '../../src/render/notification-scope.ts';
import { ROOTS } from '../../src/template/basics/scope.ts';
import { compileText, renderText } from '../../src/template/text.ts';
import { elementOf } from './notification-elements.ts';

const NOTHING: NotificationContent = { firing: [], new: [], resolved: [], max: 3, single: false };
const TIME = { at: '2026-11-21T07:00:00.000Z', source: 'shop' };
const LOCALE = { country: 'DE', locale: 'de-DE', timezone: 'Europe/Berlin' };

function render(source: string, report: Partial<NotificationContent>, time: object = {}): string {
  const text = compileText(source, ROOTS);
  if (!text.ok) throw new Error(text.error);
  const scope = notificationScope({ ...NOTHING, ...report }, { ...TIME, ...time });
  const rendered = renderText(text.value, scope, LOCALE);
  return rendered.ok ? rendered.value : `! ${rendered.error}`;
}

describe('what a group’s template sees', () => {
  it('are those that are open, the newest last, at most as many as the route says, and how many more there are', () => {
    const items = '{% for one in firing %}{{ one.item }}{% endfor %}';
    const firing = ['a', 'b', 'c', 'd'].map((item) => elementOf(item));
    const counts = '{{ count }} {{ more }} {{ first.item }}{{ last.item }}';
    expect(render(`${items} ${counts}`, { firing })).toBe('bcd 4 1 bd');
  });

  it('are what is new and what ended since the last message, and how long that was open', () => {
    const resolved = [elementOf({ name: 'x' }, { resolved_at: TIME.at, duration_ms: 3_600_000 })];
    const ended =
      '{{ resolved[0].item.name }} {{ resolved.first.duration_ms }} {{ resolved[0].resolved_at }}';
    const template = `{{ new.size }} ${ended}{{ firing.size }}{{ first }}`;
    expect(render(template, { new: resolved, resolved })).toBe(`1 x 3600000 ${TIME.at}0`);
  });

  it('knows how many are open where not all are given', () => {
    expect(render('{{ count }} {{ more }}', { firing: [elementOf(1)], count: 500 })).toBe('500 499');
  });

  it('has no item of its own, and nothing of one event’s payload', () => {
    const kept = { payload: { x: 1 }, headers: { 'x-a': '1' }, query: { q: '1' } };
    const template = '{{ item }}{{ payload }}{{ headers.x-a }}{{ query.q }}{{ started_at }}{{ since }}';
    expect(render(template, { firing: [elementOf('x')] }, kept)).toBe('');
  });

  it('has `now`, the newest event, and `since` in a digest', () => {
    expect(render('{{ "now" | date: "%H:%M" }} {{ event.source }}{{ event.type }}', {})).toBe('08:00 shop');
    expect(render('{{ event.id }} {{ event.type }}', { firing: [elementOf(1)] })).toBe('evt_1 alert');
    expect(render('{{ since }}', { since: TIME.at })).toBe(TIME.at);
  });
});

describe('what the template of an incident by itself sees', () => {
  it('is its item, and how long it was open', () => {
    const times = '{{ started_at }} {{ resolved_at }} {{ duration_ms }}';
    const template = `{{ item.name }} {{ key }} ${times} {{ occurrences }} {{ flapping }} {{ changes }}`;
    const one = elementOf({ name: 'x' }, { occurrences: 4, flapping: true, changes: 5 });
    const shown = 'x k 2026-11-21T06:00:00.000Z  60000 4 true 5';
    expect(render(template, { firing: [one], single: true })).toBe(shown);
    const ended = { resolved: [{ ...one, resolved_at: TIME.at }], single: true };
    expect(render('{{ item.name }} {{ resolved_at }} {{ resolved.size }}', ended)).toBe(`x ${TIME.at} 1`);
  });

  it('is its newest event’s payload, headers and query, where they are kept', () => {
    const kept = { payload: { x: 1 }, headers: { 'x-a': '2' }, query: { q: '3' } };
    const template = '{{ payload.x }}{{ headers.x-a }}{{ query.q }}';
    const report = { firing: [elementOf('x')], single: true };
    expect(render(template, report, kept)).toBe('123');
    expect(render(template, report)).toBe('');
  });
});

it('has only names that a template may name', () => {
  const element = fc.constantFrom(elementOf(1), elementOf(1, { resolved_at: TIME.at }));
  const list = fc.array(element, { maxLength: 5 });
  const max = fc.integer({ min: 1, max: 6 });
  const lists = { firing: list, new: list, resolved: list };
  const report = fc.record({ ...lists, max, since: fc.constant(TIME.at), single: fc.boolean() });
  fc.assert(
    fc.property(report, (one) => {
      const { notification } = notificationScope(one, TIME);
      const names = notification?.names ?? {};
      expect(Object.keys(names).filter((name) => !ROOTS.includes(name))).toEqual([]);
      expect(names['more']).toBe(Math.max(0, one.firing.length - one.max));
    }),
  );
});
