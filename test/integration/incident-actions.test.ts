import { exports } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually, hurry, pass } from './hurry.ts';
import {
  admin,
  callsTo,
  postJson,
  publish,
  script,
  UNPACED,
  type EventJson,
  type MessageJson,
} from './relay.ts';

hurry();

let used = 0;
const newPhone = (): string => String(4_915_112_393_000 + (used += 1));

const MESSAGE =
  '{% for one in new %}{{ one.item.name }} {% endfor %}{% for one in resolved %}ended {{ one.item.name }}{% endfor %}{% if count > 0 %}\nMine: {{ actions.ack.url }}\nOver: {{ actions.resolve.url }}{% endif %}';

/** Of each test: receivers, and a route that no other test has. */
let stage = { anna: '', ben: '', route: '' };

const setOf = (over: object = {}, source: object = {}) => ({
  accounts: { default: UNPACED },
  recipients: { [stage.route]: { people: { Anna: stage.anna, Ben: stage.ben } } },
  sources: {
    alerts: {
      verify: { scheme: 'none' },
      limit: false,
      ...source,
      routes: [
        {
          name: stage.route,
          each: 'payload.alerts',
          to: [stage.route],
          incident: { key: '{{ item.name }}', resolved: 'item.status == "resolved"', repeat: '2s' },
          group: { wait: '1s', interval: '1s' },
          actions: { ack: {}, resolve: {} },
          send: { kind: 'text', message: MESSAGE },
          ...over,
        },
      ],
    },
  },
});

beforeEach(async () => {
  stage = { anna: newPhone(), ben: newPhone(), route: `on-call-${used}` };
  await publish(setOf());
});

const alert = (status: string, ...names: readonly string[]): Promise<Response> =>
  postJson('alerts', { alerts: names.map((name) => ({ name, status })) });

const textsTo = async (phone: string): Promise<readonly string[]> =>
  (await callsTo(phone)).map(({ params }) => params['message'] ?? '');

/** The newest links that a receiver got: to acknowledge, and to resolve. */
async function linksTo(phone: string): Promise<{ readonly ack: string; readonly resolve: string }> {
  let found: readonly string[] = [];
  await eventually(async () => {
    const text = (await textsTo(phone)).findLast((one) => one.includes('/a/')) ?? '';
    found = [...text.matchAll(/\/a\/[0-9a-z]{24}/g)].map(([path]) => path);
    expect(found).toHaveLength(2);
  });
  return { ack: found[0] ?? '', resolve: found[1] ?? '' };
}

const press = async (path: string): Promise<void> => {
  const init = { method: 'POST', redirect: 'manual' } as const;
  expect((await exports.default.fetch(`https://relay.example.com${path}`, init)).status).toBe(303);
};
const pageOf = async (path: string): Promise<string> =>
  (await exports.default.fetch(`https://relay.example.com${path}`)).text();

