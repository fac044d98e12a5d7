import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventExamples } from '../../openapi/examples/events.ts';
import { messageExamples } from '../../openapi/examples/messages.ts';
import { incidentId } from '../../src/outbox/incidents/incident-id.ts';
import { maskNumber } from '../../src/lib/mask-numbers.ts';
import { HIDDEN, seen, SIGHTS, type Sight } from '../../src/registry/viewer-sight.ts';

const PHONE = '4915112345678';
const MASKED = '+4915•••••78';
const sealed = () => 'inc_sealed';
const look = (value: unknown, sight: Sight = 'facts'): unknown => seen(value, sight, sealed);

describe('what a viewer sees of facts', () => {
  it('is a message without its number, its texts and the gateway’s answer', () => {
    const { value } = messageExamples.one.retrying;
    expect(look(value)).toEqual({
      ...value,
      phone: '+4915•••••21',
      params: { phone: '+4915•••••21', message: HIDDEN },
      reason: HIDDEN,
      attempts: value.attempts.map((one) => ({ ...one, detail: HIDDEN, response: HIDDEN })),
    });
  });

  it('is an event without what came in, and without the key that is made of it', () => {
    const { value } = eventExamples.one.event;
    const { messages: _, ...own } = value;
    expect(look(value)).toMatchObject({
      ...own,
      dedupe_key: HIDDEN,
      payload: null,
      headers: null,
      query: null,
    });
  });

  it('has nothing of a key that nobody knows, whatever is below it', () => {
    const inner = { id: PHONE, state: 'a text', messages: [{ source: 'a text' }], big: 4_915_112_345_678 };
    expect(look({ new_field: inner, also: ['a text', 7, true, null] })).toEqual({
      new_field: { id: HIDDEN, state: HIDDEN, messages: [{ source: HIDDEN }], big: null },
      also: [HIDDEN, 7, true, null],
    });
  });

  it('masks what is known, too, when it holds a number, and the names of keys', () => {
    expect(look({ source: `shop-${PHONE}`, items: [{ counts: { [PHONE]: 1 } }] })).toEqual({
      source: `shop-${MASKED}`,
      items: [{ counts: { [MASKED]: 1 } }],
    });
  });

  it('has other ids of incidents, and other cursors, since both hold keys', () => {
    const id = incidentId({ source: 'alerts', route: 'all', key: PHONE });
    expect(look({ items: [{ id, incident: id, inhibited_by: id }], next_cursor: 'default:1' })).toEqual({
      items: [{ id: 'inc_sealed', incident: 'inc_sealed', inhibited_by: 'inc_sealed' }],
      next_cursor: 'inc_sealed',
    });
    expect(look({ next_cursor: null })).toEqual({ next_cursor: null });
    expect(look({ next_cursor: id }, 'words')).toEqual({ next_cursor: id });
  });

  it('has none of what only a sender calls so: a sealed guess could be compared with others', () => {
    const id = incidentId({ source: 'alerts', route: 'all', key: PHONE });
    const sent = { event_type: id, subject: id, next_cursor: id, payload: { id } };
    const shown = { event_type: 'inc_hidden', subject: HIDDEN, next_cursor: HIDDEN, payload: null };
    expect(look({ items: [sent] })).toEqual({ items: [shown] });
    expect(look({ payload: { id, next_cursor: 'x' } }, 'contents')).toEqual({
      payload: { id: 'inc_hidden', next_cursor: 'x' },
    });
  });
});

const check = (id: string) => ({ id, title: 'x', detail: 'said: a text' });

describe('what a viewer sees of words', () => {
  it('is all of them but numbers', () => {
    const set = { sources: { shop: { routes: [{ to: PHONE, when: `payload.to == "+${PHONE}"` }] } }, n: 7 };
    expect(look(set, 'words')).toEqual({
      sources: { shop: { routes: [{ to: MASKED, when: `payload.to == "${MASKED}"` }] } },
      n: 7,
    });
  });

  it('is no finding that quotes a gateway or a person who paused an account', () => {
    const checks = ['gateway:default', 'account:default:paused', 'accounts', 'secrets'].map(check);
    expect(look({ checks }, 'words')).toEqual({
      checks: checks.map((one) => (one.id.includes(':') ? { ...one, detail: HIDDEN } : one)),
    });
  });

  it('has no id of an incident inside of a text, and keeps what only looks like one', () => {
    const id = incidentId({ source: 'alerts', route: 'all', key: PHONE });
    expect(look(`see ${id} or payload.inc_number`, 'words')).toBe(`see inc_hidden or payload.inc_number`);
  });
});

describe('what a viewer sees of contents', () => {
  it('is everything but the numbers of receivers', () => {
    const value = {
      phone: PHONE,
      params: { phone: PHONE, message: `call ${PHONE}` },
      payload: { phone: PHONE, tel: PHONE, deep: [{ phone: PHONE }] },
      dedupe_key: PHONE,
      reason: `no ${PHONE}`,
    };
    expect(look(value, 'contents')).toEqual({
      phone: MASKED,
      params: { phone: MASKED, message: `call ${PHONE}` },
      payload: { phone: MASKED, tel: PHONE, deep: [{ phone: MASKED }] },
      dedupe_key: PHONE,
      reason: `no ${MASKED}`,
    });
  });
});

describe('whatever a viewer sees', () => {
  const phone = fc.stringMatching(/^[1-9]\d{6,14}$/);

  it('has the number of no receiver, whatever is around it', () => {
    fc.assert(
      fc.property(phone, fc.jsonValue(), fc.constantFrom(...SIGHTS), (number, around, sight) => {
        const shown = JSON.stringify(look({ items: [{ phone: number, around }] }, sight));
        expect(shown).toContain(`"phone":"${maskNumber(number)}"`);
      }),
    );
  });

  it('has no text of facts that stands under keys of its sender', () => {
    const key = fc.string().filter((one) => one !== 'phone');
    fc.assert(
      fc.property(fc.dictionary(key, fc.constant('a secret text')), (payload) => {
        const shown = { params: payload, payload, response: payload };
        expect(JSON.stringify(look(shown))).not.toContain('secret text');
      }),
    );
  });
});
