import { exports } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { after, textsAt } from '../integration/alert-stage.ts';
import { admin, forgetCalls, post, postJson, publish, UNPACED } from '../integration/relay.ts';
import { answersSecret } from './answers-secrets.ts';
import { fences, pageOf } from './pages.ts';
import { setOf } from './set-of.ts';

/** Those whom the documents of the page name first and second, and a guest. */
const [FIRST, SECOND, GUEST] = ['4915112345678', '4915187654321', '4915112397001'] as const;
/** The receiver who is notified of an alert that nobody acknowledges. */
const THIRD = '4915187654399';
const MINUTE = 60_000;

/** The documents of the page, by the name of the first one's file. */
const DOCUMENTS = new Map(
  fences(pageOf('answers.md'), 'yaml').map(({ code }) => [
    /^# sources\/([\w-]+)\.yaml/.exec(code)?.[1],
    code,
  ]),
);

async function paste(name: string): Promise<void> {
  const code = DOCUMENTS.get(name);
  if (code === undefined) throw new Error(`docs/answers.md has no document of sources/${name}.yaml`);
  const set = setOf(code);
  await publish({ ...set, accounts: { default: UNPACED } });
}

beforeEach(() => forgetCalls());
afterEach(() => void vi.restoreAllMocks());

const hears = (phone: string, text: string): Promise<void> =>
  eventually(async () => expect((await textsAt(phone)).map((one) => one.trim())).toContain(text));

/** The links of the newest message that has some, in their order. */
async function linksTo(phone: string, count: number): Promise<readonly string[]> {
  let found: readonly string[] = [];
  await eventually(async () => {
    const text = (await textsAt(phone)).findLast((one) => one.includes('/a/')) ?? '';
    found = [...text.matchAll(/https:\/\/relay\.example\.com\/a\/[0-9a-z]{24}/g)].map(([link]) => link);
    expect(found).toHaveLength(count);
  });
  return found;
}

/** Presses, and returns the page that a browser shows then. */
async function press(link = ''): Promise<string> {
  const pressed = await exports.default.fetch(link, { method: 'POST', redirect: 'manual' });
  expect(pressed.status).toBe(303);
  return (await exports.default.fetch(new URL(pressed.headers.get('location') ?? '', link).href)).text();
}

const bearer = (name: Parameters<typeof answersSecret>[0]) => ({
  authorization: `Bearer ${answersSecret(name)}`,
});
const accepted = async (answer: Promise<Response>): Promise<void> =>
  expect([(await answer).status, await (await answer).text()]).toEqual([202, expect.any(String)]);

/** The time of a booking, as the page prints it. */
const AT = '2026-12-03T15:00:00+01:00';

const alertOf = (alert: object) => ({ alerts: [alert] });
const alert = (status: string) => {
  const disk = { status, fingerprint: 'docs-disk', annotations: { summary: 'Disk full' } };
  return postJson('alerts', alertOf(disk), bearer('ALERTMANAGER_TOKEN'));
};
const nightAlert = (status: string, fingerprint = 'docs-night') =>
  postJson(
    'night',
    alertOf({ status, fingerprint, labels: { alertname: 'Queue' } }),
    bearer('GRAFANA_TOKEN'),
  );

const askForBooking = async (guest: string) => {
  await accepted(postJson('bookings', { name: 'Ada', phone: `+${guest}`, at: AT }, bearer('BOOKINGS_TOKEN')));
  return linksTo(FIRST, 2);
};

const refund = (amount: number, order: number) =>
  accepted(
    postJson(`refunds/${answersSecret('REFUNDS_TOKEN')}`, { amount, order, reason: 'It came broken' }),
  );

it('the documents of docs/answers.md are those that are tried here', () => {
  const names = ['orders', 'alerts', 'news', 'bookings', 'refunds', 'contact', 'night'];
  expect([...DOCUMENTS.keys()]).toEqual(names);
});

it('a question is answered by one of two, and both read by whom', async () => {
  await paste('orders');
  await accepted(postJson(`orders/${answersSecret('ORDERS_TOKEN')}`, { amount: 20, customer: 'Ada' }));
  const [approve] = await linksTo(FIRST, 2);
  const [, decline] = await linksTo(SECOND, 2);
  expect(await press(approve)).toContain('<h1>Done</h1>');
  expect(await press(decline)).toContain('Anna pressed “Approve” on ');
  for (const phone of [FIRST, SECOND]) await hears(phone, 'Anna: Approve (Ada)');
});

