import type { Row } from '../platform/sql.ts';
import { NO_PLANTED_FAULT, type Seams } from '../platform/seams.ts';
import type { Random } from '../simulation.ts';
import { RETRY } from '../world/plan.ts';
import { BUSY } from '../world/senders.ts';

const HOUR_MS = 3_600_000;

/** A clock whose time since the first look at it is another. */
const sinceFirst = (change: (passedMs: number) => number): Seams['clock'] => {
  let first: number | null = null;
  return (now) => {
    first ??= now;
    return Math.floor(first + change(now - first));
  };
};

/** The gateway’s answer to what it has taken. */
const taken = (): Response => Response.json({ success: true, data: { status_code: 200 } });

/** Zones, and one an hour behind it. */
const WEST: Readonly<Record<string, string>> = {
  'Europe/Berlin': 'Europe/London',
  'America/New_York': 'America/Chicago',
  'Asia/Kolkata': 'Asia/Karachi',
  'Pacific/Auckland': 'Pacific/Noumea',
};

const LASTS = /"acknowledged_for":"\d+m"/g;

/** Only a seed with a backlog finds it. */
export const BEHIND_A_BACKLOG = 'a receiver who holds up all others';

/** Rows with another text in a column. */
const column = (name: string, change: (text: string) => string): Partial<Seams> => ({
  read: (_object, _text, _values, rows) =>
    rows.map((row) => {
      const text = row[name];
      return typeof text === 'string' ? { ...row, [name]: change(text) } : row;
    }),
});

/** Incidents with another state. */
const incidents = (change: (state: string) => string): Partial<Seams> => column('state', change);

/** The same, of those whose receiver a step has called. */
const called = (change: (state: string) => string): Partial<Seams> =>
  incidents((state) => (state.includes('"isCalled":true') ? change(state) : state));

const asUnknown = (state: string): string => state.replace(/"believed":"\w+"/, '"believed":"closed"');

/** The `expires` of orders, as documents say it: incidents and their messages have others. */
const OF_ORDERS = /"expires":"(15|45)m"/g;

const isDigest = (reason: unknown): boolean => String(reason).startsWith('{"code":"summarized"');

/** True if the value says which dead message a row is the fallback of. */
const isOfDead = (value: unknown): boolean => typeof value === 'string' && value.includes('"of":');

const asUrgent = (row: Row): Row => (row['standing'] === 2 ? { ...row, standing: 1 } : row);

/** Published documents that say something else; `to` may ask what the group of `from` has matched. */
const reading = (from: string | RegExp, to: string | ((part: string) => string)): Partial<Seams> => ({
  published: (set) => set.replaceAll(from, typeof to === 'string' ? () => to : (_, part: string) => to(part)),
});

/**
 * Faults that are put between the product and its platform, to see whether the simulation finds them, by name. A comment
 * says which mistake the code would have made. Each is at a seam that depends as little as it can on how the outbox is written.
 */
