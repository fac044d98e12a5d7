import { env, exports } from 'cloudflare:workers';
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { handlePress } from '../../src/ingest/press.ts';
import { SWEEP_START, sweepStep, type SweepPosition } from '../../src/outbox/housekeeping.ts';
import { envWith } from '../platform/env.ts';
import { eventually, hurry, message, skip } from './hurry.ts';
import { linksTo, look, open, pageOf, press, presses } from './links.ts';
import { outbox, take } from './posted.ts';
import {
  admin,
  callsTo,
  event,
  isSent,
  listOf,
  messageNow,
  postJson,
  publish,
  script,
  textsTo,
  UNPACED,
} from './relay.ts';
import { newPhone, open as source, text } from './sources.ts';

hurry();

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Of each test: receivers, and a name that its list, its incidents and what it asks have. */
let stage = { anna: '', ben: '', shop: '', name: '' };

const YES = '{{ actions.approve.url }}';
const ask = (actions: object, words: string) => ({
  name: 'ask',
  when: 'event.type == blank',
  to: [stage.name],
  actions,
  send: text(words),
});
/** Asks for two answers, which another route tells the shop. */
const asking = () =>
  ask(
    { approve: { label: 'Yes, {{ payload.what }}' }, decline: { label: 'No', expires: '2d' } },
    `May we {{ payload.what }}?\n\nYes: ${YES}\nNo: {{ actions.decline.url }}`,
  );
const answers = () => [
  {
    name: 'approved',
    when: 'event.type == "action.approve"',
    to: stage.shop,
    send: text('{{ payload.by.name }}: {{ payload.label }} {{ payload.payload.id }}'),
  },
  {
    name: 'undone',
    when: 'event.type == "action.approve.undone"',
    to: stage.shop,
    send: text('undone {{ payload.payload.id }}'),
  },
];
const alerts = (actions: object = { ack: {} }) => ({
  name: stage.name,
  to: [stage.name],
  incident: { key: '{{ payload.name }}', resolved: 'payload.status == "resolved"', repeat: '2s' },
  actions,
  send: text(
    '{% if resolved_at %}ended {{ item.name }}{% else %}{{ item.name }} {{ actions.ack.url }}{% endif %}',
  ),
});

const setOf = (over: { readonly asks?: object; readonly alerts?: object } = {}) => {
  const routes = [over.asks ?? asking(), ...answers()];
  const english = { locale: 'en-GB' };
  return {
    accounts: { default: UNPACED, sales: UNPACED },
    recipients: { [stage.name]: { people: { Anna: stage.anna, Ben: { phone: stage.ben } } } },
    sources: {
      shop: source(routes, english),
      sales: source(routes, { ...english, account: 'sales' }),
      german: source(routes, { locale: '{{ payload.locale }}' }),
      bare: source(routes, { store: 'metadata' }),
      alerts: source([over.alerts ?? alerts()], english),
    },
  };
};

beforeEach(async () => {
  stage = { anna: newPhone(), ben: newPhone(), shop: newPhone(), name: '' };
  stage = { ...stage, name: `team-${stage.anna}` };
  await publish(setOf());
});
afterEach(() => vi.spyOn(console, 'error').mockRestore());

/** Asks a question of its own; returns the links of its receivers. */
async function question(from = 'shop', payload: object = {}) {
  const asked = await take(from, { id: stage.name, what: 'ship it', ...payload });
  for (const one of asked.messages) await message(one, isSent);
  const [anna, annaNo = ''] = await linksTo(stage.anna);
  const [ben, benNo = ''] = await linksTo(stage.ben);
  return { ...asked, anna, annaNo, ben, benNo };
}
const linkTo = async (phone: string): Promise<string> => (await eventually(() => linksTo(phone)))[0];
const of = (from = 'shop') => presses(from, stage.name);
const types = async () => (await of()).map(({ type }) => type);
const hears = (phone: string, words: string): Promise<void> =>
  eventually(async () => expect(await textsTo(phone)).toContain(words));
const restart = (account?: string): Promise<void> => evictDurableObject(outbox(account));

