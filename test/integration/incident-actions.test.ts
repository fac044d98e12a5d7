import { exports } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually, hurry, pass } from './hurry.ts';
import { allLinksTo, linksTo, pageOf, press, presses } from './links.ts';
import { admin, listOf, postJson, publish, script, textsTo, UNPACED, type MessageJson } from './relay.ts';
import { newPhone, open, text } from './sources.ts';

hurry();

const told = (links: string) =>
  text(
    `{% for one in new %}{{ one.item.name }} {% endfor %}{% for one in resolved %}ended {{ one.item.name }}{% endfor %}{% if count > 0 %}\n${links}{% endif %}`,
  );
const SEND = told('Mine: {{ actions.ack.url }}\nOver: {{ actions.resolve.url }}');

/** Of each test: receivers, and a name that its list and its route have. */
let stage = { anna: '', ben: '', name: '' };

const publishWith = (over: object = {}): Promise<void> =>
  publish({
    accounts: { default: UNPACED },
    recipients: { [stage.name]: { people: { Anna: stage.anna, Ben: stage.ben } } },
    sources: {
      alerts: open([
        {
          name: stage.name,
          each: 'payload.alerts',
          to: [stage.name],
          incident: { key: '{{ item.name }}', resolved: 'item.status == "resolved"', repeat: '2s' },
          group: { wait: '1s', interval: '1s' },
          actions: { ack: {}, resolve: {} },
          send: SEND,
          ...over,
        },
      ]),
    },
  });

beforeEach(async () => {
  stage = { anna: newPhone(), ben: newPhone(), name: '' };
  stage = { ...stage, name: `on-call-${stage.anna}` };
  await publishWith();
});

const alert = (status: string, ...names: readonly string[]): Promise<Response> =>
  postJson('alerts', { alerts: names.map((name) => ({ name, status })) });

/** The newest links that both got: to acknowledge, and to resolve. */
async function links() {
  const [anna, ben] = await eventually(
    async () => [await linksTo(stage.anna), await linksTo(stage.ben)] as const,
  );
  return { ack: anna[0], resolve: anna[1] ?? '', bens: ben[0] };
}
/** Both are told that these fire. */
async function fired(...names: readonly string[]) {
  await alert('firing', ...names);
  return links();
}

/** Does something while the account sends nothing. */
async function paused(...work: readonly (() => Promise<unknown>)[]): Promise<void> {
  await admin('POST', '/accounts/default/pause');
  for (const step of work) await step();
  await admin('POST', '/accounts/default/resume');
}

const hears = (phone: string, words: string): Promise<void> =>
  eventually(async () => expect(await textsTo(phone)).toContain(words));
const bothHear = async (words: string) => {
  for (const phone of [stage.anna, stage.ben]) await hears(phone, words);
};
/** The texts that Ben got about somebody who has an incident. */
const claims = async () => (await textsTo(stage.ben)).filter((words) => words.includes('has it'));

interface IncidentJson {
  readonly id: string;
  readonly key: string;
  readonly state: string;
  readonly acknowledged_by?: string;
}
const incidents = () => listOf<IncidentJson>(`/incidents?source=alerts&route=${stage.name}`);
const statesAre = async (...states: readonly string[]) =>
  expect((await incidents()).map(({ state }) => state)).toEqual(states);
const idOf = async (key: string) => (await incidents()).find((one) => one.key === key)?.id ?? '';
const pressed = () => presses('alerts', stage.name);
const openNow = async () =>
  (await listOf<{ source: string }>('/open-incidents')).find(({ source }) => source === 'alerts');

