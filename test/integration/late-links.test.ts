import { env, exports } from 'cloudflare:workers';
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handlePress } from '../../src/ingest/press/press.ts';
import { SWEEP_START, sweepStep, type SweepPosition } from '../../src/outbox/storage/retention.ts';
import { envWith } from '../platform/env.ts';
import { eventually } from './outside.ts';
import {
  admin,
  callsTo,
  event,
  isSent,
  message,
  postJson,
  publish,
  script,
  UNPACED,
  type EventJson,
} from './relay.ts';

let used = 0;
const newPhone = (): string => String(4_915_112_396_000 + (used += 1));
/** Of each test: receivers, and the name of their list, their routes and what they are asked about. */
let stage = { anna: '', ben: '', name: '' };

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const ask = (actions: object, send = '{{ payload.id }} {{ actions.approve.url }}') => ({
  name: 'ask',
  when: 'event.type == blank',
  to: [stage.name],
  actions,
  send: { kind: 'text', message: send },
});
const answered = () => ({
  name: 'answered',
  when: 'event.type == "action.approve"',
  to: [stage.name],
  send: {
    kind: 'text',
    message: '{{ payload.by.name | default: payload.by.phone }} approved {{ payload.payload.id }}',
  },
});
const INCIDENT = {
  key: '{{ item.name }}',
  resolved: 'item.status == "resolved"',
  repeat: '2s',
};
const alerts = (actions: object = { ack: {} }) => ({
  name: stage.name,
  each: 'payload.alerts',
  to: [stage.name],
  incident: INCIDENT,
  group: { wait: '1s', interval: '1s' },
  actions,
  send: {
    kind: 'text',
    message:
      '{% for one in new %}{{ one.item.name }}{% endfor %}{% for one in resolved %}ended {{ one.item.name }}{% endfor %}{% if count > 0 %}\n{{ actions.ack.url }}{% endif %}',
  },
});

const setOf = (over: { readonly ask?: object; readonly people?: object; readonly alerts?: object } = {}) => ({
  accounts: { default: UNPACED, sales: UNPACED },
  recipients: { [stage.name]: { people: over.people ?? { Anna: stage.anna, Ben: stage.ben } } },
  sources: {
    shop: open({ routes: [over.ask ?? ask({ approve: { label: 'Yes' } }), answered()] }),
    sales: open({ account: 'sales', routes: [ask({ approve: { label: 'Yes' } }), answered()] }),
    alerts: open({ routes: [over.alerts ?? alerts()] }),
  },
});
const open = (source: object): object => ({
  verify: { scheme: 'none' },
  limit: false,
  locale: 'en-GB',
  ...source,
});

beforeEach(async () => {
  stage = { anna: newPhone(), ben: newPhone(), name: `team-${used}` };
  await publish(setOf());
});
afterEach(() => void vi.restoreAllMocks());

/** Moves the clock on by `ms`, for all that asks it, and stops it there. */
const later = (ms: number): void => void vi.spyOn(Date, 'now').mockReturnValue(Date.now() + ms);

const textsTo = async (phone: string): Promise<readonly string[]> =>
  (await callsTo(phone)).map(({ params }) => params['message'] ?? '');

/** The newest link that a receiver got, whole. */
async function linkTo(phone: string): Promise<string> {
  let found = '';
  await eventually(async () => {
    const text = (await textsTo(phone)).findLast((one) => one.includes('/a/')) ?? '';
    found = /https:\S+\/a\/[0-9a-z]{24}/.exec(text)?.[0] ?? '';
    expect(found).not.toBe('');
  });
  return found;
}

const hears = (phone: string, text: string): Promise<void> =>
  eventually(async () => expect(await textsTo(phone)).toContain(text));

/** Asks both, and returns the link of Anna. */
async function question(source = 'shop'): Promise<string> {
  const id = `${stage.name}-q`;
  const accepted = await postJson(source, { id });
  for (const one of (await accepted.json<{ messages: string[] }>()).messages) await message(one, isSent);
  return linkTo(stage.anna);
}
const alert = (status: string, name = `${stage.name}-disk`): Promise<Response> =>
  postJson('alerts', { alerts: [{ name, status }] });

interface Opened {
  readonly status: number;
  readonly html: string;
}
async function look(link: string): Promise<Opened> {
  const response = await exports.default.fetch(link);
  return { status: response.status, html: await response.text() };
}
/** Presses as a browser does: the button, then the page that the answer names. */
async function press(link: string): Promise<Opened> {
  const pressed = await exports.default.fetch(link, { method: 'POST', redirect: 'manual' });
  const to = pressed.headers.get('location');
  return to === null ? { status: pressed.status, html: await pressed.text() } : look(new URL(to, link).href);
}