describe('a message with actions', () => {
  it('has links of its receiver’s own, which the API does not show', async () => {
    const { anna, ben, benNo, messages } = await question();
    for (const link of [anna, ben, benNo]) expect(link).toMatch(/example\.com\/a\/[0-9a-z]{24}$/);
    expect(new Set([anna, ben, benNo]).size).toBe(3);
    const shown = await messageNow(messages[0] ?? '');
    const hidden = 'https://relay.example.com/a/…';
    expect(shown.params['message']).toBe(`May we ship it?\n\nYes: ${hidden}\nNo: ${hidden}`);
    expect(JSON.stringify(shown)).not.toContain(new URL(anna).pathname);
  });

  it('shows on its page what it said, and nothing else of the event; to look at it has no effect', async () => {
    const { anna } = await question('shop', { what: 'call <b>Bob</b>', secret: 'nobody-reads-this' });
    for (const method of ['GET', 'HEAD'])
      expect((await open(anna, method, { 'user-agent': 'WhatsApp/2' })).status).toBe(200);
    expect((await open(anna, 'PUT')).status).toBe(405);
    const response = await open(anna);
    const html = await response.text();
    expect(html).toContain('May we call &lt;b&gt;Bob&lt;/b&gt;?');
    expect(html).toContain('>Yes, call &lt;b&gt;Bob&lt;/b&gt;</button>');
    expect(html).not.toMatch(/nobody-reads-this|\/a\//);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringMatching(
        /default-src 'none'.*form-action 'self'; frame-ancestors 'none'/,
      ) as unknown,
    });
    expect(await of()).toEqual([]);
  });

  it('is pressed once: the press is an event that a route answers, with who, what and the original', async () => {
    const { anna, ben, benNo, event: id, messages } = await question();
    const { html } = await press(anna);
    expect(html).toMatch(/<h1>Done<\/h1>.*You pressed “Yes, ship it” on \d+ \w+ \d{4}/s);
    const [pressed] = await of();
    expect(pressed).toMatchObject({
      type: 'action.approve',
      state: 'routed',
      payload: {
        action: 'approve',
        label: 'Yes, ship it',
        route: 'ask',
        by: { phone: stage.anna, name: 'Anna' },
        message: messages[0],
        event: { id, source: 'shop', type: null },
        payload: { id: stage.name },
      },
    });
    // It is not answered by the routes that were written for webhooks.
    expect(pressed?.messages.map(({ phone }) => phone)).toEqual([stage.shop]);
    await hears(stage.shop, `Anna: Yes, ship it ${stage.name}`);
    // Every receiver and every action says who pressed what.
    for (const link of [anna, ben, benNo]) await press(link);
    expect(await of()).toHaveLength(1);
    for (const link of [ben, benNo]) {
      const page = await pageOf(link);
      expect(page).toContain('Anna pressed “Yes, ship it” on ');
      expect(page).not.toContain('<button');
    }
    const { status, body } = await admin<{ messages: string[] }>('POST', `/events/${pressed?.id}/replay`);
    expect(status).toBe(202);
    const replayed = await message(body.messages[0] ?? '', isSent);
    expect(replayed.params['message']).toBe(`Anna: Yes, ship it ${stage.name}`);
  });

  it('is answered by one of two who press at once', async () => {
    const { anna, benNo } = await question();
    await Promise.all([press(anna), press(benNo), press(anna), press(benNo)]);
    expect(await of()).toHaveLength(1);
    const pages = [await pageOf(anna), await pageOf(benNo)];
    for (const said of ['You pressed', 'Answered already'])
      expect(pages.filter((html) => html.includes(said))).toHaveLength(1);
  });

  it('works after its object was restarted, and while it is', async () => {
    const { anna } = await question();
    await restart();
    expect((await look(anna)).status).toBe(200);
    await Promise.all([press(anna), restart(), press(anna)]);
    expect(await of()).toHaveLength(1);
    expect(await pageOf(anna)).toContain('You pressed');
    await Promise.all([press(`${anna}?undo`), restart(), press(`${anna}?undo`)]);
    await press(`${anna}?undo`);
    expect(await types()).toEqual(['action.approve', 'action.approve.undone']);
  });

  it('can be undone for a minute by the one who pressed: the question is open again, and routes hear of it', async () => {
    const { anna, ben } = await question();
    await press(anna);
    expect(await pageOf(anna)).toContain('action="?undo"');
    expect(await pageOf(ben)).not.toContain('?undo');
    await press(`${ben}?undo`);
    expect(await types()).toEqual(['action.approve']);
    for (let times = 0; times < 2; times += 1) await press(`${anna}?undo`);
    expect(await types()).toEqual(['action.approve', 'action.approve.undone']);
    await hears(stage.shop, `undone ${stage.name}`);
    await press(ben);
    await skip(MINUTE);
    expect((await press(`${ben}?undo`)).html).toContain('You pressed “Yes, ship it”');
    const by = (await of()).map(({ payload }) => payload);
    expect(by).toMatchObject([{ by: { name: 'Anna' } }, { by: { name: 'Anna' } }, { by: { name: 'Ben' } }]);
  });

  it('can be undone once by a link, and is pressed ten times an hour: then the page says when it can be again', async () => {
    const { anna, benNo } = await question('german', { locale: 'de_AT' });
    for (const query of ['', '?undo', '', '?undo']) await press(anna + query);
    const undone = ['action.approve', 'action.approve.undone', 'action.approve'];
    expect((await of('german')).map(({ type }) => type)).toEqual(undone);
    expect(await pageOf(anna)).not.toContain('?undo');
    for (let n = 0; n < 6; n += 1) expect((await open(anna, 'POST')).status).toBe(303);
    await restart();
    const busy = await open(anna, 'POST');
    expect(await busy.text()).toMatch(/<h1>Zu oft gedrückt<.*Sie können hier ab \d+\.\S+ \d+:\d+/s);
    const seconds = Number(busy.headers.get('retry-after'));
    expect([busy.status, seconds > 3_500 && seconds <= 3_600]).toEqual([429, true]);
    expect([(await look(anna)).status, (await press(benNo)).status]).toEqual([200, 200]);
    await skip(seconds * 1_000);
    expect((await press(anna)).status).toBe(200);
  });

  it('has on its page what a payload says, also if it looks like a link', async () => {
    const iban = 'DE12 https://x.example/a/… https://relay.example.com/a/0123456789abcdefghjkmnpq';
    // The first link that the phone shows is the payload's.
    const { annaNo: link } = await question('shop', { what: `pay 5 EUR to ${iban}` });
    expect(await pageOf(link)).toMatch(`<blockquote>May we pay 5 EUR to ${iban}?</blockquote>`);
  });

  it('keeps of a source without payloads only who pressed what, and speaks the language of its source', async () => {
    const { anna, event: id } = await question('bare');
    const html = await pageOf(anna);
    expect(html).toContain('The text of the message is not kept.');
    expect(html).toContain('>approve</button>');
    expect((await press(anna)).html).toContain('You pressed “approve”');
    expect(await event(id)).toMatchObject({ payload: null });
    const { anna: german } = await question('german', { locale: 'de' });
    expect(await pageOf(german)).toMatch(/<html lang="de">.*<h1>Von german<\/h1>/s);
    expect((await press(german)).html).toContain('Sie haben am');
  });
});

