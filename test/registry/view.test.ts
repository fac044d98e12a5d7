import fc from 'fast-check';
import { expect, it } from 'vitest';
import { messageRoutes, seenMessage } from '../../src/admin/messages/messages.ts';
import { eventRoutes } from '../../src/admin/messages/events.ts';
import { doctorRoutes } from '../../src/admin/doctor/doctor.ts';
import { maskNumber } from '../../src/lib/numbers.ts';
import { HIDDEN, masked, words, type View } from '../../src/registry/view.ts';

const PHONE = '4915112345678';
const MASKED = '+4915•••••78';

const look = <Value>(value: Value, view: View<Value>, showsPayloads = false): unknown =>
  masked(value, view, { showsPayloads });

/** As an answer of a route is seen. */
const answered = ({ view }: { readonly view?: unknown }, value: unknown, showsPayloads = false): unknown =>
  masked(value, view, { showsPayloads });

it('what a viewer sees of a message is all but its number, its texts and the gateway’s answer', () => {
  const attempt = { n: 1, outcome: 'refused', detail: 'said: no', response: 'no' };
  const value = { id: 'msg_1', state: 'retrying', reason: 'said: no', attempts: [attempt] };
  const params = { phone: PHONE, message: 'Hello' };
  expect(answered({ view: seenMessage }, { ...value, phone: PHONE, params })).toEqual({
    ...value,
    phone: MASKED,
    params: { phone: MASKED, message: HIDDEN },
    reason: HIDDEN,
    attempts: [{ ...attempt, detail: HIDDEN, response: HIDDEN }],
  });
});

it('what a viewer sees of an event is nothing that came in, and not the key that is made of it', () => {
  const own = { id: 'evt_1', source: 'shop', state: 'routed' };
  const hidden = { dedupe_key: 'a', subject: 'b', payload: { c: 'd' }, headers: { e: 'f' }, query: {} };
  expect(answered(eventRoutes.getEvent, { ...own, ...hidden })).toEqual({
    ...own,
    dedupe_key: HIDDEN,
    subject: HIDDEN,
    payload: null,
    headers: null,
    query: null,
  });
});

it('what a viewer sees is no finding that quotes a gateway or a person who paused an account', () => {
  const ids = ['gateway:default', 'account:default:paused', 'accounts', 'secrets'];
  const checks = ids.map((id) => ({ id, status: 'ok', title: 'x', detail: 'said: a text' }));
  for (const showsPayloads of [false, true])
    expect(answered(doctorRoutes.diagnose, { checks }, showsPayloads)).toEqual({
      checks: checks.map((one) => (one.id.includes(':') ? { ...one, detail: HIDDEN } : one)),
    });
});

it('what a viewer sees has nothing of a key that the view does not name, whatever is below it', () => {
  const inner = { id: PHONE, state: 'a text', messages: [{ source: 'a text' }], big: 4_915_112_345_678 };
  const more = { state: 'sent', new_field: inner, also: ['a text', 7, true, null], [PHONE]: 1 };
  expect(look<{ state: string }>(more, { state: 'words' })).toEqual({
    state: 'sent',
    new_field: { id: HIDDEN, state: HIDDEN, messages: [{ source: HIDDEN }], big: null },
    also: [HIDDEN, 7, true, null],
    [MASKED]: 1,
  });
});

it('words are seen as they are but for numbers, in texts and in names of keys', () => {
  const set = { sources: { shop: { routes: [{ to: PHONE, when: `payload.to == "+${PHONE}"` }] } }, n: 7 };
  expect(look(set, 'words')).toEqual({
    sources: { shop: { routes: [{ to: MASKED, when: `payload.to == "${MASKED}"` }] } },
    n: 7,
  });
  expect(look({ source: `shop-${PHONE}`, counts: { [PHONE]: 1 } }, words('source', 'counts'))).toEqual({
    source: `shop-${MASKED}`,
    counts: { [MASKED]: 1 },
  });
});

it('ids of incidents, and cursors, are what everybody sees, however many digits they have', () => {
  const page = { items: [{ id: 'inc_4915112345678abc' }], next_cursor: 'eyJkIjoiMTc4NDU2NzA4In0' };
  const view = { items: { id: 'id' }, next_cursor: 'id' } as const;
  expect(look(page, view)).toEqual(page);
  expect(look<{ next_cursor: string | null }>({ next_cursor: null }, view)).toEqual({ next_cursor: null });
});

it('what a viewer sees where payloads are shown is everything but the numbers of receivers', () => {
  const value = {
    phone: PHONE,
    params: { phone: PHONE, message: `call ${PHONE}` },
    payload: { phone: PHONE, tel: PHONE, deep: [{ phone: PHONE }] },
    dedupe_key: PHONE,
    reason: `no ${PHONE}`,
  };
  const view = {
    phone: 'phone',
    params: 'exact',
    payload: 'payload',
    dedupe_key: 'exact',
    reason: 'quoted',
  } as const;
  expect(look(value, view, true)).toEqual({
    phone: MASKED,
    params: { phone: MASKED, message: `call ${PHONE}` },
    payload: { phone: MASKED, tel: PHONE, deep: [{ phone: MASKED }] },
    dedupe_key: PHONE,
    reason: `no ${MASKED}`,
  });
});

const phone = fc.stringMatching(/^[1-9]\d{6,14}$/);

it('whatever a viewer sees has the number of no receiver, and no text that stands under keys of its sender', () => {
  fc.assert(
    fc.property(phone, fc.jsonValue(), fc.constantFrom(false, true), (number, around, showsPayloads) => {
      const value = { items: [{ phone: number, around }], next_cursor: null };
      for (const { view } of [messageRoutes.listMessages, { view: 'words' }, { view: 'exact' }])
        expect(JSON.stringify(answered({ view }, value, showsPayloads))).toContain(
          `"phone":"${maskNumber(number)}"`,
        );
    }),
  );
  const key = fc.string().filter((one) => one !== 'phone');
  fc.assert(
    fc.property(fc.dictionary(key, fc.constant('a secret text')), (payload) => {
      const view = { params: 'exact', payload: 'payload', response: 'quoted' } as const;
      const shown = look({ params: payload, payload, response: payload }, view);
      expect(JSON.stringify(shown)).not.toContain('secret text');
    }),
  );
});
