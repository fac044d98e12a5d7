import ICAL from 'ical.js';
import fc from 'fast-check';
import { exports } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { admin, publish } from '../../integration/relay.ts';
import { asViewer } from '../support.ts';
import { calendarText } from '../../../src/admin/config/calendar-text.ts';
import { DAY, HOUR } from '../../../src/lib/duration.ts';

const NOW = Math.floor(Date.now() / 60_000) * 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();
const local = (ms: number): string => iso(ms).slice(0, 16);
const PEOPLE = { anna: '4917139310001', ben: '4917139310002' };

interface OnCallJson {
  readonly now: { readonly person: string; readonly since: string; readonly until: string };
  readonly next: { readonly person: string } | null;
  readonly spans: readonly { readonly person: string }[];
  readonly overrides: readonly { readonly person: string; readonly from: string; readonly since: string }[];
  readonly calendar: string;
}

const read = async (query = ''): Promise<OnCallJson> =>
  (await admin<OnCallJson>('GET', `/recipients/team/on-call${query}`)).body;
const remove = (from: string) => admin('DELETE', `/recipients/team/overrides/${from}`);
const add = (body: object) => admin<{ version: number }>('POST', '/recipients/team/overrides', body);

/** The hour that begins in `hour` hours. */
const at = (hour: number) => ({ from: local(NOW + hour * HOUR), to: local(NOW + (hour + 1) * HOUR) });

const get = (url: string, init: RequestInit = {}): Promise<Response> =>
  exports.default.fetch(new Request(url, init));

beforeAll(() =>
  publish({
    recipients: {
      team: {
        people: PEOPLE,
        rotation: { order: ['anna', 'ben'], every: '1d', from: local(NOW - HOUR), timezone: 'UTC' },
      },
      others: { numbers: ['4917139310003'] },
    },
  }),
);

it('who is on call is said with who is next, for four weeks, or for another time and range', async () => {
  const { now, next, spans } = await read();
  expect(now).toEqual({ person: 'anna', since: iso(NOW - HOUR), until: iso(NOW + 23 * HOUR) });
  expect(next).toMatchObject({ person: 'ben', since: now.until });
  expect(spans).toHaveLength(29);
  const other = await read(`?at=${iso(NOW + DAY)}&from=${iso(NOW - DAY)}&to=${iso(NOW + 2 * DAY)}`);
  expect(other.now.person).toBe('ben');
  expect(other.spans.map(({ person }) => person)).toEqual(['ben', 'anna', 'ben', 'anna']);
});

it('who is on call is not said for a range that is longer than 92 days, or ends before it begins', async () => {
  for (const to of [NOW + 93 * DAY, NOW - DAY])
    expect((await admin('GET', `/recipients/team/on-call?to=${iso(to)}`)).status).toBe(422);
});

const override = { person: 'ben', from: local(NOW + 2 * HOUR), to: local(NOW + 3 * HOUR) };

it('an override is published with the list, and once if it is sent twice', async () => {
  const first = await add(override);
  const second = await add(override);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.body.version).toBe(first.body.version);
  const { body } = await admin<{ rotation: { overrides: object[] } }>('GET', '/recipients/team');
  expect(body.rotation.overrides).toEqual([override]);
  expect((await read(`?at=${iso(NOW + 2.5 * HOUR)}`)).now.person).toBe('ben');
});

it('an override begins now if it does not say when', async () => {
  expect((await add({ person: 'ben', to: local(NOW + HOUR) })).status).toBe(200);
  expect((await read()).now.person).toBe('ben');
});

it('an override is refused for the same time as another one, and for a stranger', async () => {
  expect((await add({ ...override, person: 'anna' })).body).toMatchObject({
    errors: [{ path: 'recipients.team.rotation.overrides[2].from' }],
  });
  const later = { from: local(NOW + 5 * HOUR), to: local(NOW + 6 * HOUR) };
  expect((await add({ person: 'zoe', ...later })).status).toBe(422);
});

it('an override is lost by nobody when two are sent at once: one of them is asked to try again', async () => {
  const both = await Promise.all([add({ person: 'ben', ...at(10) }), add({ person: 'ben', ...at(12) })]);
  const accepted = both.filter(({ status }) => status === 200).length;
  for (const { status } of both) expect([200, 412]).toContain(status);
  const { body } = await admin<{ rotation: { overrides: object[] } }>('GET', '/recipients/team');
  expect(body.rotation.overrides).toHaveLength(2 + accepted);
});

it('an override that is deleted is one of those that have not ended, and then whoever has the turn is on call', async () => {
  const { overrides, now } = await read();
  expect(overrides.map(({ since }) => since)).toEqual(overrides.map(({ from }) => `${from}:00.000Z`));
  expect(overrides.map(({ from }) => from)).toEqual(overrides.map(({ from }) => from).toSorted());
  expect(now.person).toBe('ben');
  for (const { from } of overrides) expect((await remove(from)).status).toBe(200);
  const after = await read();
  expect(after).toMatchObject({ overrides: [], now: { person: 'anna' } });
  expect((await read(`?at=${iso(NOW + 2.5 * HOUR)}`)).now.person).toBe('anna');
});