const at = (path: string) => `https://relay.example.com${path}`;
const guess = (from: string) => open(at('/a/0123456789abcdefghjkmnpq'), 'GET', { 'cf-connecting-ip': from });

describe('a link that does not work', () => {
  it('has a page of its own in the language of the browser, whatever is wrong with it', async () => {
    for (const [path, title] of [
      ['/a/0123456789abcdefghjkmnpq', 'This link does not work'],
      ['/a/hello%20world', 'This link does not work'],
      [`/a/${'0'.repeat(500)}`, 'This link does not work'],
      ['/a/0123456789abcdef', 'This link is not complete'],
    ] as const) {
      const headers = { 'cf-connecting-ip': `192.0.2.${path.length % 250}` };
      for (const method of ['GET', 'POST']) {
        const response = await open(at(path), method, headers);
        expect([response.status, await response.text()]).toEqual([404, expect.stringContaining(title)]);
      }
      const german = await open(at(path), 'GET', { ...headers, 'accept-language': 'de-DE,de;q=0.9' });
      expect(await german.text()).toContain('<html lang="de">');
    }
  });

  it('is one that is cut off anywhere, differs in a digit or is made of two; in capitals it is the same', async () => {
    const { anna, ben } = await question();
    const theirs = (await question('sales')).anna;
    const start = anna.lastIndexOf('/') + 1;
    const other = anna.slice(0, -1) + (anna.endsWith('0') ? '1' : '0');
    const ofTwo = anna.slice(0, -7) + ben.slice(-7);
    // With the beginning of another account’s.
    const foreign = anna.slice(0, start) + theirs.slice(start, start + 2) + anna.slice(start + 2);
    expect(foreign).not.toBe(anna);
    for (const link of [other, ofTwo, foreign]) expect((await press(link)).status).toBe(404);
    for (const length of [23, 22, 12, 2, 1]) {
      const cut = await press(anna.slice(0, start + length));
      expect([length, cut.status, cut.html]).toEqual([length, 404, expect.stringContaining('not complete')]);
    }
    expect(await of()).toEqual([]);
    const { origin, pathname } = new URL(anna);
    const token = pathname.replace('/a/', '').toUpperCase();
    for (const link of [`${origin}/a/${token}`, `${origin}/A/${token}`])
      expect((await press(link)).html).toContain('You pressed “Yes, ship it” on ');
    expect([(await of()).length, (await of('sales')).length]).toEqual([1, 0]);
  });

  it('was guessed: after ten in a minute its address has to wait, and nobody else', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await guess('198.51.100.99')).status);
    expect(statuses).toEqual([...Array<number>(10).fill(404), 429]);
    expect(Number((await guess('198.51.100.99')).headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await guess('198.51.100.98')).status).toBe(404);
    // Who has a link gets no page of others’ guesses, and a network of IPv6 is one address.
    const { anna } = await question();
    expect((await open(anna, 'GET', { 'cf-connecting-ip': '198.51.100.99' })).status).toBe(200);
    for (let n = 0; n < 10; n += 1) await guess(`2001:db8::${n}`);
    expect((await guess('2001:db8::1:2:3:4')).status).toBe(429);
  });

  it('says that its action is not asked for any more, until it is again', async () => {
    const { anna, benNo } = await question();
    await publish(setOf({ asks: ask({ approve: { label: 'Yes, {{ payload.what }}' } }, YES) }));
    const gone = [410, expect.stringContaining('This link is no longer in use')];
    const { status, html } = await press(benNo);
    expect([status, html]).toEqual(gone);
    expect((await look(anna)).status).toBe(200);
    const { shop: _, ...others } = setOf().sources;
    await publish({ ...setOf(), sources: others });
    expect((await look(anna)).status).toBe(410);
    await publish(setOf());
    await press(anna);
    expect(await of()).toHaveLength(1);
  });
});