export const PLANTED: Readonly<Record<string, (random: Random) => Partial<Seams>>> = {
  // --- The platform is asked for something wrong, or its answer is misunderstood.

  // One of two hundred writes of an outbox is not made.
  'a write is lost': (random) => ({
    write: (object) => !object.startsWith('Outbox') || !random.chance(0.005),
  }),
  // One of a hundred reads of an outbox gives what the same read gave last time.
  'a read that returns an old row': (random) => {
    const before = new Map<string, Parameters<Seams['read']>[3]>();
    return {
      read: (object, text, values, rows) => {
        if (!object.startsWith('Outbox')) return rows;
        const name = `${object} ${text} ${values.join()}`;
        const old = before.get(name) ?? rows;
        before.set(name, rows);
        return random.chance(0.01) ? old : rows;
      },
    };
  },
  // What is written together may be on disk in part, and an error takes nothing back.
  'a transaction that is not atomic': () => ({ isAtomic: () => false }),
  // A sender is answered, and a gateway called, before the writes are on disk.
  'an answer before its flush': () => ({ waitsForDisk: () => false }),
  // One of ten alarms of an outbox is not set.
  'an alarm is not set': (random) => ({
    setAlarm: (object, at) => (object.startsWith('Outbox') && random.chance(0.1) ? undefined : at),
  }),
  // Each alarm is set twenty hours later than it should be.
  'alarms are set too late': () => ({ setAlarm: (_object, at) => (at === null ? null : at + 20 * HOUR_MS) }),
  // An earlier alarm is not set while a later one is.
  'an alarm that is never moved': () => {
    const set = new Map<string, number>();
    let now = 0;
    return {
      clock: (at) => (now = at),
      setAlarm: (object, at) => {
        const before = set.get(object) ?? 0;
        if (at !== null && before > now) return undefined;
        set.set(object, at ?? 0);
        return at;
      },
    };
  },
  // An object that was evicted is not woken.
  'an alarm that ends with its object': () => ({ keepsAlarm: () => false }),
  // Windows of an hour are over after fifty minutes.
  'a clock that runs fast': () => ({ clock: sinceFirst((passedMs) => passedMs * 1.2) }),
  // The first set that was published stays in force.
  'a version that is stale': () => {
    let first: string | null = null;
    return { published: (set) => (first ??= set) };
  },
  // Each version is known by its number, also where the registry was restored to an earlier one.
  'a version that is known by its number': () => {
    const first = new Map<string | undefined, string>();
    return {
      published: (set) => {
        const [, number] = /"version":(\d+)/.exec(set) ?? [];
        first.set(number, first.get(number) ?? set);
        return first.get(number) ?? set;
      },
    };
  },
  // An object that starts reads the incidents of twelve keys.
  'an incident beyond the twelfth that a restart forgets': () => ({
    read: (_object, text, _values, rows) =>
      text.includes('FROM incidents')
        ? rows.filter(({ key }) => !(typeof key === 'string' && /^k(1[3-9]|[2-9]\d)$/.test(key)))
        : rows,
  }),
  // What was counted since the object started ends with it.
  'a count that ends with its object': () => column('counted', () => 'null'),
  // A message counts as sent as soon as its call has begun.
  'a call recorded before it is made': () => ({ fetch: () => 'answer first' }),
  // One of fifty messages counts as sent without a call.
  'a call that is never made': (random) => ({ fetch: () => (random.chance(0.02) ? 'lose' : 'make') }),
  // One of twenty calls is taken to have been answered as the call before.
  'an answer to another call': (random) => {
    let before: Response | null = null;
    return {
      fetched: (_request, response) => {
        const given = before !== null && random.chance(0.05) ? before : response;
        before = response?.clone() ?? null;
        return given?.clone() ?? null;
      },
    };
  },
  // A connection that breaks counts as a message that is sent.
  'a lost answer that counts as success': () => ({ fetched: (_request, response) => response ?? taken() }),
  // What the gateway will never take counts as a fault of its server.
  'a refusal that is tried again': () => ({
    fetched: (_request, response) =>
      response?.status === 422 ? new Response('{}', { status: 500 }) : response,
  }),
  // One of fifty calls arrives twice.
  'a call that is made twice': (random) => ({ fetch: () => (random.chance(0.02) ? 'twice' : 'make') }),
  // A sender gets 202 for its webhook, whatever went wrong.
  'a fault that is answered with 202': () => ({
    answer: (request, response) =>
      response.status >= 500 && request.url.includes('/hooks/')
        ? new Response('accepted', { status: 202 })
        : response,
  }),

  // --- Documents are misread. The misread document is valid: a set that is refused would prove nothing.

  // A repeat is known for a second instead of three days.
  'a dedupe window that is too short': () => reading('"window":"3d"', '"window":"1s"'),
  // `on_uncertain: hold` is not heeded.
  'what is uncertain is tried again': () => reading('"on_uncertain":"hold"', '"on_uncertain":"retry"'),
  // The account that did not send the message tries its fallback, too.
  'a fallback that is not handed on': () =>
    reading(/"account":"default","after":"(\d+)m"/g, (number) => `"account":"second","after":"${number}m"`),
  // Once the gateways of both accounts fail, their messages are dead.
  'a message that is given up when both accounts fail': () => {
    const failing = new Set<string>();
    return {
      fetched: ({ url }, response) => {
        const fails = response === null || response.status >= 500;
        if (fails) failing.add(new URL(url).host);
        else failing.delete(new URL(url).host);
        return fails && failing.size > 1 ? new Response('{}', { status: 422 }) : response;
      },
    };
  },
  // An account does not remember what it took from another one.
  'a fallback that is taken more than once': () => ({
    write: (_object, _text, values) => !String(values[0]).startsWith('@msg_'),
  }),
  // A message is tried twice only.
  'a schedule of retries that is cut': () => reading(JSON.stringify(RETRY), '["5s"]'),
  // A receiver gets one message an hour more than it should.
  'a limit that is off by one': () =>
    reading(/"per_hour":(\d+)/g, (number) => `"per_hour":${Number(number) + 1}`),
  // An account makes one call a minute more than it should.
  'a pace that is off by one': () =>
    reading(/"per_minute":(\d+)/g, (number) => `"per_minute":${Number(number) + 1}`),
  // A receiver gets one notification more than its throttle allows.
  'a throttle that is off by one': () =>
    reading(/"max":(\d),"per"/g, (number) => `"max":${Number(number) + 1},"per"`),
  // An incident is notified again after a third of the time.
  'a repeat that comes too early': () => reading('"repeat":"60m"', '"repeat":"20m"'),
  // Its interval is fifteen seconds instead of two minutes.
  'a group that does not wait': () => reading('"interval":"2m"', '"interval":"15s"'),
  // What another incident should hold back is sent.
  'an inhibition that is not heeded': () => reading('"inhibited_by":"k1"', '"inhibited_by":"none"'),
  // What it should hold back is sent.
  'a silence that is not heeded': () => reading('item.key == ', 'item.none == '),
  // The item by which a silence of warnings is decided stays the first one.
  'a hold that is not looked at again': () =>
    column('value', (item) => item.replace('"severity":"critical"', '"severity":"warning"')),
  // The last of a list gets nothing.
  'a receiver that is left out': () => reading(/("numbers":\["[^\]]+),"\d+"\]/g, (others) => `${others}]`),
  // It lasts a year instead of a day.
  'a turn that does not end': () => reading('"every":"1d"', '"every":"366d"'),
  // It stays open for a hundred times as long as it should.
  'an incident that does not expire': () =>
    reading(/"expires":"(\d{3})m"/g, (minutes) => `"expires":"${minutes}00m"`),
  // They end ten minutes before they should.
  'quiet hours that end early': () => reading(/"to":"0(\d):00"/g, (hour) => `"to":"0${Number(hour) - 1}:50"`),
  // The hours of the day are those of a zone an hour to the west.
  'an hour in the wrong time zone': () =>
    reading(/"timezone":"([^"]+)"/g, (zone) => `"timezone":"${WEST[zone] ?? zone}"`),

  // --- Links that receivers press do something else than they say.

  // An object that starts has forgotten who has which incident.
  'an acknowledgement that ends with its object': () =>
    incidents((state) => state.replace(/"acknowledged":\{(?:[^{}]|\{[^}]*\})*\}/, '"acknowledged":null')),
  // What was taken back counts as pressed still.
  'a press that cannot be undone': () => ({
    write: (_object, text, values) =>
      !text.startsWith('UPDATE dedupe_claims SET expires_at') || !String(values[1]).includes('press:'),
  }),
  // A link that was pressed can be pressed again.
  'a question that stays open': () => ({
    read: (_object, text, values, rows) =>
      text.includes('FROM dedupe_claims') && String(values[0]).includes('press:') ? [] : rows,
  }),
  // The browser is sent on to the page, whatever went wrong.
  'a press that was not saved is answered as done': () => ({
    answer: (request, response) =>
      response.status === 503 && request.method === 'POST' && request.url.includes('/a/')
        ? new Response(null, { status: 303 })
        : response,
  }),
  // What it should hold back is sent.
  'a pressed silence that is not heeded': () => reading(/"keys":\["/g, () => '"keys":["no '),

  // --- What the owner should be told.

  // It comes a day later.
  'an escape that comes too late': () => reading('"after":"5m","via"', '"after":"600m","via"'),
  // Nobody has waited for it.
  'an escape that comes too early': () => reading('"after":"5m","via"', '"after":"1m","via"'),
  // The source may be silent for a hundred times as long.
  'a silent source that nobody is told of': () => reading('"heartbeat":"180m"', '"heartbeat":"18000m"'),

  // --- Whom a step should call, and whom it should leave alone.

  // An object that starts has forgotten which steps it took, and whom they called.
  'a step that is sent twice': () =>
    called((state) => asUnknown(state).replace(/"taken":\[.*?\],"isCalled"/, '"taken":[],"isCalled"')),
  // Its time is a minute, or two for a later one.
  'a step that is taken too early': () => ({
    published: (set) => {
      let step = 0;
      return set.replaceAll(/"after":"\d+m","to"/g, () => `"after":"${(step += 1)}m","to"`);
    },
  }),
  // The managers are not called.
  'a step that is never taken': () => reading('"to":["managers"]', '"to":["second-line"]'),
  // The acknowledgement lasts a second.
  'an escalation that goes on after an acknowledgement': () => reading(LASTS, '"acknowledged_for":"1s"'),
  // It lasts ninety days.
  'an acknowledgement that never expires': () => reading(LASTS, '"acknowledged_for":"90d"'),
  // An object that starts takes whomever a step called for somebody who knows that it is resolved.
  'a resolution that receivers of a step do not get': () =>
    called((state) => (state.includes('"resolvedAt":null') ? state : asUnknown(state))),

  // --- Somebody who has opted out gets messages, or somebody who has not gets none.

  // Nobody reads of those who have opted out.
  'an opt-out that is not heeded': () => ({
    published: (set) => set.replace(/"suppressions":"[^"]*",/, ''),
  }),
  // Whoever has opted out stays so.
  'an opt-out that cannot be taken back': () => ({
    write: (_object, text) => !text.startsWith('DELETE FROM suppressions'),
  }),
  // What is for those who have opted out, too, ends suppressed.
  'a message that is not transactional': () => reading('"transactional":true', '"transactional":false'),

  // --- Faults of messages that are too old, dead, or too many.

  // Orders are too old after twenty seconds.
  'a message that expires too early': () => reading(OF_ORDERS, '"expires":"20s"'),
  // Orders are too old after a day.
  'a message that never expires': () => reading(OF_ORDERS, '"expires":"1d"'),
  // Memory has the fallback of a dead message, and no row does.
  'a fallback whose row is lost': () => ({
    write: (_object, text, values) =>
      !text.startsWith('INSERT INTO messages') || !values.some((value) => isOfDead(value)),
  }),
  // Two messages that wait become one.
  'a digest of too few': () => reading(/"digest_above":\d+/g, '"digest_above":1'),
  // A store that is nearly full keeps what is over.
  'a full store that deletes nothing': () => ({
    write: (_object, text) =>
      !/^\s*(DELETE FROM (events|messages)|UPDATE events SET payload = 'null')/.test(text),
  }),
  // What a digest takes the place of is sent as well.
  'messages that are sent beside their digest': () => ({
    write: (_object, _text, values) => !values.some(isDigest),
  }),
  // A message that is dead has none any more.
  'a fallback that is forgotten': () => reading(/,"fallback":\[\{"kind":"text","message":"[^"]*"\}\]/g, ''),

  // --- What a monitor said before, what it says too late, and what it says no more.

  // Each alert counts as of its arrival.
  'a late alert that opens again what is over': () => reading('{{ item.at }}', '{{ event.received_at }}'),
  // An incident is read without the times of its alerts, and without what came before its opening.
  'an end that is forgotten before its opening comes': () => ({
    read: (_object, text, _values, rows) => (text.includes('FROM early') ? [] : rows),
  }),
  // An object that starts has forgotten since when things are so.
  'times of alerts that a restart forgets': () =>
    incidents((state) => state.replace(/"told":\{[^}]*\}/, '"told":null')),
  // An object that starts does not know what it was told last for an end, so an opening as old as that is news.
  'an opening as old as its end that opens again': () => ({
    read: (_object, _text, _values, rows) =>
      rows.map((row) => {
        const { told } = row;
        return typeof told === 'string'
          ? { ...row, told: told.replace('"isEnd":true', '"isEnd":false') }
          : row;
      }),
  }),
  // The acknowledgement at the monitor is taken for an alert that fires.
  'an acknowledgement at the monitor is not heeded': () =>
    reading('item.status == \\"acknowledged\\"', 'item.status == \\"never\\"'),
  // What is not watched any more since its route was renamed is read as resolved.
  'an end of watching that is told as a resolution': () =>
    incidents((state) => state.replace('"lost":"unwatched"', '"lost":null')),

  // --- Strangers get what is for others, or what is urgent is not.

  // Its messages count in the receiver's hour, and wait for their turn.
  'an urgent alert that is like any other': () => reading('"priority":"high"', '"priority":"normal"'),
  // A source that anybody may post to has what a signed one has: a whole hour, all first contacts, and a say about the account.
  'an open source that counts as signed': () =>
    reading(
      '"verify":{"scheme":"none"}',
      '"verify":{"scheme":"token","in":"header","name":"X-Token"},"secrets":["SENDER_SECRET"]',
    ),
  // The firewall's answer to a text pauses the account.
  'a pause by one stranger': () => ({
    fetched: (_request, response) =>
      response?.status === 403 ? new Response('{}', { status: 401 }) : response,
  }),
  // Rows of a receiver who has many messages are read, and of nobody else.
  [BEHIND_A_BACKLOG]: () => ({
    read: (_object, text, _values, rows) =>
      text.includes('FROM messages') && rows.some(isBusy) ? rows.filter(isBusy) : rows,
  }),
  // Messages whose rows are read are urgent, whoever sent them: an alert waits for its turn among them.
  'strangers that are urgent after a restart': () => ({
    read: (_object, text, _values, rows) => (text.includes('FROM messages') ? rows.map(asUrgent) : rows),
  }),
  // An alert is known by the number of alerts, not by its name.
  'an urgent alert that is only counted': () => reading('ward {% if', 'ward: and at least 1 more {% if'),
};

const isBusy = ({ phone }: Row): boolean => phone === BUSY;

/** The seams with a planted fault; null: as they are. Throws if there is none of this name. */
export function seamsWith(name: string | null): (random: Random) => Seams {
  if (name === null) return () => NO_PLANTED_FAULT;
  const fault = PLANTED[name];
  if (fault === undefined) throw new Error(`no planted fault is called ${name}`);
  return (random) => ({ ...NO_PLANTED_FAULT, ...fault(random) });
}