it('an alert that nobody acknowledges reaches a third after a quarter of an hour, who can', async () => {
  await paste('alerts');
  await accepted(alert('firing'));
  await linksTo(SECOND, 1);
  await after(14 * MINUTE);
  expect(await textsAt(THIRD)).toEqual([]);
  await after(2 * MINUTE);
  const [ack] = await linksTo(THIRD, 1);
  expect((await textsAt(THIRD))[0]).toMatch(/^🔥 Disk full.*Not acknowledged since .*Notified: Anna .*Ben /s);
  expect(await press(ack)).toContain('You pressed “I have it” on ');
  for (const phone of [FIRST, SECOND])
    await eventually(async () => expect((await textsAt(phone)).at(-1)).toMatch(/ has it: Disk full$/));
  await accepted(alert('resolved'));
  for (const phone of [FIRST, SECOND, THIRD]) await hears(phone, '✅ Disk full');
});

it('an offer is the last one for who presses stop, and orders are confirmed all the same', async () => {
  await paste('news');
  const path = `news/${answersSecret('NEWS_TOKEN')}`;
  await accepted(postJson(path, { type: 'offer', phone: `+${GUEST}`, text: 'Two for one' }));
  const [link] = await linksTo(GUEST, 1);
  expect(await press(link)).toContain('<h1>No more messages</h1>');
  await accepted(postJson(path, { type: 'offer', phone: `+${GUEST}`, text: 'Three for one' }));
  await accepted(postJson(path, { type: 'order', phone: `+${GUEST}`, id: 'A1' }));
  await hears(GUEST, 'Your order A1 is on its way.');
  expect(await textsAt(GUEST)).toHaveLength(2);
  await admin('DELETE', `/suppressions/${GUEST}`);
});

it('a booking that was declined by mistake, and confirmed then, is one message to the guest, a minute later, and so is one that stays declined', async () => {
  await paste('bookings');
  const [confirm, decline] = await askForBooking(GUEST);
  await press(decline);
  expect(await press(`${decline}?undo`)).toContain('>Decline</button>');
  await press(confirm);
  expect(await textsAt(GUEST)).toEqual([]);
  await after(2 * MINUTE);
  await hears(GUEST, 'See you on 3 Dec 2026, 15:00, Ada!');
  expect(await textsAt(GUEST)).toHaveLength(1);
  const guest = '4915112397003';
  const [, no] = await askForBooking(guest);
  await press(no);
  await after(MINUTE);
  await hears(guest, 'Ada, we are full on 3 Dec 2026, 15:00. Please choose another time.');
});

it('a small refund asks nobody; a large one reaches accounting once the owner has approved or refused it', async () => {
  await paste('refunds');
  await refund(3_000, 1041);
  await hears(SECOND, 'Refund €30.00 of order 1041');
  expect(await textsAt(FIRST)).toEqual([]);
  await refund(24_000, 1042);
  const [approve = ''] = await linksTo(FIRST, 2);
  expect(await (await exports.default.fetch(approve)).text()).toContain('>Refund €240.00</button>');
  expect(await textsAt(SECOND)).toHaveLength(1);
  await press(approve);
  await after(MINUTE);
  await hears(SECOND, 'Refund €240.00 of order 1042, says Anna');
  await forgetCalls();
  await refund(25_000, 1043);
  const [, refuse] = await linksTo(FIRST, 2);
  await press(refuse);
  await after(MINUTE);
  await hears(SECOND, 'Do not refund €250.00 of order 1043, says Anna');
});

it('a contact form is answered by who calls: the visitor hears that, and the team who it is', async () => {
  await paste('contact');
  const phone = '4915112397004';
  const form = { name: 'Ada', phone: `+${phone}`, message: 'Do you deliver to Berlin?' };
  const page = { origin: 'https://www.example.com', 'content-type': 'application/json' };
  expect((await post('contact', JSON.stringify(form), page)).ok).toBe(true);
  const [call] = await linksTo(SECOND, 1);
  expect(await press(call)).toContain('You pressed “I&#39;ll call” on ');
  for (const one of [FIRST, SECOND]) await hears(one, 'Ben will call Ada');
  await after(MINUTE);
  await hears(phone, 'Thank you for your message. One of us will call you today.');
});