describe('a link that expired', () => {
  it('does nothing when it is pressed, and says until when it could be; seven days where its action says nothing', async () => {
    const { anna, annaNo } = await question();
    await skip(2 * DAY + MINUTE);
    const { status, html } = await press(annaNo);
    expect([status, html]).toEqual([410, expect.stringContaining('<h1>Too late</h1>')]);
    expect(html).toMatch(/This link worked until \d+ \w+ \d{4}, \d+:\d\d/);
    expect(html).not.toContain('<button');
    await skip(5 * DAY - 2 * MINUTE);
    expect(await look(anna)).toMatchObject({ status: 200 });
    await skip(2 * MINUTE);
    expect(await look(anna)).toMatchObject({ status: 410 });
    expect(await of()).toEqual([]);
  });
});

const lost = (): Promise<never> => Promise.reject(new Error('the outbox is out of reach'));
type Faults = Readonly<Record<string, ('before' | 'after')[]>>;

/** The bindings of the tests, with an outbox whose calls go wrong: each call of these names takes the next of its faults. */
const failing = (faults: Faults): Env =>
  envWith({
    OUTBOX: {
      getByName: (name: string) =>
        new Proxy(env.OUTBOX.getByName(name), {
          get:
            (stub, call): unknown =>
            async (...given: unknown[]): Promise<unknown> => {
              const fault = faults[String(call)]?.shift();
              if (fault === 'before') return lost();
              // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the calls of an outbox
              const work = Reflect.get(stub, call) as (...all: unknown[]) => Promise<unknown>;
              const done = await Reflect.apply(work, stub, given);
              return fault === 'after' ? lost() : done;
            },
        }),
    },
  });
