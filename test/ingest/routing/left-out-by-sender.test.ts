import { expect, it } from 'vitest';
import { routeView } from '../../../src/admin/preview/route.ts';
import { routeEvent } from '../../../src/ingest/routing/match.ts';
import { eventOf, PHONE, sourceOf } from '../support.ts';

const alerts = [{ id: 1 }, { id: 2 }];
const ROUTE = { name: 'all', each: 'payload.alerts', to: PHONE, send: { kind: 'text', message: 'hello' } };
const WAITING = { ...ROUTE, incident: { key: '{{ item.id }}' } };

/** The result of a route for a payload of a provider. */
function routed(provider: string, route: object, payload: object) {
  const source = sourceOf({ provider, verify: { scheme: 'none' }, routes: [route] });
  const [result] = routeEvent(eventOf(source, { payload }));
  return { notes: result?.notes?.map(({ reason }) => reason), items: result?.items };
}

/** The notes of a route whose list lacks so many elements. */
const note = (count: number | null, list: string) =>
  count === null
    ? undefined
    : [`route \`all\` got only a part: the sender left out ${count} more elements of \`${list}\``];

it('what a sender left out of a list is noted, and its items say so', () => {
  const filtered = 'payload.alerts | where: "id", 1';
  for (const [provider, route, payload, count] of [
    ['alertmanager', ROUTE, { alerts, truncatedAlerts: 48 }, 48],
    ['alertmanager', WAITING, { alerts, truncatedAlerts: 48 }, 48],
    ['grafana', WAITING, { alerts, truncatedAlerts: 48 }, 48],
    ['alertmanager', { ...WAITING, each: filtered }, { alerts, truncatedAlerts: 48 }, 48],
    ['gitlab', { ...ROUTE, each: 'payload.commits' }, { commits: alerts, total_commits_count: 42 }, 40],
    ['gitea', { ...ROUTE, each: 'payload.commits' }, { commits: alerts, total_commits: 42 }, 40],
    ['alertmanager', WAITING, { alerts, truncatedAlerts: 0 }, null],
    ['alertmanager', WAITING, { alerts, truncatedAlerts: 'many' }, null],
    ['alertmanager', WAITING, { alerts, truncatedAlerts: -3 }, null],
    [
      'alertmanager',
      { ...ROUTE, each: 'payload.others' },
      { alerts, others: alerts, truncatedAlerts: 3 },
      null,
    ],
    // It made nothing: there is nothing that could say so.
    ['alertmanager', WAITING, { alerts: [], truncatedAlerts: 3 }, null],
  ] as const) {
    const { notes, items } = routed(provider, route, payload);
    expect(notes, JSON.stringify([provider, payload])).toEqual(note(count, route.each));
    for (const item of items ?? []) expect(item.leftOut).toBe(count ?? undefined);
  }
});

it('the message that a preview shows ends as the one on the phone does, unless its text says it itself', () => {
  for (const [message, more, expected] of [
    ['{{ count }}', {}, '2\nDer Absender hat 48 weitere weggelassen: Von ihnen ist nichts bekannt.'],
    ['{{ count }}+{{ event.left_out }}', {}, '2+48'],
    ['{{ count }}', { max_length: 60 }, '2'],
  ] as const) {
    const route = { ...WAITING, group: {}, send: { kind: 'text', message }, ...more };
    const document = { provider: 'alertmanager', locale: 'de', verify: { scheme: 'none' }, routes: [route] };
    const event = eventOf(sourceOf(document), { payload: { alerts, truncatedAlerts: 48 } });
    const shown = routeEvent(event).flatMap((one) => routeView(event, one).messages);
    expect(shown.map(({ params }) => params['message'])).toEqual([expected]);
  }
});
