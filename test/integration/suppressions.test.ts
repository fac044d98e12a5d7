import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, hurry, message } from './hurry.ts';
import { linksTo, open as openLink, pageOf, press, presses } from './links.ts';
import { OWNER_URL, gatewayAnswers, reported, status, watchOutside } from './outside.ts';
import { outbox, postTo, take } from './posted.ts';
import {
  admin,
  event,
  isSent,
  listOf,
  messageNow,
  publish,
  textsTo,
  UNPACED,
  type MessageJson,
} from './relay.ts';
import { newPhone, open, text, toPhone } from './sources.ts';

hurry();

const WATCHED = { ...UNPACED, retry: ['100ms'], notify: { url: OWNER_URL, secret: 'NOTIFY_PATH' } };
const [ANNA, BEN] = [newPhone(), newPhone()];
const INCIDENT = {
  incident: { key: '{{ payload.id }}', resolved: 'payload.is_resolved' },
  send: text('{% if resolved_at %}over{% else %}fire{% endif %} {{ payload.id }}'),
};
const news = (more: object = {}) => ({
  ...toPhone('news {{ payload.id }}\n\nStop: {{ actions.stop.url }}', {
    name: 'news',
    actions: { stop: {} },
  }),
  when: 'event.type == blank',
  ...more,
});
/** Transactional, so that it reaches who has just opted out. */
const sorry = {
  name: 'sorry',
  when: 'event.type == "action.stop" or event.type == "action.start"',
  to: '{{ payload.by.phone }}',
  transactional: true,
  send: text('{{ payload.action }}'),
};
const withFallback = { ...text('news {{ payload.id }}'), fallback: [text('again {{ payload.id }}')] };
const SOURCES = {
  shop: open([
    toPhone(withFallback, { name: 'news' }),
    toPhone('order {{ payload.id }}', { name: 'order', when: 'payload.order', transactional: true }),
  ]),
  alerts: open([toPhone('', INCIDENT)]),
  team: open([{ name: 'all', to: ['team'], ...INCIDENT }]),
  links: open([news(), sorry]),
  german: open([news(), sorry], { locale: 'de-DE' }),
  quick: open([news({ actions: { stop: { expires: '1m', label: 'Enough' } } })]),
};
const SET = {
  accounts: { default: WATCHED, other: WATCHED },
  recipients: { team: { numbers: [ANNA, BEN] } },
  sources: SOURCES,
};

const put = (phone: string) => admin('PUT', `/suppressions/${encodeURIComponent(phone)}`);
const putAddress = (text: string) =>
  admin('PUT', `/suppressions/${encodeURIComponent(text)}`, { address: true });
const remove = (phone: string) => admin('DELETE', `/suppressions/${encodeURIComponent(phone)}`);
const suppression = (phone: string) => admin<object>('GET', `/suppressions/${phone}`);
const isSuppressed = ({ state }: MessageJson): boolean => state === 'suppressed';
const pause = () => admin('POST', '/accounts/default/pause');
const resume = () => admin('POST', '/accounts/default/resume');
let id = 0;
const post = (phone: string, source = 'shop', more: object = {}) =>
  postTo(source, phone, { id: (id += 1), ...more });
const restart = async () => {
  await evictDurableObject(outbox());
  await evictDurableObject(env.REGISTRY.getByName('registry'));
};

beforeAll(async () => {
  watchOutside();
  await publish(SET);
});