const askFailing = async (link: string, method: string, faults: Faults) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const [token = ''] = new URL(link).pathname.split('/').slice(-1);
  const response = await handlePress(new Request(link, { method }), token, failing(faults));
  return { status: response.status, html: await response.text() };
};

describe('a link while the object of its account cannot be asked', () => {
  it('is read again at once, and the press is taken', async () => {
    const { anna } = await question();
    expect(await askFailing(anna, 'POST', { readLink: ['before'] })).toMatchObject({ status: 303 });
    expect(await of()).toHaveLength(1);
    // It may have been pressed before, so it does not say that nothing was done.
    const { status, html } = await askFailing(anna, 'GET', { readLink: ['before', 'before'] });
    expect([status, html]).toEqual([503, expect.stringContaining('<h1>Cannot be shown right now</h1>')]);
    expect(html).not.toContain('Not saved');
  });

  it('that is pressed in vain asks for another press', async () => {
    const { anna } = await question();
    const { status, html } = await askFailing(anna, 'POST', { accept: ['before', 'before'] });
    expect([status, html]).toEqual([503, expect.stringContaining('<h1>Not saved</h1>')]);
    expect((await press(anna)).html).toContain('<h1>Done</h1>');
  });
});

describe('an undo that breaks off half-way', () => {
  const BOTH = ['action.approve', 'action.approve.undone'];

  it('is finished at once when the answer of the outbox is lost', async () => {
    const { anna } = await question();
    await press(anna);
    expect(await askFailing(`${anna}?undo`, 'POST', { takeBack: ['after'] })).toMatchObject({ status: 303 });
    expect(await types()).toEqual(BOTH);
    expect(await pageOf(anna)).toContain('>Yes, ship it</button>');
  });

  it('is finished by a second one, however late, which is heard of once', async () => {
    const { anna } = await question();
    await press(anna);
    expect(await askFailing(`${anna}?undo`, 'POST', { accept: ['before', 'before'] })).toMatchObject({
      status: 503,
    });
    expect(await types()).toEqual(['action.approve']);
    await skip(5 * MINUTE);
    for (let times = 0; times < 2; times += 1) await press(`${anna}?undo`);
    expect(await types()).toEqual(BOTH);
  });
});

it('a link whose press was deleted to make room says that somebody pressed it, and when', async () => {
  // Nothing is sent about this press, and the question still waits for one of its receivers.
  await publish(
    setOf({ asks: ask({ later: { label: 'Yes' } }, '{{ payload.id }} {{ actions.later.url }}') }),
  );
  await script(stage.ben, { failure: 'cut', times: 100 });
  await postJson('shop', { id: stage.name });
  const link = await linkTo(stage.anna);
  await press(link);
  await runInDurableObject(outbox(), (_, { storage: { sql } }) => {
    let from: SweepPosition | null = SWEEP_START;
    while (from !== null) from = sweepStep({ sql, now: Date.now(), before: null, flight: [] }, from);
  });
  const { status, html } = await look(link);
  expect([status, html]).toEqual([200, expect.stringContaining('Somebody pressed “Yes” on ')]);
  expect(html).not.toContain('<button');
  await script(stage.ben);
});

interface IncidentJson {
  readonly state: string;
  readonly acknowledged_by?: string;
}