/** The presses of this test's questions, oldest first. */
async function presses(source: string): Promise<readonly EventJson[]> {
  const { body } = await admin<{ items: EventJson[] }>('GET', `/events?source=${source}&limit=100`);
  const all = body.items.filter(({ type }) => type?.startsWith('action.'));
  const read = await Promise.all(all.map(({ id }) => event(id)));
  return read.filter(({ payload }) => JSON.stringify(payload).includes(stage.name)).toReversed();
}

interface IncidentJson {
  readonly id: string;
  readonly state: string;
  readonly acknowledged_by?: string;
}
const incidents = async (): Promise<readonly IncidentJson[]> =>
  (await admin<{ items: IncidentJson[] }>('GET', `/incidents?source=alerts&route=${stage.name}`)).body.items;

const restart = (account = 'default'): Promise<void> => evictDurableObject(env.OUTBOX.getByName(account));

describe('a link that expired', () => {
  it('does nothing when it is pressed, and says until when it could be', async () => {
    await publish(setOf({ ask: ask({ approve: { label: 'Yes', expires: '2h' } }) }));
    const link = await question();
    later(2 * 60 * MINUTE + MINUTE);
    const { status, html } = await press(link);
    expect([status, html]).toEqual([410, expect.stringContaining('<h1>Too late</h1>')]);
    expect(html).toMatch(/This link worked until \d+ \w+ \d{4}, \d+:\d\d/);
    expect(html).not.toContain('<button');
    expect(await presses('shop')).toEqual([]);
  });

  it('is one of seven days where its action says nothing', async () => {
    const link = await question();
    later(7 * DAY - MINUTE);
    expect(await look(link)).toMatchObject({ status: 200 });
    later(2 * MINUTE);
    expect(await look(link)).toMatchObject({ status: 410 });
  });

  it('still says who pressed, if somebody did in time', async () => {
    const link = await question();
    await press(link);
    later(8 * DAY);
    const { status, html } = await press(link);
    expect([status, html]).toEqual([200, expect.stringContaining('You pressed “Yes” on ')]);
    expect(html).not.toContain('?undo');
  });

  it('leaves an incident to those who can still press', async () => {
    await publish(setOf({ alerts: alerts({ ack: { expires: '1h' } }) }));
    await alert('firing');
    const link = await linkTo(stage.anna);
    later(61 * MINUTE);
    expect(await press(link)).toMatchObject({ status: 410 });
    expect(await incidents()).toMatchObject([{ state: 'open' }]);
  });
});

describe('a link that was used', () => {
  it('can be undone for a minute and not longer', async () => {
    const link = await question();
    await press(link);
    later(MINUTE);
    expect((await press(`${link}?undo`)).html).toContain('You pressed “Yes”');
    expect((await presses('shop')).map(({ type }) => type)).toEqual(['action.approve']);
  });
});

describe('a link that is not as it was sent', () => {
  it('does nothing, wherever it was cut off', async () => {
    const link = await question();
    const [token = ''] = link.split('/').slice(-1);
    for (const length of [23, 22, 12, 2, 1]) {
      const cut = link.slice(0, link.length - token.length + length);
      const { status, html } = await press(cut);
      expect([cut, status, html]).toEqual([cut, 404, expect.stringContaining('not complete')]);
    }
    expect(await presses('shop')).toEqual([]);
    expect((await press(link)).html).toContain('<h1>Done</h1>');
  });

  it('is the same link in capitals', async () => {
    const link = await question();
    const { origin, pathname } = new URL(link);
    const capitals = `${origin}/a/${pathname.replace('/a/', '').toUpperCase()}`;
    expect(capitals).not.toBe(link);
    expect((await press(capitals)).html).toContain('You pressed “Yes” on ');
    expect((await look(link)).html).toContain('You pressed “Yes” on ');
    expect((await look(`${origin}${pathname.toUpperCase()}`)).html).toContain('You pressed “Yes” on ');
    expect(await presses('shop')).toHaveLength(1);
  });

  it('is nobody’s, if it is made of two', async () => {
    const anna = await question();
    const ben = await linkTo(stage.ben);
    const mixed = anna.slice(0, -7) + ben.slice(-7);
    expect(await press(mixed)).toMatchObject({ status: 404 });
    expect(await presses('shop')).toEqual([]);
  });

  it('is of its account: with the beginning of another’s it does not work', async () => {
    const [ours, theirs] = [await question('shop'), await question('sales')];
    const at = ours.lastIndexOf('/') + 1;
    expect(theirs.slice(at, at + 2)).not.toBe(ours.slice(at, at + 2));
    const foreign = ours.slice(0, at) + theirs.slice(at, at + 2) + ours.slice(at + 2);
    expect(await press(foreign)).toMatchObject({ status: 404 });
    expect((await press(theirs)).html).toContain('<h1>Done</h1>');
    expect([await presses('shop'), await presses('sales')].map(({ length }) => length)).toEqual([0, 1]);
  });
});