const asBrowser = (path: string, body: object, headers: Record<string, string> = {}) =>
  exports.default.fetch(`https://relay.example.com/admin/api/v1${path}`, {
    method: 'POST',
    headers: { origin: 'https://relay.example.com', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('a press of `ack`', () => {
  it('acknowledges the incident, the others hear who has it, and the end reaches all', async () => {
    const { ack, bens } = await fired('disk');
    expect(await pageOf(ack)).toContain('>I have it</button>');
    expect((await press(ack)).html).toContain('You pressed “I have it” on');
    expect(await incidents()).toMatchObject([{ state: 'acknowledged', acknowledged_by: 'Anna' }]);
    await hears(stage.ben, 'Anna has it: disk');
    expect(await textsTo(stage.anna)).not.toContain('Anna has it: disk');
    const [incident] = await incidents();
    const payload = { by: { name: 'Anna' }, incident: incident?.id };
    expect(await pressed()).toMatchObject([{ type: 'action.ack', state: 'routed', payload }]);
    // One that comes second says who has it.
    expect((await press(bens)).html).toContain('Anna pressed “I have it” on');
    expect(await pressed()).toHaveLength(1);
    // Its repeats have ended.
    const count = (await textsTo(stage.ben)).length;
    await pass(3_000);
    expect(await textsTo(stage.ben)).toHaveLength(count);
    await alert('resolved', 'disk');
    await bothHear('ended disk');
  });

  it('of all that its message says are open, also of what its receiver knew before, in one message to each', async () => {
    const first = await fired('one', 'two');
    await press(first.ack);
    await hears(stage.ben, 'Anna has it:\n• one\n• two');
    await alert('firing', 'three');
    const second = await eventually(async () => {
      const { ack } = await links();
      expect([ack, (await textsTo(stage.anna)).at(-1)]).toEqual([
        expect.not.stringContaining(first.ack),
        expect.stringMatching(/^three/),
      ]);
      return ack;
    });
    await press(second);
    await statesAre('acknowledged', 'acknowledged', 'acknowledged');
  });

  it('by the API names the person who is signed in, and nobody where a token does it', async () => {
    await fired('disk');
    const signIn = await asBrowser('/session', { token: 'admin-token-of-the-tests', name: 'Ben Müller' });
    const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const path = `/incidents/${await idOf('disk')}/acknowledge`;
    expect((await asBrowser(path, {}, { cookie })).status).toBe(200);
    await bothHear('Ben Müller has it: disk');
    expect(await pageOf((await links()).ack)).toContain('Ben Müller took it over on');
    await alert('firing', 'cpu');
    await eventually(async () => expect((await textsTo(stage.ben)).at(-1)).toMatch(/^cpu/));
    await admin('POST', `/incidents/${await idOf('cpu')}/acknowledge`);
    await bothHear('Somebody has it: cpu');
    expect(await pageOf((await links()).bens)).toContain('Somebody took it over on');
  });

  it('is void when the incident opens again: it is not acknowledged, and can be again', async () => {
    const first = await fired('disk');
    await press(first.ack);
    await alert('resolved', 'disk');
    await hears(stage.anna, 'ended disk');
    expect(await pageOf(first.resolve)).toContain('This was resolved on');
    const before = (await textsTo(stage.anna)).length;
    await alert('firing', 'disk');
    await eventually(async () => expect((await textsTo(stage.anna)).length).toBeGreaterThan(before));
    await statesAre('open');
    const { ack } = await links();
    expect(await pageOf(ack)).toContain('>I have it</button>');
    await press(ack);
    await statesAre('acknowledged');
  });

  it('is heard of by nobody once the incident is resolved, although the message about it was queued before', async () => {
    const { ack } = await fired('disk');
    await paused(
      () => press(ack),
      () => alert('resolved', 'disk'),
    );
    await bothHear('ended disk');
    expect(await claims()).toEqual([]);
    const listed = await listOf<MessageJson>(`/messages?phone=${stage.ben}`);
    const queued = listed.find(({ params }) => params['message'] === 'Anna has it: disk');
    expect(queued?.state).toBe('superseded');
  });

  it('is heard of, and that it is undone, by those who may have read of it', async () => {
    const isRetrying = (about: string) =>
      eventually(async () => {
        const listed = await listOf<MessageJson>(`/messages?phone=${stage.ben}`);
        const one = listed.find(({ params }) => params['message']?.startsWith(about));
        expect(one?.state).toBe('retrying');
      });
    // The gateway takes the message, and its answers break off.
    const cut = { failure: 'cut', times: 100 };
    await script(stage.ben, cut);
    const { ack } = await fired('disk');
    await isRetrying('disk');
    await press(ack);
    await script(stage.ben);
    await hears(stage.ben, 'Anna has it: disk');
    await press(`${ack}?undo`);
    await hears(stage.ben, 'Anna no longer has it: disk');
    await alert('resolved', 'disk');
    await bothHear('ended disk');
    const { bens } = await links();
    await alert('firing', 'net');
    const other = await eventually(async () => {
      const newest = await links();
      expect(newest.ack === ack || newest.bens === bens).toBe(false);
      return newest.ack;
    });
    await script(stage.ben, cut);
    const before = (await claims()).length;
    await press(other);
    await eventually(async () => expect((await claims()).length).toBeGreaterThan(before));
    await isRetrying('Anna has it: net');
    await press(`${other}?undo`);
    await script(stage.ben);
    await hears(stage.ben, 'Anna no longer has it: net');
    // Once by each link, although nobody has it any more.
    for (const query of ['', '?undo']) await press(other + query);
    expect((await incidents()).find(({ key }) => key === 'net')?.state).toBe('acknowledged');
  });

  it('of two at once is taken once', async () => {
    const { ack, bens } = await fired('disk');
    await Promise.all([press(ack), press(bens)]);
    expect(await pressed()).toHaveLength(1);
    expect(['Anna', 'Ben']).toContain((await incidents())[0]?.acknowledged_by);
  });

  it('that comes late says that it is resolved', async () => {
    const { ack } = await fired('late');
    await alert('resolved', 'late');
    await hears(stage.anna, 'ended late');
    expect((await press(ack)).html).toContain('<h1>Resolved</h1>');
    expect(await pressed()).toEqual([]);
  });
});

it('a press of `ack` holds for each of 500 incidents in one group: none repeats, none escalates, and an undo gives all back', async () => {
  const carla = newPhone();
  await publishWith({ escalate: [{ after: '20s', to: carla }] });
  const { ack } = await fired(...Array.from({ length: 500 }, (_, n) => `storm-${n}`));
  await press(ack);
  expect(await openNow()).toMatchObject({ open: 500, acknowledged: 500 });
  await eventually(async () =>
    expect((await textsTo(stage.ben)).at(-1)).toMatch(/^Anna has it:\n(• storm-\d+\n){5}and 495 more$/),
  );
  const before = (await textsTo(stage.ben)).length;
  await pass(30_000);
  expect([(await textsTo(stage.ben)).length, await textsTo(carla)]).toEqual([before, []]);
  await press(`${ack}?undo`);
  expect(await openNow()).toMatchObject({ open: 500, acknowledged: 0 });
});

it('a press of `resolve` resolves the incident for all who knew, once, and is not undone', async () => {
  const { resolve } = await fired('disk');
  const { html } = await press(resolve);
  await bothHear('ended disk');
  expect(html).toContain('You pressed “It is resolved” on');
  expect(html).not.toContain('?undo');
  expect(await pressed()).toMatchObject([{ type: 'action.resolve', state: 'routed' }]);
});

const nthTo = (phone: string, n: number): Promise<string> =>
  eventually(async () => {
    const [link] = (await allLinksTo(phone)).slice(n - 1);
    if (link === undefined) throw new Error('not yet');
    return link;
  });

describe('a press of an action of the route’s own', () => {
  beforeEach(() =>
    publishWith({
      actions: { restart: { label: 'Restart it' } },
      send: told('{{ count }} open: {{ actions.restart.url }}'),
    }),
  );

  it('answers for all notifications of an incident since it opened, whoever got them', async () => {
    await alert('firing', 'disk');
    const first = await nthTo(stage.anna, 1);
    await nthTo(stage.ben, 1);
    await press(first);
    // The sender says it again, and it is repeated.
    await alert('firing', 'disk');
    for (const phone of [stage.anna, stage.ben]) {
      const again = await nthTo(phone, 2);
      expect(again).not.toBe(first);
      expect((await press(again)).html).toContain('Anna pressed “Restart it” on');
    }
    expect(await pressed()).toHaveLength(1);
  });
});

interface SilenceJson {
  readonly id: string;
  readonly state: string;
  readonly of?: { readonly source: string; readonly route: string; readonly keys: readonly string[] };
  readonly until: string;
}

const keyOf = (name: string) => `${stage.name}-${name}`;

const silences = async () =>
  (await listOf<SilenceJson>('/silences')).filter(({ of }) => of?.route === stage.name);

describe('a press of a silence', () => {
  beforeEach(() =>
    publishWith({
      actions: { silence_1h: { silence: '1h' }, silence_night: { silence: '07:00' } },
      send: told('{{ actions.silence_1h.url }}\n{{ actions.silence_night.url }}'),
    }),
  );

  it('is in force at once, by whom and for how long it says, whatever signs the key has: the incident opens again unheard', async () => {
    const key = keyOf('"disk\' C:\\');
    const { ack: hour } = await fired(key);
    expect(await pageOf(hour)).toContain('>Silence for 1 hour</button>');
    const at = Date.now();
    const { html } = await press(hour);
    expect(html).toContain('You pressed “Silence for 1 hour” on');
    expect(html).toMatch(/Silenced until [^<]+: alerts\/on-call-[^<]+C:\\/);
    const [silence] = await silences();
    const of = { source: 'alerts', route: stage.name, keys: [key] };
    expect(silence).toMatchObject({ state: 'active', by: 'Anna', reason: 'Silence for 1 hour', of });
    expect(Math.abs(Date.parse(silence?.until ?? '') - at - 3_600_000)).toBeLessThan(60_000);
    await alert('resolved', key);
    await bothHear(`ended ${key}`);
    const before = [await textsTo(stage.anna), await textsTo(stage.ben)];
    await alert('firing', key);
    const held = { state: 'held', silence: silence?.id };
    await eventually(async () => {
      const { body } = await admin<object>('GET', `/incidents/${await idOf(key)}`);
      expect(body).toMatchObject({ state: 'open', receivers: [held, held] });
    });
    expect([await textsTo(stage.anna), await textsTo(stage.ben)]).toEqual(before);
  });

  it('is about all incidents that its message says are open, is one though two press, and can be undone and pressed again', async () => {
    const { ack: annas, bens } = await fired(keyOf('one'), keyOf('two'));
    await Promise.all([press(annas), press(bens), press(annas)]);
    expect((await silences()).map(({ of }) => of?.keys)).toEqual([[keyOf('one'), keyOf('two')]]);
    expect(await pressed()).toHaveLength(1);
    for (const link of [annas, bens]) await press(`${link}?undo`);
    expect(await silences()).toMatchObject([{ state: 'ended' }]);
    await press(annas);
    expect(await silences()).toMatchObject([{ state: 'active' }]);
  });

  it('is about each of 500 incidents: the page names some and counts the rest, and all are held back', async () => {
    const keys = Array.from({ length: 500 }, (_, n) => keyOf(`storm-${n}`));
    const { ack: hour } = await fired(...keys);
    expect((await press(hour)).html).toMatch(/Silenced until [^<]+storm-\d+ and 495 more</);
    expect((await silences())[0]?.of?.keys.toSorted()).toEqual(keys.toSorted());
    await alert('firing', ...keys);
    expect(await openNow()).toMatchObject({ open: 500, silenced: 500 });
  });

  it('comes late: the page says that it is resolved, and nothing is silenced', async () => {
    const { ack: hour } = await fired(keyOf('disk'));
    await alert('resolved', keyOf('disk'));
    await hears(stage.anna, `ended ${keyOf('disk')}`);
    expect((await press(hour)).html).toContain('<h1>Resolved</h1>');
    expect(await silences()).toEqual([]);
  });
});