describe('a message to a receiver who has opted out', () => {
  it('is suppressed, says why, and is listed and counted as that', async () => {
    const phone = newPhone();
    expect((await put(phone)).status).toBe(200);
    const ended = await message(await post(phone), isSuppressed);
    expect(ended).toMatchObject({ reason: 'its receiver has opted out', attempts: [] });
    expect(ended.next_attempt_at).toBeUndefined();
    const listed = await listOf<MessageJson>('/messages?state=suppressed');
    expect(listed.map((one) => one.id)).toContain(ended.id);
    expect(JSON.stringify((await admin('GET', '/stats')).body)).toMatch(/"suppressed":[1-9]/);
    expect(await textsTo(phone)).toEqual([]);
  });

  it('is suppressed as well when it waited already, but sent if its route is transactional', async () => {
    const phone = newPhone();
    await pause();
    const { messages } = await take('shop', { phone: `+${phone}`, id: 3, order: true });
    await put(phone);
    expect((await messageNow(messages[0] ?? '')).state).toBe('queued');
    await resume();
    await message(messages[0] ?? '', isSuppressed);
    await message(messages[1] ?? '', isSent);
    expect(await textsTo(phone)).toEqual(['order 3']);
  });

  it('is suppressed after a publish, a restart of each object, and an import of the export', async () => {
    const phone = newPhone();
    await put(phone);
    const { body: exported } = await admin<object>('GET', '/config');
    expect(JSON.stringify(exported)).not.toContain(phone);
    await publish({ ...SET, recipients: { team: { numbers: [ANNA] } } });
    expect((await admin('POST', '/config', exported)).status).toBe(200);
    await restart();
    await message(await post(phone), isSuppressed);
  });

  it('is suppressed when it is the fallback of another, and in place of its next attempt', async () => {
    for (const code of [400, 503]) {
      const phone = newPhone();
      gatewayAnswers(phone, async () => {
        await put(phone);
        return status(code)();
      });
      const first = await post(phone);
      if (code === 503) expect((await message(first, isSuppressed)).attempts).toHaveLength(1);
      else
        await message(
          (await message(first, (one) => one.fallback !== undefined)).fallback ?? '',
          isSuppressed,
        );
      expect(await textsTo(phone)).toEqual([]);
    }
  });

  it('is suppressed though its number is spelled in another way, which needs a country code', async () => {
    const phone = newPhone();
    const spelled = await put(`+49 (0) 151 ${phone.slice(5)}`);
    expect(spelled.body).toMatchObject({ phone, by: 'token', reason: 'by hand' });
    await message((await take('shop', { phone: `00${phone}` })).messages[0] ?? '', isSuppressed);
    expect((await suppression(`00${phone}`)).body).toMatchObject({ phone });
    expect((await remove(`+${phone}`)).status).toBe(200);
    expect((await suppression(phone)).status).toBe(404);
    expect((await remove(phone)).status).toBe(404);
    // A chat of another gateway has no number, and is what it is; a line break would make two of it.
    const chat = '-1001234567890';
    expect((await putAddress(chat)).body).toMatchObject({ phone: chat });
    expect([await suppression(chat), await remove(chat), await putAddress('a\nb')]).toMatchObject([
      { status: 200 },
      { status: 200 },
      { status: 422 },
    ]);
    expect((await put('0151 12398001')).status).toBe(422);
  });
});

const notices = () => reported.filter(({ notice }) => notice.kind === 'route.suppressed');

const gets = (phone: string, ...texts: readonly string[]) =>
  eventually(async () => expect(await textsTo(phone)).toEqual(texts));

const outcomesAre = (of: string, ...outcomes: readonly string[]) =>
  eventually(async () => expect((await event(of)).items?.map(({ outcome }) => outcome)).toEqual(outcomes));

describe('an incident whose receiver opts out', () => {
  it('is notified when they opt in again and it is still open', async () => {
    const phone = newPhone();
    await put(phone);
    const { event: of } = await take('alerts', { phone: `+${phone}`, id: 'net' });
    await eventually(async () => {
      const listed = await listOf<MessageJson>(`/messages?phone=${phone}`);
      expect(listed.map(({ state }) => state)).toEqual(['suppressed']);
    });
    await outcomesAre(of, 'waiting');
    await remove(phone);
    await gets(phone, 'fire net');
    await take('alerts', { phone: `+${phone}`, id: 'net', is_resolved: true });
    await gets(phone, 'fire net', 'over net');
  });

  it('is notified to the others of its list; the owner hears once that nobody of it is left', async () => {
    await publish(SET);
    await put(ANNA);
    await take('team', { id: 'a' });
    await gets(BEN, 'fire a');
    expect(notices()).toEqual([]);
    await put(BEN);
    for (const one of ['b', 'c']) await take('team', { id: one });
    await eventually(() => expect(notices()).toHaveLength(1));
    expect(notices()[0]?.notice.text).toContain('the route team/all');
    expect(notices()[0]?.notice.text).not.toContain(ANNA);
    expect(await textsTo(ANNA)).toEqual([]);
  });
});

/** Sends a message, and returns its links. */
async function linksOf(phone: string, source = 'links') {
  await message(await post(phone, source), isSent);
  return linksTo(phone);
}
const typesOf = async (phone: string) => (await presses('links', phone)).map(({ type }) => type);