describe('a link of somebody who left the list', () => {
  it('works, and who pressed is known by the number alone', async () => {
    const link = await question();
    await publish(setOf({ people: { Ben: stage.ben } }));
    await press(link);
    expect((await presses('shop')).map(({ payload }) => payload)).toMatchObject([
      { by: { phone: stage.anna } },
    ]);
    await hears(stage.ben, `${stage.anna} approved ${stage.name}-q`);
    const { html } = await look(await linkTo(stage.ben));
    expect(html).toContain('Answered already');
    expect(html).not.toContain(stage.anna);
  });
});

describe('a press while the object of its account restarts', () => {
  it('of `ack` is taken once, the others hear who has it', async () => {
    await alert('firing');
    const [anna, ben] = [await linkTo(stage.anna), await linkTo(stage.ben)];
    await Promise.all([press(anna), restart(), press(anna), press(ben)]);
    expect(await presses('alerts')).toHaveLength(1);
    const [incident] = await incidents();
    expect(incident).toMatchObject({
      state: 'acknowledged',
      acknowledged_by: expect.stringMatching(/^(Anna|Ben)$/) as unknown,
    });
    const [who, other] = incident?.acknowledged_by === 'Anna' ? ['Anna', stage.ben] : ['Ben', stage.anna];
    await hears(other, `${who} has it: ${stage.name}-disk`);
  });

  it('is undone once, if that is what it is', async () => {
    const link = await question();
    await press(link);
    await Promise.all([press(`${link}?undo`), restart(), press(`${link}?undo`)]);
    await press(`${link}?undo`);
    expect((await presses('shop')).map(({ type }) => type)).toEqual([
      'action.approve',
      'action.approve.undone',
    ]);
    expect((await look(link)).html).toContain('>Yes</button>');
  });
});

const lost = (): Promise<never> => Promise.reject(new Error('the outbox is out of reach'));

/** The bindings of the tests, with an outbox whose calls go wrong: each call of these names takes the next of its faults. */
const failing = (faults: Readonly<Record<string, ('before' | 'after')[]>>): Env =>
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
const askFailing = async (link: string, method: string, faults: Parameters<typeof failing>[0]) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const [token = ''] = new URL(link).pathname.split('/').slice(-1);
  const response = await handlePress(new Request(link, { method }), token, failing(faults));
  return { status: response.status, html: await response.text() };
};

describe('a link while the object of its account cannot be asked', () => {
  it('is read again at once, and the press is taken', async () => {
    const link = await question();
    expect(await askFailing(link, 'POST', { readLink: ['before'] })).toMatchObject({ status: 303 });
    expect(await presses('shop')).toHaveLength(1);
  });

  it('that cannot be read does not say that nothing was done: it may have been pressed before', async () => {
    const link = await question();
    await press(link);
    const { status, html } = await askFailing(link, 'GET', { readLink: ['before', 'before'] });
    expect([status, html]).toEqual([503, expect.stringContaining('<h1>Cannot be shown right now</h1>')]);
    expect(html).not.toContain('Not saved');
  });

  it('that is pressed in vain asks for another press', async () => {
    const link = await question();
    const { status, html } = await askFailing(link, 'POST', { accept: ['before', 'before'] });
    expect([status, html]).toEqual([503, expect.stringContaining('<h1>Not saved</h1>')]);
    expect((await press(link)).html).toContain('<h1>Done</h1>');
  });
});

const types = async () => (await presses('shop')).map(({ type }) => type);

describe('an undo that breaks off half-way', () => {
  const BOTH = ['action.approve', 'action.approve.undone'];

  it('is finished at once when the answer of the outbox is lost', async () => {
    const link = await question();
    await press(link);
    expect(await askFailing(`${link}?undo`, 'POST', { takeBack: ['after'] })).toMatchObject({ status: 303 });
    expect(await types()).toEqual(BOTH);
    expect((await look(link)).html).toContain('>Yes</button>');
  });

  it('is finished by a second one, however late, which is heard of once', async () => {
    const link = await question();
    await press(link);
    const lostEvent = { accept: ['before' as const, 'before' as const] };
    expect(await askFailing(`${link}?undo`, 'POST', lostEvent)).toMatchObject({ status: 503 });
    expect(await types()).toEqual(['action.approve']);
    later(5 * MINUTE);
    for (let times = 0; times < 2; times += 1) await press(`${link}?undo`);
    expect(await types()).toEqual(BOTH);
  });

  it('undoes nothing that was pressed since', async () => {
    const link = await question();
    const bens = await linkTo(stage.ben);
    await press(link);
    await askFailing(`${link}?undo`, 'POST', { accept: ['before', 'before'] });
    await press(bens);
    await press(`${link}?undo`);
    expect((await look(bens)).html).toContain('<h1>Done</h1>');
    expect(await types()).toEqual(['action.approve', 'action.approve']);
  });
});