const incidents = () => listOf<IncidentJson>(`/incidents?source=alerts&route=${stage.name}`);

const alert = (status: string) => postJson('alerts', { name: `${stage.name}-disk`, status });

describe('a press on an incident', () => {
  it('while its object restarts is taken once, and the others hear who has it', async () => {
    await alert('firing');
    const [anna, ben] = [await linkTo(stage.anna), await linkTo(stage.ben)];
    await Promise.all([press(anna), restart(), press(anna), press(ben)]);
    expect(await of('alerts')).toHaveLength(1);
    const [incident] = await incidents();
    expect(incident?.state).toBe('acknowledged');
    const who = incident?.acknowledged_by ?? '';
    expect(['Anna', 'Ben']).toContain(who);
    await hears(who === 'Anna' ? stage.ben : stage.anna, `${who} has it: ${stage.name}-disk`);
  });

  it('that resolves at the same moment leaves it resolved, and the end reaches both', async () => {
    await alert('firing');
    const link = await linkTo(stage.anna);
    await linkTo(stage.ben);
    await Promise.all([press(link), alert('resolved'), press(link)]);
    for (const phone of [stage.anna, stage.ben]) await hears(phone, `ended ${stage.name}-disk`);
    expect(await incidents()).toMatchObject([{ state: 'resolved' }]);
    expect((await of('alerts')).length).toBeLessThanOrEqual(1);
    expect(await pageOf(link)).not.toContain('>I have it</button>');
  });

  it('that was looked at before it resolved does nothing, and nobody hears that somebody has it', async () => {
    await alert('firing');
    const link = await linkTo(stage.anna);
    await linkTo(stage.ben);
    expect(await pageOf(link)).toContain('>I have it</button>');
    await alert('resolved');
    expect((await press(link)).html).toMatch(/<h1>Resolved<\/h1>.*This was resolved on /s);
    await hears(stage.ben, `ended ${stage.name}-disk`);
    expect(await textsTo(stage.ben)).not.toContainEqual(expect.stringContaining('has it'));
    expect(await of('alerts')).toEqual([]);
  });

  it('acknowledges nothing while its action is removed, or once its link has expired', async () => {
    await publish(setOf({ alerts: alerts({ ack: { expires: '1h' } }) }));
    await alert('firing');
    const link = await linkTo(stage.anna);
    const { actions: _, ...without } = alerts();
    await publish(setOf({ alerts: { ...without, send: text('x') } }));
    const { status, html } = await press(link);
    expect([status, html]).toEqual([410, expect.stringContaining('This link is no longer in use')]);
    await publish(setOf({ alerts: alerts({ ack: { expires: '1h' } }) }));
    await skip(61 * MINUTE);
    expect(await press(link)).toMatchObject({ status: 410 });
    expect(await incidents()).toMatchObject([{ state: 'open' }]);
    await press(await linkTo(stage.anna));
    expect(await incidents()).toMatchObject([{ state: 'acknowledged', acknowledged_by: 'Anna' }]);
  });
});

it('a message with links costs no row more than one without', async () => {
  await question();
  const written: number[] = [];
  await runInDurableObject(outbox(), (_, { storage: { sql } }) => {
    const exec = sql.exec.bind(sql);
    sql.exec = <Row extends Record<string, SqlStorageValue>>(query: string, ...values: unknown[]) => {
      const cursor = exec<Row>(query, ...values);
      if (/\b(messages|events|meta|links)\b/.test(query)) written.push(cursor.rowsWritten);
      return cursor;
    };
  });
  const rowsOf = async () => {
    written.length = 0;
    const { messages } = await take('shop', { id: stage.name, what: 'ship it' });
    for (const id of messages) await message(id, isSent);
    return written.reduce((sum, rows) => sum + rows, 0);
  };
  const withLinks = await rowsOf();
  await publish(setOf({ asks: ask({}, 'no links') }));
  await rowsOf(); // The first event after a change of routes writes that they make something.
  expect(withLinks).toBe(await rowsOf());
});