type SilenceJson = Readonly<Record<'by' | 'until' | 'state', string>>;
const firstSilence = async () => (await admin<{ items: SilenceJson[] }>('GET', '/silences')).body.items[0];

it('a silence until the morning keeps the alert from everybody when it comes again, with the name of who pressed', async () => {
  await paste('night');
  await accepted(nightAlert('firing'));
  const [night] = await linksTo(FIRST, 1);
  expect(await press(night)).toContain('You pressed “Silence until 07:00” on ');
  const silence = await firstSilence();
  expect(silence).toMatchObject({ by: 'Anna', state: 'active' });
  const clock = { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' } as const;
  expect(new Date(silence?.until ?? '').toLocaleTimeString('en-GB', clock)).toBe('07:00');
  await accepted(nightAlert('resolved'));
  for (const phone of [FIRST, SECOND]) await hears(phone, '✅ Queue');
  const before = [await textsAt(FIRST), await textsAt(SECOND)];
  await accepted(nightAlert('firing'));
  await eventually(async () => {
    const { body } = await admin('GET', '/incidents?source=night');
    expect(body).toMatchObject({ items: [{ state: 'open' }] });
  });
  expect([await textsAt(FIRST), await textsAt(SECOND)]).toEqual(before);
});

it('a silence until the morning can be pressed the next night, too, as long as the alert is open', async () => {
  await paste('night');
  await accepted(nightAlert('firing', 'docs-nights'));
  // An alert of the test before is still open: the next of the route waits, as a storm does.
  await after(MINUTE);
  const [night = ''] = await linksTo(FIRST, 1);
  await press(night);
  const until = Date.parse((await firstSilence())?.until ?? '');
  const pageOfLink = async () => (await exports.default.fetch(night)).text();
  await after(until - Date.now() - 1);
  expect(await pageOfLink()).toContain('You pressed “Silence until 07:00” on ');
  await after(1);
  expect(await pageOfLink()).toContain('>Silence until 07:00</button>');
  expect(await press(night)).toContain('You pressed “Silence until 07:00” on ');
  const again = await firstSilence();
  expect(again?.state).toBe('active');
  expect(Date.parse(again?.until ?? '')).toBeGreaterThan(until);
});

const shop = { provider: 'stripe', secrets: ['STRIPE_SECRET'] };
/** The sources that the calls in docs/api.md are about. */
const SOURCES = {
  'shop-payments': shop,
  alerts: { verify: { scheme: 'none' } },
  tasks: { provider: 'asana' },
};

interface Call {
  readonly path: string;
  readonly body?: string;
}

/** The calls in the page's shell: those that only read, and previews, which change nothing. */
const calls = (): readonly Call[] => {
  const shell = fences(pageOf('api.md'), 'sh').map(({ code }) => code.replaceAll('\\\n', ' '));
  const commands = shell.flatMap((code) =>
    code.split(/^(?=curl )/m).filter((one) => one.startsWith('curl ')),
  );
  return commands.flatMap((command): Call[] => {
    const [, path] = /"\$API(\/[^"]*)"/.exec(command) ?? [];
    if (path === undefined || path.includes('$')) return [];
    const [, body] = /-d '([^']*)'/.exec(command) ?? [];
    if (body !== undefined) return path.endsWith('/preview') ? [{ path, body }] : [];
    return / -(?:X|d) /.test(command) ? [] : [{ path }];
  });
};

const askFor = ({ path, body }: Call) =>
  body === undefined ? admin('GET', path) : admin('POST', path, JSON.parse(body) as unknown);

it('the calls in docs/api.md are answered, the one with a draft as the page says', async () => {
  await publish({ sources: SOURCES });
  expect(calls().length).toBeGreaterThan(4);
  for (const call of calls()) expect(await askFor(call), call.path).toMatchObject({ status: 200 });
  const draft = calls().find(({ body }) => body?.includes('"draft"')) ?? { path: '' };
  const written = fences(pageOf('api.md'), 'json').filter(({ code }) => code.includes('hello"'));
  const [route, warnings] = written.slice(-2).map(({ code }) => JSON.parse(code) as unknown);
  expect((await askFor(draft)).body).toMatchObject({ routes: [route], warnings });
});
