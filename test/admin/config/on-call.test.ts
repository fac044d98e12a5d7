import ICAL from 'ical.js';
import fc from 'fast-check';
import { exports } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { admin, publish } from '../../integration/relay.ts';
import { asViewer } from '../support.ts';
import { calendarText } from '../../../src/admin/config/on-call.ts';
import { DAY, HOUR } from '../../../src/lib/time.ts';

const NOW = Math.floor(Date.now() / 60_000) * 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();
const local = (ms: number): string => iso(ms).slice(0, 16);
const PEOPLE = { anna: '4917139310001', ben: '4917139310002' };

type Override = Record<'id' | 'person' | 'from' | 'since' | 'until', string>;

interface Refused {
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

interface OnCallJson {
  readonly now: { readonly person: string; readonly since: string; readonly until: string };
  readonly next: { readonly person: string } | null;
  readonly spans: readonly { readonly person: string }[];
  readonly overrides: readonly Partial<Override>[];
  readonly calendar: string;
}

const read = async (query = ''): Promise<OnCallJson> =>
  (await admin<OnCallJson>('GET', `/recipients/team/on-call${query}`)).body;
const remove = (one: string) => admin<Override>('DELETE', `/recipients/team/overrides/${one}`);
const add = (body: object) => admin<Override & Partial<Refused>>('POST', '/recipients/team/overrides', body);

/** The hour that begins in `hour` hours. */
const at = (hour: number) => ({ from: local(NOW + hour * HOUR), to: local(NOW + (hour + 1) * HOUR) });

const get = (url: string, init: RequestInit = {}): Promise<Response> =>
  exports.default.fetch(new Request(url, init));

const TURNS = { order: ['anna', 'ben'], every: '1d', from: local(NOW - HOUR), timezone: 'UTC' };
const SET = {
  sources: {},
  templates: {},
  accounts: {},
  recipients: { team: { people: PEOPLE, rotation: TURNS }, others: { numbers: ['4917139310003'] } },
};
const publishTeam = (over: object) =>
  admin('PUT', '/recipients/team', { people: PEOPLE, rotation: { ...TURNS, ...over } });

beforeAll(() => publish(SET));

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

const override = { person: 'ben', ...at(2) };
const versions = async () => (await admin('GET', '/config/versions')).body;

it('an override by hand is listed with who made it, is in no version, and is there once if it is sent twice', async () => {
  const before = await versions();
  const [first, second] = [await add(override), await add(override)];
  expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
  expect(first.body.id).toMatch(/^ovr_\w{12}$/);
  expect(first.body).toMatchObject({
    origin: 'hand',
    by: 'token',
    ...override,
  });
  expect((await read()).overrides).toEqual([first.body]);
  expect((await read(`?at=${iso(NOW + 2.5 * HOUR)}`)).now.person).toBe('ben');
  expect(await versions()).toEqual(before);
});

it('an override by hand begins now if it does not say when, or says a time that has just gone', async () => {
  for (const from of [undefined, local(NOW - HOUR)]) {
    const { body } = await add({ person: 'ben', to: at(0).to, ...(from !== undefined && { from }) });
    expect(Date.parse(body.since)).toBeGreaterThanOrEqual(NOW);
    expect((await read()).now).toEqual({ person: 'ben', since: body.since, until: body.until });
    expect((await remove(body.id)).body.id).toBe(body.id);
    expect((await read()).now.person).toBe('anna');
  }
});

it.each([
  ['of a stranger', { person: 'bem', ...at(5) }, 'person', /did you mean `ben`/],
  ['that is over', { person: 'ben', ...at(-3) }, 'to', /in the future/],
  ['that began long ago', { person: 'ben', from: local(NOW - 2 * DAY), to: at(0).to }, 'from', /day ago/],
  [
    'that ends before it begins',
    { person: 'ben', from: at(6).to, to: at(4).to },
    'to',
    /^must be after `from`/,
  ],
  ['of ten years', { person: 'ben', to: local(NOW + 3_650 * DAY) }, 'to', /at most 366d from now/],
])('an override by hand %s is refused', async (_, body, path, message) => {
  const { status, body: answer } = await add(body);
  const [error, ...more] = answer.errors ?? [];
  expect([status, error?.path, more]).toEqual([422, path, []]);
  expect(error?.message).toMatch(message);
});

it('of overrides by hand for the same time, also two at once, the last made counts, and the one before once that is ended', async () => {
  const both = await Promise.all(['anna', 'ben'].map((person) => add({ person, ...at(12) })));
  expect(both.map(({ status }) => status)).toEqual([201, 201]);
  const last = (await add({ person: 'anna', from: at(11).from, to: at(13).to })).body;
  const now = async () => (await read(`?at=${iso(NOW + 12.5 * HOUR)}`)).now.person;
  expect([await now(), (await remove(last.id)).status]).toEqual(['anna', 200]);
  const [one, two] = (await read()).overrides.slice(-2);
  expect(await now()).toBe(two?.person);
  expect([(await remove(at(12).from)).body.id, await now()]).toEqual([two?.id, one?.person]);
  expect((await remove(one?.id ?? '')).status).toBe(200);
});

it('an override by hand takes no publish to be made or ended, none that is not of its person ends it, and one that is says so', async () => {
  await publishTeam({ overrides: [{ person: 'anna', ...at(2) }] });
  const during = async () => (await read(`?at=${iso(NOW + 2.5 * HOUR)}`)).now.person;
  expect(await during()).toBe('ben');
  await admin('POST', '/config?managed=true', { ...SET, files: {} });
  const made = await add({ person: 'ben', ...at(8) });
  const statuses = [(await publishTeam({})).status, made.status, (await remove(made.body.id)).status];
  expect(statuses).toEqual([409, 201, 200]);
  await admin('POST', '/config/takeover', { name: 'ada' });
  expect([await during(), (await read()).overrides.length]).toEqual(['ben', 1]);
  const without = { ...SET.recipients.team, people: { anna: PEOPLE.anna, bea: PEOPLE.ben }, rotation: TURNS };
  for (const query of ['?dry_run=true', '']) {
    const path = `/recipients/team${query}`;
    const { body } = await admin<object>('PUT', path, {
      ...without,
      rotation: { ...TURNS, order: ['anna', 'bea'] },
    });
    expect(JSON.stringify(body)).toContain('ends the override by hand of `ben` until ');
  }
  expect(await during()).toBe('anna');
  await publishTeam({});
  expect((await read()).overrides).toMatchObject([{ person: 'ben', is_gone: true }]);
  expect(await during()).toBe('anna');
  const { body } = await admin('GET', '/doctor');
  expect(JSON.stringify(body)).toContain('the override by hand of ben until ');
});

it('an override of the document is deleted with a publish, and one that is not there is not found by another spelling or in another list', async () => {
  await publishTeam({ overrides: [{ person: 'ben', ...at(5) }] });
  const { from } = at(5);
  for (const other of [`${from}:00`, 'ovr_0', '__proto__']) expect((await remove(other)).status).toBe(404);
  expect((await remove(from)).body).toHaveProperty('version');
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