it('an override that is deleted is not shown once it has ended', async () => {
  await add({ person: 'ben', from: local(NOW - 3 * HOUR), to: local(NOW - 2 * HOUR) });
  expect((await read()).overrides).toEqual([]);
  expect((await read(`?at=${iso(NOW - 2.5 * HOUR)}`)).overrides).toHaveLength(1);
});

it('an override that is deleted is not found a second time, of a stranger’s list, and by another spelling of its start', async () => {
  const from = local(NOW - 3 * HOUR);
  for (const other of [`${from}:00`, '2026', '__proto__']) expect((await remove(other)).status).toBe(404); // fixed date: no override
  expect((await remove(from)).status).toBe(200);
  expect((await remove(from)).body).toMatchObject({
    detail: `There is no override from \`${from}\` in recipients list \`team\`.`,
  });
  expect((await admin('DELETE', `/recipients/nobody/overrides/${from}`)).status).toBe(404);
});

it('a calendar is there for whoever has the link, and is stored nowhere', async () => {
  const { calendar } = await read();
  const response = await get(calendar);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'no-store',
  });
  const events = ICAL.Component.fromString(await response.text()).getAllSubcomponents('vevent');
  expect(events.length).toBeGreaterThanOrEqual(60);
  expect((await read()).calendar).toBe(calendar);
  expect(await (await get(calendar, { method: 'HEAD' })).text()).toBe('');
});

it('a calendar is not found by a link that is wrong, of another list, or of one without a rotation', async () => {
  const { calendar } = await read();
  const wrong = calendar.replace(/.(?=\.ics$)/, (digit) => (digit === '0' ? '1' : '0'));
  for (const url of [wrong, calendar.replace('team.', 'others.'), calendar.replace('.ics', '')])
    expect((await get(url)).status).toBe(404);
  expect((await get(calendar, { method: 'POST' })).status).toBe(404);
});

it('a calendar has another link once the first is revoked, which no viewer does, and works for who has guessed too often', async () => {
  const { calendar } = await read();
  expect((await asViewer('/recipients/team/calendar', 'DELETE')).status).toBe(403);
  expect((await admin('DELETE', '/recipients/others/calendar')).status).toBe(404);
  const { body } = await admin<{ calendar: string }>('DELETE', '/recipients/team/calendar');
  expect((await read()).calendar).toBe(body.calendar);
  const guesses = ['nobody', 'x'.repeat(65), '..%2f', 'team'].map((name) =>
    calendar.replace(/team\.\w+/, `${name}.${'0'.repeat(24)}`),
  );
  const statuses: number[] = [];
  for (const url of [calendar, ...guesses, ...guesses, calendar, calendar, calendar, body.calendar])
    statuses.push((await get(url, { headers: { 'cf-connecting-ip': '192.0.2.77' } })).status);
  expect(statuses).toEqual([...Array<number>(10).fill(404), 429, 429, 200]);
});

it('a calendar is hidden from viewers', async () => {
  const response = await asViewer('/recipients/team/on-call');
  expect(await response.json()).toMatchObject({ now: { person: 'anna' }, calendar: 'hidden' });
});

const AT = Date.UTC(2026, 10, 26, 12, 30); // fixed date: its own clock
const RANGE = { from: AT, to: AT + 60 * DAY };

/** Reads a calendar as a calendar program does. */
const parsed = (text: string) =>
  ICAL.Component.fromString(text)
    .getAllSubcomponents('vevent')
    .map((component) => {
      const { uid, summary, startDate, endDate } = new ICAL.Event(component);
      const [start, end] = [startDate, endDate].map((time) => time.toJSDate().getTime());
      return { uid, summary, start, end };
    });

const span = (person: string, since: number | null, until: number | null) => ({ person, since, until });

it('the text of a calendar has an event for each turn, which a real parser reads', () => {
  const text = calendarText('on-call', [span('anna', AT, AT + HOUR), span('ben', AT + HOUR, null)], RANGE);
  const [anna, ben] = ['20261126T123000Z-on-call@hookbell', '20261126T133000Z-on-call@hookbell'];
  expect(parsed(text)).toEqual([
    { uid: anna, summary: 'anna (on-call)', start: AT, end: AT + HOUR },
    { uid: ben, summary: 'ben (on-call)', start: AT + HOUR, end: RANGE.to },
  ]);
});

it('the text of a calendar of one who is always on call begins today', () => {
  const [event] = parsed(calendarText('on-call', [span('anna', null, null)], RANGE));
  expect(event).toMatchObject({ uid: 'always-on-call@hookbell', start: AT - 12.5 * HOUR, end: RANGE.to });
});

it('the text of a calendar has any name whole, in lines of at most 75 octets that end in CRLF', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 64 })
    .filter((text) => !/\p{C}/u.test(text));
  fc.assert(
    fc.property(name, (person) => {
      const text = calendarText('on-call', [span(person, AT, AT + HOUR)], RANGE);
      expect(parsed(text)[0]?.summary).toBe(`${person} (on-call)`);
      for (const line of text.split('\r\n')) {
        expect(new TextEncoder().encode(line).byteLength).toBeLessThanOrEqual(75);
        expect(line).not.toMatch(/[\r\n]/);
      }
      expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    }),
  );
});