describe('a link whose press was deleted to make room', () => {
  it('says that somebody pressed it, and when', async () => {
    // Nothing is sent about this press, and the question still waits for one of its receivers.
    const unheard = ask({ later: { label: 'Yes' } }, '{{ payload.id }} {{ actions.later.url }}');
    await publish(setOf({ ask: unheard }));
    await script(stage.ben, { failure: 'cut', times: 100 });
    await postJson('shop', { id: `${stage.name}-q` });
    const link = await linkTo(stage.anna);
    await press(link);
    await runInDurableObject(env.OUTBOX.getByName('default'), (_, { storage: { sql } }) => {
      let from: SweepPosition | null = SWEEP_START;
      while (from !== null)
        from = sweepStep({ sql, now: Date.now(), before: null, isSending: () => false }, from);
    });
    const { status, html } = await look(link);
    expect([status, html]).toEqual([200, expect.stringContaining('Somebody pressed “Yes” on ')]);
    expect(html).not.toContain('<button');
    await script(stage.ben);
  });
});

describe('a press on an incident that resolves at the same moment', () => {
  it('leaves it resolved, and the end reaches both', async () => {
    await alert('firing');
    const link = await linkTo(stage.anna);
    await linkTo(stage.ben);
    await Promise.all([press(link), alert('resolved'), press(link)]);
    for (const phone of [stage.anna, stage.ben]) await hears(phone, `ended ${stage.name}-disk`);
    expect(await incidents()).toMatchObject([{ state: 'resolved' }]);
    expect((await presses('alerts')).length).toBeLessThanOrEqual(1);
    expect((await look(link)).html).not.toContain('>I have it</button>');
  });

  it('and was looked at before does nothing, and nobody hears that somebody has it', async () => {
    await alert('firing');
    const link = await linkTo(stage.anna);
    await linkTo(stage.ben);
    expect((await look(link)).html).toContain('>I have it</button>');
    await alert('resolved');
    expect((await press(link)).html).toMatch(/<h1>Resolved<\/h1>.*This was resolved on /s);
    await hears(stage.ben, `ended ${stage.name}-disk`);
    expect(await textsTo(stage.ben)).not.toContainEqual(expect.stringContaining('has it'));
    expect(await presses('alerts')).toEqual([]);
  });
});

describe('a link to an action that was removed', () => {
  it('of an incident acknowledges nothing, until it is published again', async () => {
    await alert('firing');
    const link = await linkTo(stage.anna);
    const { actions: _, ...without } = alerts();
    const send = { kind: 'text', message: '{{ count }}' };
    await publish(setOf({ alerts: { ...without, send } }));
    const { status, html } = await press(link);
    expect([status, html]).toEqual([410, expect.stringContaining('This link is no longer in use')]);
    expect(await incidents()).toMatchObject([{ state: 'open' }]);
    await publish(setOf());
    await press(link);
    expect(await incidents()).toMatchObject([{ state: 'acknowledged', acknowledged_by: 'Anna' }]);
  });
});

describe('a relay that moved to another address', () => {
  it('takes the links that it sent before at both, and sends new ones with the new one', async () => {
    const old = await question();
    expect(old).toMatch(/^https:\/\/relay\.example\.com\/a\//);
    const before: unknown = Reflect.get(env, 'PUBLIC_URL');
    try {
      Reflect.set(env, 'PUBLIC_URL', 'https://hooks.example.net/relay');
      await restart();
      expect((await look(old)).html).toContain('>Yes</button>');
      const moved = old.replace('relay.example.com', 'hooks.example.net');
      expect((await press(moved)).html).toContain('<h1>Done</h1>');
      expect((await look(old)).html).toContain('<h1>Done</h1>');
      expect(await presses('shop')).toHaveLength(1);
      await postJson('shop', { id: `${stage.name}-new` });
      await eventually(async () =>
        expect(await linkTo(stage.anna)).toMatch(/^https:\/\/hooks\.example\.net\/relay\/a\/[0-9a-z]{24}$/),
      );
    } finally {
      Reflect.set(env, 'PUBLIC_URL', before);
      await restart();
    }
  });
});