/** A request of the console. */
const asBrowser = (
  path: string,
  body: object,
  headers: Readonly<Record<string, string>>,
): Promise<Response> =>
  exports.default.fetch(`https://relay.example.com/admin/api/v1${path}`, {
    method: 'POST',
    headers: { origin: 'https://relay.example.com', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** The cookie of somebody who gives their name with the token. */
async function signedInAs(name: string): Promise<string> {
  const response = await asBrowser('/session', { token: 'admin-token-of-the-tests', name }, {});
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** Does something while the account sends nothing. */
async function paused(work: () => Promise<unknown>): Promise<void> {
  await admin('POST', '/accounts/default/pause');
  try {
    await work();
  } finally {
    await admin('POST', '/accounts/default/resume');
  }
}

const hears = (phone: string, text: string): Promise<void> =>
  eventually(async () => expect(await textsTo(phone)).toContain(text));

interface IncidentJson {
  readonly id: string;
  readonly route: string;
  readonly key: string;
  readonly state: string;
  readonly acknowledged_by?: string;
}

const incidents = async (): Promise<readonly IncidentJson[]> =>
  (await admin<{ items: IncidentJson[] }>('GET', `/incidents?source=alerts&route=${stage.route}`)).body.items;

const idOf = async (key: string): Promise<string> =>
  (await incidents()).find((one) => one.key === key)?.id ?? '';

const pressEvents = async (): Promise<readonly EventJson[]> => {
  const { body } = await admin<{ items: EventJson[] }>('GET', '/events?source=alerts&limit=100');
  const all = body.items.filter(({ type }) => type?.startsWith('action.'));
  const read = await Promise.all(
    all.map(async ({ id }) => (await admin<EventJson>('GET', `/events/${id}`)).body),
  );
  return read.filter(({ payload }) => JSON.stringify(payload).includes(stage.route)).toReversed();
};

describe('a press of `ack`', () => {
  it('acknowledges the incident, the others hear who has it, and the end reaches all', async () => {
    await alert('firing', 'disk');
    const { ack } = await linksTo(stage.anna);
    await linksTo(stage.ben);
    expect(await pageOf(ack)).toContain('>I have it</button>');
    await press(ack);
    expect(await incidents()).toMatchObject([{ state: 'acknowledged', acknowledged_by: 'Anna' }]);
    await hears(stage.ben, 'Anna has it: disk');
    expect(await textsTo(stage.anna)).not.toContain('Anna has it: disk');
    expect(await pageOf(ack)).toContain('You pressed “I have it” on');
    const [pressed] = await pressEvents();
    expect(pressed).toMatchObject({
      type: 'action.ack',
      state: 'routed',
      payload: { by: { name: 'Anna' }, incident: (await incidents())[0]?.id },
    });
    // Its repeats have ended.
    const count = (await textsTo(stage.ben)).length;
    await pass(3_000);
    expect(await textsTo(stage.ben)).toHaveLength(count);
    await alert('resolved', 'disk');
    for (const phone of [stage.anna, stage.ben]) await hears(phone, 'ended disk');
    expect(await pageOf((await linksTo(stage.ben)).ack)).toContain('Anna pressed “I have it”');
  });

  it('of all incidents that its message says are open, in one message to each of the others', async () => {
    await alert('firing', 'one', 'two');
    await press((await linksTo(stage.anna)).ack);
    expect((await incidents()).map(({ state }) => state)).toEqual(['acknowledged', 'acknowledged']);
    await hears(stage.ben, 'Anna has it:\n• one\n• two');
  });

  it('of all that its message names, also of what its receiver knew before', async () => {
    await alert('firing', 'one');
    const first = await linksTo(stage.anna);
    await linksTo(stage.ben);
    await alert('firing', 'two');
    await eventually(async () =>
      expect((await textsTo(stage.anna)).some((text) => text.startsWith('two'))).toBe(true),
    );
    const { ack } = await linksTo(stage.anna);
    expect(ack).not.toBe(first.ack);
    await press(ack);
    expect((await incidents()).map(({ state }) => state)).toEqual(['acknowledged', 'acknowledged']);
  });

  it('comes second: the page says who has it, by the link and by the API', async () => {
    await alert('firing', 'disk');
    const bens = await linksTo(stage.ben);
    await press((await linksTo(stage.anna)).ack);
    expect(await pageOf(bens.ack)).toContain('Anna pressed “I have it” on');
    await press(bens.ack);
    expect(await pressEvents()).toHaveLength(1);
    await alert('firing', 'cpu');
    await eventually(async () =>
      expect(await textsTo(stage.ben)).toSatisfy((texts: string[]) =>
        texts.some((one) => one.startsWith('cpu')),
      ),
    );
    await admin('POST', `/incidents/${await idOf('cpu')}/acknowledge`);
    for (const phone of [stage.anna, stage.ben]) await hears(phone, 'Somebody has it: cpu');
    expect(await pageOf((await linksTo(stage.ben)).ack)).toContain('Somebody took it over on');
  });

  it('by the API names the person who is signed in', async () => {
    await alert('firing', 'disk');
    for (const phone of [stage.anna, stage.ben]) await linksTo(phone);
    const cookie = await signedInAs('Ben Müller');
    const path = `/incidents/${await idOf('disk')}/acknowledge`;
    expect((await asBrowser(path, {}, { cookie })).status).toBe(200);
    for (const phone of [stage.anna, stage.ben]) await hears(phone, 'Ben Müller has it: disk');
    expect(await pageOf((await linksTo(stage.anna)).ack)).toContain('Ben Müller took it over on');
  });

  it('is void when the incident opens again: it is not acknowledged, and can be again', async () => {
    await alert('firing', 'disk');
    const first = await linksTo(stage.anna);
    await press(first.ack);
    await alert('resolved', 'disk');
    await hears(stage.anna, 'ended disk');
    expect(await pageOf(first.resolve)).toContain('This was resolved on');
    const before = (await textsTo(stage.anna)).length;
    await alert('firing', 'disk');
    await eventually(async () => expect((await textsTo(stage.anna)).length).toBeGreaterThan(before));
    expect(await incidents()).toMatchObject([{ state: 'open' }]);
    const { ack } = await linksTo(stage.anna);
    expect(await pageOf(ack)).toContain('>I have it</button>');
    await press(ack);
    expect(await incidents()).toMatchObject([{ state: 'acknowledged' }]);
  });

  it('can be undone: the incident is open again, and those who heard of it hear that', async () => {
    await alert('firing', 'disk');
    const { ack } = await linksTo(stage.anna);
    await linksTo(stage.ben);
    await press(ack);
    await hears(stage.ben, 'Anna has it: disk');
    await press(`${ack}?undo`);
    expect(await incidents()).toMatchObject([{ state: 'open' }]);
    await hears(stage.ben, 'Anna no longer has it: disk');
    expect(await pageOf(ack)).toContain('>I have it</button>');
  });

  it('is heard of nobody once the incident is resolved, although the message about it was queued before', async () => {
    await alert('firing', 'disk');
    const { ack } = await linksTo(stage.anna);
    await linksTo(stage.ben);
    await paused(async () => {
      await press(ack);
      await alert('resolved', 'disk');
    });
    for (const phone of [stage.anna, stage.ben]) await hears(phone, 'ended disk');
    expect((await textsTo(stage.ben)).filter((text) => text.includes('has it'))).toEqual([]);
    const { body } = await admin<{ items: MessageJson[] }>('GET', `/messages?phone=${stage.ben}`);
    expect(body.items.find(({ params }) => params['message'] === 'Anna has it: disk')).toMatchObject({
      state: 'superseded',
    });
  });

  it('is heard of for what is left, where one of its incidents is resolved by then', async () => {
    await alert('firing', 'one', 'two');
    const { ack } = await linksTo(stage.anna);
    await linksTo(stage.ben);
    await paused(async () => {
      await press(ack);
      await alert('resolved', 'one');
    });
    await hears(stage.ben, 'Anna has it: two');
    expect((await textsTo(stage.ben)).filter((text) => text.includes('Anna has it:\n'))).toEqual([]);
  });

  it('that is undone before anybody heard of it is heard of by nobody', async () => {
    await alert('firing', 'disk');
    const { ack } = await linksTo(stage.anna);
    await linksTo(stage.ben);
    const before = await textsTo(stage.ben);
    await paused(async () => {
      await press(ack);
      await press(`${ack}?undo`);
    });
    // It is repeated again.
    await eventually(async () => expect((await textsTo(stage.ben)).length).toBeGreaterThan(before.length));
    expect((await textsTo(stage.ben)).filter((text) => text.startsWith('Anna'))).toEqual([]);
  });

  it('is heard of by those who may have read of the incident', async () => {
    // The gateway takes the message, and its answers break off.
    await script(stage.ben, { failure: 'cut', times: 100 });
    await alert('firing', 'disk');
    const { ack } = await linksTo(stage.anna);
    await linksTo(stage.ben);
    await eventually(async () => {
      const { body } = await admin<{ items: MessageJson[] }>('GET', `/messages?phone=${stage.ben}`);
      expect(body.items[0]?.state).toBe('retrying');
    });
    await press(ack);
    await script(stage.ben);
    await hears(stage.ben, 'Anna has it: disk');
  });

  it('that is undone is heard of by those who may have heard of it', async () => {
    await alert('firing', 'disk');
    const { ack } = await linksTo(stage.anna);
    await linksTo(stage.ben);
    // The gateway takes the message, and its answers break off.
    await script(stage.ben, { failure: 'cut', times: 100 });
    await press(ack);
    await hears(stage.ben, 'Anna has it: disk');
    await eventually(async () => {
      const { body } = await admin<{ items: MessageJson[] }>('GET', `/messages?phone=${stage.ben}`);
      const one = body.items.find(({ params }) => params['message'] === 'Anna has it: disk');
      expect(one?.state).toBe('retrying');
    });
    await press(`${ack}?undo`);
    await script(stage.ben);
    await hears(stage.ben, 'Anna no longer has it: disk');
  });

  it('of two at once is taken once', async () => {
    await alert('firing', 'disk');
    const [annas, bens] = [await linksTo(stage.anna), await linksTo(stage.ben)];
    await Promise.all([press(annas.ack), press(bens.ack)]);
    expect(await pressEvents()).toHaveLength(1);
    const [one] = await incidents();
    expect(['Anna', 'Ben']).toContain(one?.acknowledged_by);
  });

  it('comes late: the page says that it is resolved, and nobody hears of it', async () => {
    await alert('firing', 'disk');
    const { ack } = await linksTo(stage.anna);
    await alert('resolved', 'disk');
    await hears(stage.anna, 'ended disk');
    expect(await pageOf(ack)).toContain('<h1>Resolved</h1>');
    await press(ack);
    expect(await pressEvents()).toEqual([]);
  });
});

describe('a press of `resolve`', () => {
  it('resolves the incident for all who knew, once, and is not undone', async () => {
    await alert('firing', 'disk');
    const { resolve } = await linksTo(stage.anna);
    await linksTo(stage.ben);
    await press(resolve);
    for (const phone of [stage.anna, stage.ben]) await hears(phone, 'ended disk');
    const page = await pageOf(resolve);
    expect(page).toContain('You pressed “It is resolved” on');
    expect(page).not.toContain('?undo');
    expect(await pressEvents()).toMatchObject([{ type: 'action.resolve', state: 'routed' }]);
  });
});

/** All links that somebody got, oldest first. */
const pathsTo = async (phone: string): Promise<readonly string[]> =>
  (await textsTo(phone)).flatMap((text) => /\/a\/[0-9a-z]{24}/.exec(text)?.[0] ?? []);
const nthTo = async (phone: string, n: number): Promise<string> => {
  let path = '';
  await eventually(async () => {
    path = (await pathsTo(phone))[n - 1] ?? '';
    expect(path).not.toBe('');
  });
  return path;
};

describe('a press of an action of the route’s own', () => {
  const LINK =
    '{% for one in resolved %}ended {{ one.item.name }}{% endfor %}{% if count > 0 %}{{ count }} open: {{ actions.restart.url }}{% endif %}';
  beforeEach(() =>
    publish(setOf({ actions: { restart: { label: 'Restart it' } }, send: { kind: 'text', message: LINK } })),
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
      expect(await pageOf(again)).toContain('Anna pressed “Restart it” on');
      await press(again);
    }
    expect(await pressEvents()).toHaveLength(1);
  });

  it('is asked for again when the incident opens again, and when its message is about another one as well', async () => {
    await alert('firing', 'disk');
    await press(await nthTo(stage.anna, 1));
    await alert('firing', 'cpu');
    await eventually(async () =>
      expect((await textsTo(stage.anna)).at(-1)).toSatisfy((text: string) => text.startsWith('2 open')),
    );
    expect(await pageOf((await pathsTo(stage.anna)).at(-1) ?? '')).toContain('>Restart it</button>');
    await alert('resolved', 'disk', 'cpu');
    await hears(stage.anna, 'ended diskended cpu');
    const count = (await pathsTo(stage.anna)).length;
    await alert('firing', 'disk');
    const last = await nthTo(stage.anna, count + 1);
    expect(await pageOf(last)).toContain('>Restart it</button>');
    await press(last);
    expect(await pressEvents()).toHaveLength(2);
  });
});

interface SilenceJson {
  readonly id: string;
  readonly state: string;
  readonly by: string;
  readonly when: string;
  readonly until: string;
  readonly reason: string;
}

const silencesOfRoute = async (): Promise<readonly SilenceJson[]> => {
  const { body } = await admin<{ items: SilenceJson[] }>('GET', '/silences');
  return body.items.filter(({ when }) => when.includes(`"${stage.route}-`));
};
const hour = async (phone: string): Promise<string> => (await linksTo(phone)).ack;

describe('a press of a silence', () => {
  const LINKS =
    '{% for one in new %}{{ one.item.name }} {% endfor %}{% for one in resolved %}ended {{ one.item.name }}{% endfor %}{% if count > 0 %}\n{{ actions.silence_1h.url }}\n{{ actions.silence_night.url }}{% endif %}';
  const actions = { silence_1h: { silence: '1h' }, silence_night: { silence: '07:00' } };
  beforeEach(() => publish(setOf({ actions, send: { kind: 'text', message: LINKS } })));

  it('is in force at once, by whom and for how long it says: the incident opens again unheard', async () => {
    const key = `${stage.route}-disk`;
    await alert('firing', key);
    const path = await hour(stage.anna);
    expect(await pageOf(path)).toContain('>Silence for 1 hour</button>');
    const pressedAt = Date.now();
    await press(path);
    const [silence, ...more] = await silencesOfRoute();
    expect(more).toEqual([]);
    expect(silence).toMatchObject({
      state: 'active',
      by: 'Anna',
      reason: 'Silence for 1 hour',
      when: `event.source == "alerts" and (key == "${key}")`,
    });
    expect(Math.abs(Date.parse(silence?.until ?? '') - pressedAt - 3_600_000)).toBeLessThan(60_000);
    expect(await pageOf(path)).toContain('You pressed “Silence for 1 hour” on');
    await alert('resolved', key);
    for (const phone of [stage.anna, stage.ben]) await hears(phone, `ended ${key}`);
    const before = [await textsTo(stage.anna), await textsTo(stage.ben)];
    await alert('firing', key);
    const held = { state: 'held', silence: silence?.id };
    await eventually(async () => {
      const { body } = await admin<object>('GET', `/incidents/${await idOf(key)}`);
      expect(body).toMatchObject({ state: 'open', receivers: [held, held] });
    });
    expect([await textsTo(stage.anna), await textsTo(stage.ben)]).toEqual(before);
  });

  it('is undone within a minute, and can be pressed again', async () => {
    await alert('firing', `${stage.route}-disk`);
    const path = await hour(stage.anna);
    await press(path);
    await press(`${path}?undo`);
    expect(await silencesOfRoute()).toMatchObject([{ state: 'ended' }]);
    await press(path);
    expect(await silencesOfRoute()).toMatchObject([{ state: 'active' }]);
  });

  it('of two at once is one silence', async () => {
    await alert('firing', `${stage.route}-disk`);
    const [annas, bens] = [await hour(stage.anna), await hour(stage.ben)];
    await Promise.all([press(annas), press(bens), press(annas)]);
    expect(await silencesOfRoute()).toHaveLength(1);
    expect(await pressEvents()).toHaveLength(1);
  });

  it('is about all incidents that its message says are open, and no others', async () => {
    await alert('firing', `${stage.route}-one`, `${stage.route}-two`);
    await press(await hour(stage.anna));
    const [{ when } = { when: '' }] = await silencesOfRoute();
    expect(when).toBe(
      `event.source == "alerts" and (key == "${stage.route}-one" or key == "${stage.route}-two")`,
    );
  });

  it('comes late: the page says that it is resolved, and nothing is silenced', async () => {
    await alert('firing', `${stage.route}-disk`);
    const path = await hour(stage.anna);
    await alert('resolved', `${stage.route}-disk`);
    await hears(stage.anna, `ended ${stage.route}-disk`);
    await press(path);
    expect(await pageOf(path)).toContain('<h1>Resolved</h1>');
    expect(await silencesOfRoute()).toEqual([]);
  });

  it.each([
    [{ silence_1h: {} }, 'sources.alerts.routes[0].actions.silence_1h.silence'],
    [{ quiet: { label: 'Quiet', silence: '1h' } }, 'sources.alerts.routes[0].actions.quiet.silence'],
    [{ silence: { silence: '25:00' } }, 'sources.alerts.routes[0].actions.silence.silence'],
    [{ silence: { silence: '10s' } }, 'sources.alerts.routes[0].actions.silence.silence'],
  ])('in a document that says too little or the wrong thing is refused: %j', async (wrong, path) => {
    const { body } = await admin<{ errors: { path: string }[] }>(
      'POST',
      '/config?dry_run=true',
      setOf({ actions: wrong, send: { kind: 'text', message: 'x' } }),
    );
    expect(body.errors.map((one) => one.path)).toEqual([path]);
  });
});

describe('a document', () => {
  it('with `ack` on a route without incidents is refused', async () => {
    const { body } = await admin<{ errors: { path: string; message: string }[] }>(
      'POST',
      '/config?dry_run=true',
      setOf({ incident: undefined, group: undefined, send: { kind: 'text', message: 'x' } }),
    );
    expect(body.errors).toMatchObject([
      {
        path: 'sources.alerts.routes[0].actions.ack',
        message: expect.stringContaining('add `incident`') as unknown,
      },
      { path: 'sources.alerts.routes[0].actions.resolve' },
    ]);
  });
});
