import { describe, expect, it } from 'vitest';
import { parseHttpFile } from '../../../cli/fixtures/http-file.ts';
import { fixtureOf } from '../../../console/pages/templates/fixture.ts';

const event = {
  id: 'evt_1',
  source: 'shop',
  type: 'order paid/../x',
  received_at: '2026-01-05T08:30:00.000Z',
  payload: { text: 'Grüße\n"you"' },
  headers: { 'x-event': 'paid', 'content-length': '9', 'cf-ray': 'r', 'content-type': 'text/xml' },
  query: { ref: 'a b&c' },
};

describe('an event as a fixture', () => {
  it('is read by `hookbell check` as the same webhook, received at the same time', () => {
    const read = parseHttpFile(fixtureOf(event).text);
    if (!read.ok) throw new Error(read.error.message);
    const { target, headers, body } = read.value;
    expect(target.pathname).toBe('/hooks/shop');
    expect(target.searchParams.get('ref')).toBe('a b&c');
    expect(JSON.parse(body)).toEqual(event.payload);
    expect(Object.fromEntries(headers)).toEqual({
      'content-type': 'application/json',
      date: 'Mon, 05 Jan 2026 08:30:00 GMT',
      'x-event': 'paid',
    });
  });

  it('is named for its type, as a file of any system may be', () => {
    expect(fixtureOf(event).name).toBe('order-paid-..-x.http');
    expect(fixtureOf({ ...event, type: '../' }).name).toBe('evt_1.http');
    expect(fixtureOf({ ...event, type: null }).name).toBe('evt_1.http');
  });

  it('has a text as it is, and no header more than it had', () => {
    const read = parseHttpFile(
      fixtureOf({ ...event, payload: 'hello', headers: { 'x-a': 'b\r\nx-evil: 1' }, query: null }).text,
    );
    expect(read.ok && read.value.body).toBe('hello');
    expect(read.ok && read.value.headers.has('x-evil')).toBe(false);
  });
});
