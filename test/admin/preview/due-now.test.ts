import { describe, expect, it } from 'vitest';
import { dueNow, messagesDueNow } from '../../../src/admin/preview/due-now.ts';
import { routeEvent } from '../../../src/ingest/routing/match.ts';
import { eventOf, OTHER_PHONE, PHONE, sourceOf } from '../../ingest/support.ts';

const ROUTE = {
  name: 'on-call',
  to: PHONE,
  each: 'payload.alerts',
  incident: { key: '{{ item.id }}', resolved: 'item.over' },
};
const text = (message: string) => ({ kind: 'text', message });

function prepared(route: object, payload: unknown, source: object = {}) {
  const event = eventOf(sourceOf({ routes: [{ ...ROUTE, ...route }], ...source }), { payload });
  const [compiled] = event.source.routes;
  const [result] = routeEvent(event);
  if (compiled === undefined) throw new Error('no route');
  return [event, compiled, result?.items ?? []] as const;
}

const texts = (...given: Parameters<typeof prepared>) =>
  messagesDueNow(...prepared(...given)).messages.map(({ phone, params }) => `${phone}: ${params['message']}`);

describe('what would be reported now', () => {
  const alerts = [
    { id: 'a', of: 1 },
    { id: 'b', of: 2 },
    { id: 'c', of: 1, over: true },
  ];

  it('is a message for each item without a group, with its item', () => {
    const send = text('{{ item.id }}{% if resolved_at %} is over{% endif %} {{ payload.alerts.size }}');
    expect(texts({ send }, { alerts })).toEqual([`${PHONE}: a 3`, `${PHONE}: b 3`, `${PHONE}: c is over 3`]);
  });

  it('is a message for each group, with what is new and what ended', () => {
    const send = text(
      '{{ count }}:{% for one in new %}{{ one.item.id }}{% endfor %} {{ resolved[0].item.id }}',
    );
    expect(texts({ send, group: { by: ['{{ item.of }}'] } }, { alerts })).toEqual([
      `${PHONE}: 1:a c`,
      `${PHONE}: 1:b `,
    ]);
  });

  it('is one text for all who are notified of the same items, and another for others', () => {
    const to = [OTHER_PHONE, '{{ item.phone }}'];
    const [a, b] = [
      { id: 'a', phone: `+${PHONE}` },
      { id: 'b', phone: `+${OTHER_PHONE}` },
    ];
    const due = dueNow(...prepared({ to, send: text('x'), group: {} }, { alerts: [a, b] }));
    expect(due.map(({ phones }) => phones)).toEqual([[OTHER_PHONE], [PHONE]]);
    expect(dueNow(...prepared({ to, send: text('x'), group: {} }, { alerts: [b] }))).toHaveLength(1);
  });

  it('is no more than a thousand messages of a storm, or failures', () => {
    const storm = Array.from({ length: 600 }, (_, id) => ({ id }));
    const to = [PHONE, OTHER_PHONE];
    expect(texts({ to, send: text('x') }, { alerts: storm })).toHaveLength(1_000);
    const failing = prepared(
      { to, send: text('{{ item.none | sum }}{{ payload | sum }}') },
      { alerts: [...storm, ...storm] },
    );
    expect(messagesDueNow(...failing).failures).toHaveLength(1_000);
  });

  it('is why not, where the template fails', () => {
    const { messages, failures } = messagesDueNow(
      ...prepared({ send: text('{{ item.id | sum }}') }, { alerts: [{ id: ['x'] }] }),
    );
    expect(messages).toEqual([]);
    expect(failures[0]?.reason).toMatch(/^route `on-call`, parameter `message`/);
  });

  it('sees of a source that keeps no payloads only what is kept', () => {
    const send = text('x{{ item.id }}{{ payload.alerts.size }}');
    expect(texts({ send }, { alerts: [{ id: 'a' }] }, { store: 'metadata' })).toEqual([`${PHONE}: xa`]);
    const whole = { each: undefined, incident: { key: '{{ payload.id }}' }, send: text('x{{ payload.id }}') };
    expect(texts(whole, { id: 'a' }, { store: 'metadata' })).toEqual([`${PHONE}: xa`]);
  });
});
