import { expect, it } from 'vitest';
import { acceptance } from '../../../src/ingest/accept/accept.ts';
import { parseBody } from '../../../src/ingest/parse/parse.ts';
import { identify } from '../../../src/ingest/request/event.ts';
import { routeEvent } from '../../../src/ingest/routing/match.ts';
import { asVerified } from '../../../src/ingest/request/verify.ts';
import { PHONE, rawOf, sourceOf } from '../support.ts';

const A = '5402118833907716093';
const B = '5402118833907716094';
const ROUTE = { name: 'a', to: PHONE, send: { kind: 'text', message: '{{ payload.id }}' } };

/** What a source makes of a body of this type. */
async function take(document: object, body: string, type = 'application/json') {
  const source = sourceOf(document);
  const parsed = await parseBody(type, new TextEncoder().encode(body), source.provider.body);
  if (!parsed.ok) throw new Error(parsed.error.detail);
  const request = asVerified(rawOf(source), parsed.value.payload);
  const { event, dedupeFailure } = identify(request, (count) => new Uint8Array(count));
  const results = routeEvent(event);
  const config = { version: 1, activation: 1, publicUrl: null };
  return { event, results, accepted: acceptance(event, results, { config, dedupeFailure }) };
}

it('an integer beyond 2^53 in JSON keeps its digits in conditions, texts, subjects, and the keys of events, messages and elements', async () => {
  const route = {
    ...ROUTE,
    when: `payload.id == ${A} and payload.n == 1042`,
    each: 'payload.list',
    once: '{{ item.id }}',
    send: { kind: 'text', message: '{{ item | json }} {{ payload.x | plus: 1 }}' },
  };
  const document = { subject: '{{ payload.id }}', dedupe: { key: '{{ payload.id }}' }, routes: [route] };
  const body = `{"id":${A},"n":1042,"x":1.5,"list":[{"id":-${A}},{"id":-${B}}]}`;
  const { event, results, accepted } = await take(document, body);
  expect([event.dedupeKey, accepted.event.subject]).toEqual([A, A]);
  const messages = results.flatMap((result) => result.messages);
  expect(messages.map(({ once, params }) => [once, params['message']])).toEqual([
    [`-${A}`, `{"id":"-${A}"} 2.5`],
    [`-${B}`, `{"id":"-${B}"} 2.5`],
  ]);
});

it('an integer beyond 2^53 in JSON tells incidents and groups apart', async () => {
  const route = {
    ...ROUTE,
    each: 'payload.alerts',
    incident: { key: '{{ item.id }}', resolved: 'item.state == "ok"' },
    group: { by: ['{{ item.id }}'] },
  };
  const body = `{"alerts":[{"id":${A},"state":"bad"},{"id":${B},"state":"ok"}]}`;
  const { results } = await take({ routes: [route] }, body);
  expect(results.flatMap(({ items = [] }) => items)).toMatchObject([
    { key: A, group: JSON.stringify([A]), isResolved: false },
    { key: B, group: JSON.stringify([B]), isResolved: true },
  ]);
});

it('an integer beyond 2^53 in JSON keeps them in JSON inside of a form, and as it is stored', async () => {
  const body = `payload=${encodeURIComponent(`{"id":${A}}`)}`;
  const { accepted } = await take({ routes: [ROUTE] }, body, 'application/x-www-form-urlencoded');
  expect(JSON.stringify(accepted.event)).toContain(A);
  expect(accepted.messages).toMatchObject([{ params: { message: A } }]);
});
