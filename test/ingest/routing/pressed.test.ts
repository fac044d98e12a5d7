import { expect, it } from 'vitest';
import { routeForPress } from '../../../src/ingest/routing/match.ts';
import { eventOf, sourceOf } from '../support.ts';

const routes = [
  { name: 'always', to: '4915112345678', send: { kind: 'text', message: 'x' } },
  { name: 'paid', when: 'payload.paid', to: '4915112345678', send: { kind: 'text', message: 'x' } },
  {
    name: 'answer',
    when: 'event.type == "action.yes"',
    to: '4915112345678',
    actions: { sure: { label: 'Sure' } },
    send: { kind: 'text', message: '{{ actions.sure.url }}' },
  },
];
const source = sourceOf({ routes });

/** The routes that take an event, each with the number of actions that it keeps. */
const taken = (type: string | null, payload: object) =>
  source.routes.flatMap((route) => {
    const own = routeForPress({ ...eventOf(source, { payload }), type }, route);
    return own === null ? [] : [[own.name, own.actions.length]];
  });

it('a press is for the routes whose condition is about the type of events; its own makes messages without actions', () => {
  expect(taken('action.yes', { message: 'msg_1', route: 'ask' })).toEqual([['answer', 1]]);
  // So that a chain ends.
  expect(taken('action.yes', { message: 'msg_1', route: 'answer' })).toEqual([['answer', 0]]);
});

it('a webhook is for all of them, also one that looks like a press', () => {
  for (const [type, payload] of [
    ['action.yes', { message: { text: 'x' } }],
    ['order.paid', { message: 'msg_1' }],
    [null, { message: 'msg_1' }],
  ] as const)
    expect(taken(type, payload).map(([name]) => name)).toEqual(['always', 'paid', 'answer']);
});
