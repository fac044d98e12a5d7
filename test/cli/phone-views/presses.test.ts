import { describe, expect, it } from 'vitest';
import { pressesOf } from '../../../cli/phone-views/presses.ts';
import { compileConfig } from '../../../src/config/compile.ts';
import { EMPTY_SET } from '../../../src/config/schema.ts';
import type { WebhookEvent } from '../../../src/ingest/request/event.ts';
import { routeEvent } from '../../../src/ingest/routing/match.ts';

const BODY = 'Refund? {{ actions.yes.url }} {{ actions.no.url }} {{ actions.stop.url }}';
const ROUTES = [
  {
    name: 'ask',
    when: 'event.type == blank',
    to: ['491713920001', '491713920002'],
    actions: { yes: { label: 'Yes, {{ payload.who }}' }, no: { label: 'No' }, stop: {} },
    send: { kind: 'text', message: BODY },
  },
  {
    name: 'answered',
    when: 'event.type == "action.yes"',
    to: '491713920003',
    send: {
      kind: 'text',
      message: '{{ payload.by.name }}: {{ payload.label }} ({{ payload.payload.who }})',
    },
  },
];

function eventOf(): WebhookEvent {
  const { config, errors } = compileConfig(
    { ...EMPTY_SET, sources: { shop: { verify: { scheme: 'none' }, routes: ROUTES } } },
    0,
  );
  const source = config.sources.get('shop');
  if (source === undefined) throw new Error(JSON.stringify(errors));
  return {
    id: 'evt_1',
    source,
    type: null,
    receivedAt: 0,
    dedupeKey: 'k1',
    signed: null,
    payload: { who: 'Ada' },
    headers: { a: 'b' },
    query: {},
  };
}

describe('the presses that the messages of an event ask for', () => {
  const event = eventOf();
  const presses = pressesOf(event, routeEvent(event));

  it('are one for each action, whoever gets it, and none of those that are built in', () => {
    expect(presses.map(({ label, event: { type } }) => [label, type])).toEqual([
      ['Yes, Ada', 'action.yes'],
      ['No', 'action.no'],
    ]);
  });

  it('are routed as those of a phone are', () => {
    const texts = presses.map((press) =>
      routeEvent(press.event).flatMap(({ messages }) => messages.map(({ params }) => params['message'])),
    );
    expect(texts).toEqual([['Anna: Yes, Ada (Ada)'], []]);
  });
});