const ofShop = (body: object) =>
  admin<{ messages: { params: Record<string, string> }[]; summary: object }>(
    'POST',
    '/sources/shop/preview',
    body,
  );

describe('a preview', () => {
  it('shows the links, and of past events counts a link of one’s own as no change', async () => {
    const { messages } = (await ofShop({ payload: { what: 'ship it' } })).body;
    expect(messages[0]?.params['message']).toBe(
      'May we ship it?\n\nYes: https://…/a/approve\nNo: https://…/a/decline',
    );
    expect(messages[0]).not.toHaveProperty('links');
    await question();
    expect((await ofShop({ last: 1 })).body.summary).toMatchObject({ events: 1, same: 1 });
  });
});

/** The address of the links of a question that is asked now. */
const addressNow = async () => new URL((await question()).anna).origin;

const publishAt = (address: string, set: object, query = '', token = 'admin-token-of-the-tests') =>
  exports.default.fetch(`${address}/admin/api/v1/config${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(set),
  });

const setAddress = async (address: unknown): Promise<void> => {
  if (address === undefined) Reflect.deleteProperty(env, 'PUBLIC_URL');
  else Reflect.set(env, 'PUBLIC_URL', address);
  for (const stub of [outbox(), outbox('sales'), env.REGISTRY.getByName('registry')]) {
    // Only what runs can be evicted.
    await runInDurableObject(stub, () => undefined);
    await evictDurableObject(stub);
  }
};

describe('the address of links', () => {
  const before: unknown = Reflect.get(env, 'PUBLIC_URL');
  afterEach(() => setAddress(before));

  it('changes when a relay moves: it takes the links that it sent before at both', async () => {
    const { anna: old } = await question();
    await setAddress('https://hooks.example.net/relay');
    expect(await pageOf(old)).toContain('>Yes, ship it</button>');
    expect((await press(old.replace('relay.example.com', 'hooks.example.net'))).html).toContain('Done');
    expect(await pageOf(old)).toContain('<h1>Done</h1>');
    expect(await of()).toHaveLength(1);
    expect((await question()).anna).toMatch(/^https:\/\/hooks\.example\.net\/relay\/a\/[0-9a-z]{24}$/);
  });

  describe('of a relay without PUBLIC_URL', () => {
    beforeAll(() => setAddress(undefined));
    beforeEach(() => setAddress(undefined));

    it('is the one of the last publish or rollback, and not one that somebody else chooses', async () => {
      await publish(setOf());
      expect(await addressNow()).toBe('https://relay.example');
      const host = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
      const body = JSON.stringify({ id: stage.name, what: 'ship it' });
      const headers = { ...host, 'content-type': 'application/json' };
      const hook = new Request('https://evil.example/hooks/shop', { method: 'POST', headers, body });
      expect((await exports.default.fetch(hook)).status).toBe(202);
      await eventually(async () => expect(await callsTo(stage.anna)).toHaveLength(2));
      expect(await linkTo(stage.anna)).toMatch(/^https:\/\/relay\.example\/a\//);
      const evil = 'https://evil.example';
      expect((await publishAt(evil, setOf(), '', 'of-nobody')).status).toBe(401);
      expect((await publishAt(evil, { sources: { shop: {} } })).status).toBe(422);
      expect((await publishAt(evil, setOf(), '?dry_run=true')).status).toBe(200);
      expect(await addressNow()).toBe('https://relay.example');

      const other = 'https://other.example';
      expect((await publishAt(other, setOf())).status).toBe(200);
      expect(await addressNow()).toBe(other);
      // One on this machine does not take its place.
      const local = await publishAt('http://localhost:8787', setOf());
      expect([local.status, await local.text()]).toEqual([200, expect.not.stringContaining('localhost')]);
      expect(await addressNow()).toBe(other);
      const [, earlier] = await listOf<{ version: number }>('/config/versions');
      const activated = await admin('POST', `/config/versions/${earlier?.version}/activate`);
      expect(activated.status).toBe(200);
      expect(await addressNow()).toBe('https://relay.example');
    });
  });
});
