import { expect, it } from 'vitest';
import { stateOf } from '../../../src/ingest/press.ts';
import type { IncidentState } from '../../../src/schema/states.ts';
import { START } from '../../outbox/support.ts';
import { sourceOf } from '../support.ts';
import { view } from './view.ts';

const NOW = START;
const send = { kind: 'text', message: 'x' };
const to = '4915112345678';
const source = sourceOf({
  routes: [
    { name: 'ask', to, actions: { yes: { label: 'Yes' } }, send },
    { name: 'on-call', to, incident: { key: '{{ payload.id }}' }, actions: { ack: {}, resolve: {} }, send },
  ],
});

const pressed = (message: string, at = NOW) => ({
  event: 'evt_1',
  at,
  action: 'yes',
  by: { phone: to },
  message,
});

/** The state of a link, `ms` after it was pressed. */
const after = (ms: number, message = 'msg_1') =>
  stateOf(view({ pressed: pressed(message) }), source, NOW + ms);

it('a link is open until it expires, or is withdrawn with its source, its route or its action; one to stop with its source alone', () => {
  const stop = view({ link: { id: 'stop', until: NOW + 1 }, route: 'gone' });
  for (const [of, from, ms, kind] of [
    [view(), source, 999, 'open'],
    [view(), source, 1_000, 'expired'],
    [view(), undefined, 0, 'withdrawn'],
    [view({ route: 'gone' }), source, 0, 'withdrawn'],
    [view({ link: { id: 'no', until: NOW + 1 } }), source, 0, 'withdrawn'],
    [stop, source, 0, 'open'],
    [stop, source, 1, 'expired'],
    [stop, undefined, 0, 'withdrawn'],
  ] as const)
    expect([of, ms, stateOf(of, from, NOW + ms).kind]).toEqual([of, ms, kind]);
});

it('a link that was pressed says so, even if its route is gone', () => {
  const of = { pressed: pressed('msg_2') };
  expect(stateOf(view(of), undefined, NOW + 9_999)).toMatchObject({ kind: 'pressed', isOwn: false });
});

it('a link can be taken back by the one who pressed, for a minute', () => {
  expect(after(59_999)).toMatchObject({ isOwn: true, canTakeBack: true });
  expect(after(60_000)).toMatchObject({ isOwn: true, canTakeBack: false });
  // The clock of the machine that answers is behind that of the one that was pressed at.
  expect(after(-31_000)).toMatchObject({ isOwn: true, canTakeBack: true });
  expect(after(-60_000)).toMatchObject({ isOwn: true, canTakeBack: false });
  expect(after(1, 'msg_2')).toMatchObject({ isOwn: false, canTakeBack: false });
});

const stopped = { phone: to, at: new Date(NOW).toISOString(), by: 'Anna', reason: 'x' };
const link = { id: 'stop', until: NOW + 1 };

it('a link to stop says that its receiver has opted out, however late, and lets them opt in if a link did it', () => {
  const byLink = stateOf(view({ link }), source, NOW + 9_999, { ...stopped, message: 'msg_9' });
  expect(byLink).toEqual({ kind: 'stopped', at: stopped.at, canStart: true });
  expect(stateOf(view({ link }), source, NOW, stopped)).toMatchObject({ canStart: false });
  expect(stateOf(view({ link }), undefined, NOW, { ...stopped, message: 'msg_9' })).toMatchObject({
    canStart: false,
  });
});

const incident = {
  id: 'inc_1',
  key: 'disk',
  title: 'disk',
  startedAt: '',
  askedFrom: 0,
  acknowledged: null,
  resolvedAt: null,
  notified: [],
};
const kindOf = (action: string, ...states: readonly IncidentState[]): string =>
  stateOf(
    view({
      route: 'on-call',
      link: { id: action, until: NOW + 1 },
      incidents: states.map((state) => ({
        ...incident,
        state,
        acknowledged: state === 'acknowledged' ? { by: 'Anna', at: '' } : null,
      })),
    }),
    source,
    NOW,
  ).kind;

it('a link to incidents is open, taken or resolved as they are', () => {
  for (const [action, kind, ...states] of [
    ['ack', 'open', 'open', 'resolved'],
    ['ack', 'open', 'open', 'acknowledged'],
    ['ack', 'taken', 'acknowledged', 'resolved'],
    ['ack', 'resolved', 'resolved', 'resolved'],
    ['ack', 'lost', 'resolved', 'expired'],
    ['resolve', 'lost', 'unwatched'],
    ['ack', 'resolved'],
    ['resolve', 'open', 'acknowledged'],
    ['resolve', 'resolved', 'resolved'],
  ] as const)
    expect([action, states, kindOf(action, ...states)]).toEqual([action, states, kind]);
});