describe('a link to stop', () => {
  it('does nothing when it is opened, and says what its button does, in the language of its source', async () => {
    const phone = newPhone();
    const page = await pageOf((await linksOf(phone))[0]);
    for (const said of [
      'This button stops our messages to this number.',
      '<button>No more messages</button>',
    ])
      expect(page).toContain(said);
    expect(page).toContain('news ');
    expect((await suppression(phone)).status).toBe(404);
    const [german] = await linksOf(newPhone(), 'german');
    expect(await pageOf(german)).toContain('<button>Keine Nachrichten mehr</button>');
    expect((await press(german)).html).toContain('Wieder Nachrichten bekommen</button>');
  });

  it('stops all that waits and comes, and the page offers to start again, at any time', async () => {
    const phone = newPhone();
    const [link] = await linksOf(phone);
    await pause();
    const waiting = await post(phone, 'links');
    await press(link);
    expect((await messageNow(waiting)).state).toBe('queued');
    await publish({ ...SET, recipients: { team: { numbers: [] } } });
    await restart();
    await resume();
    await message(waiting, isSuppressed);
    await message(await post(phone, 'links'), isSuppressed);
    expect((await suppression(phone)).body).toMatchObject({ phone, reason: 'No more messages' });
    const page = await pageOf(link);
    expect(page).toMatch(/This number opted out on .*\. It gets no more messages from us/);
    expect(page).toContain('<button class="quiet">Get messages again</button>');
    await press(`${link}?start`);
    expect((await suppression(phone)).status).toBe(404);
    expect(await pageOf(link)).toContain('<button>No more messages</button>');
    await message(await post(phone, 'links'), isSent);
  });

  it('makes an event of each stop and each start, once however often it is pressed', async () => {
    const phone = newPhone();
    const [link] = await linksOf(phone);
    await Promise.all([press(link), press(link)]);
    await press(link);
    expect(await typesOf(phone)).toEqual(['action.stop']);
    await Promise.all([press(`${link}?start`), press(`${link}?start`)]);
    for (const query of ['?start', '?undo', '']) await press(`${link}${query}`);
    expect(await typesOf(phone)).toEqual(['action.stop', 'action.start', 'action.stop']);
    await eventually(async () => expect((await textsTo(phone)).slice(1)).toEqual(['stop', 'start', 'stop']));
  });

  it('lets its receiver opt in twice in a day, so that the last change is to opt out, which is never refused', async () => {
    const phone = newPhone();
    const [link] = await linksOf(phone, 'german');
    const start = () => openLink(`${link}?start`, 'POST');
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await press(link)).status, (await start()).status);
    expect(statuses).toEqual([200, 303, 200, 303, 200, 429]);
    const again = await start();
    expect(await again.text()).toMatch(/Zu oft gedrückt<.*Sie können hier ab \d/s);
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(86_000);
    await remove(phone);
    for (let n = 0; n < 4; n += 1) await start();
    expect([(await start()).status, (await press(link)).status]).toEqual([429, 200]);
    expect((await suppression(phone)).status).toBe(200);
  });

  it('is in force at once for one after the other, though KV is written once for all and the outbox starts again', async () => {
    const phones = [newPhone(), newPhone(), newPhone()];
    for (const phone of phones) await put(phone);
    await evictDurableObject(outbox());
    for (const phone of phones) await message(await post(phone), isSuppressed);
  });

  it('says that its receiver has opted out by another, and starts nothing for whom a person opted out', async () => {
    const phone = newPhone();
    const [[first], [second]] = [await linksOf(phone), await linksOf(phone)];
    await press(first);
    expect(await pageOf(second)).toContain('Get messages again');
    await press(`${second}?start`);
    expect((await suppression(phone)).status).toBe(404);
    const other = newPhone();
    const [link] = await linksOf(other);
    await put(other);
    expect(await pageOf(link)).not.toContain('<button');
    await press(`${link}?start`);
    expect([(await suppression(other)).status, await typesOf(other)]).toEqual([200, []]);
  });

  it('stops all the same when its route and its action have another name by now', async () => {
    const phone = newPhone();
    const [link] = await linksOf(phone);
    const renamed = news({ name: 'offers', actions: {}, send: text('x') });
    await publish({ ...SET, sources: { ...SOURCES, links: open([renamed]) } });
    expect(await pageOf(link)).toContain('<button>No more messages</button>');
    await press(link);
    expect([(await suppression(phone)).status, await typesOf(phone)]).toEqual([200, ['action.stop']]);
    await publish(SET);
  });
});
