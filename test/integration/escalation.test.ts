import { env, exports } from 'cloudflare:workers';
import { evictDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually, hurry, pass } from './hurry.ts';
import { admin, callsTo, postJson, publish, UNPACED } from './relay.ts';

hurry();

let used = 0;
const newPhone = (): string => String(4_915_112_395_000 + (used += 1));

const MESSAGE =
  '{% for one in new %}{{ one.item.name }}{% endfor %}{% for one in resolved %}ended {{ one.item.name }}{% endfor %}{% if count > 0 %} {{ actions.ack.url }}{% endif %}';

/** Of each test: receivers, and a route that no other test has. */
let stage = { anna: '', ben: '', carla: '', route: '' };

/** As many hours from now, in UTC: `2026-11-23T09:30`. */
const momentFrom = (hours: number): string =>
  new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16);

/** The same, as an hour of the day. */
const hourFrom = (hours: number): string => `${momentFrom(hours).slice(11, 13)}:00`;

const STEPS = [
  { after: '2s', to: ['second-line'] },
  { after: '4s', to: ['managers'] },
];

const publishWith = (over: object = {}, recipients: object = {}): Promise<void> =>
  publish({
    accounts: { default: UNPACED },
    recipients: {
      [stage.route]: { people: { Anna: stage.anna } },
      // It is quiet now: a step passes it.
      'second-line': { people: { Ben: stage.ben }, quiet: { from: hourFrom(-2), to: hourFrom(2) } },
      managers: { people: { Carla: stage.carla } },
      ...recipients,
    },
    sources: {
      alerts: {
        verify: { scheme: 'none' },
        limit: false,
        routes: [
          {
            name: stage.route,
            each: 'payload.alerts',
            to: [stage.route],
            incident: { key: '{{ item.name }}', resolved: 'item.status == "resolved"' },
            escalate: STEPS,
            actions: { ack: {} },
            send: { kind: 'text', message: MESSAGE },
            ...over,
          },
        ],
      },
    },
  });

beforeEach(async () => {
  stage = { anna: newPhone(), ben: newPhone(), carla: newPhone(), route: `on-call-${used}` };
  await publishWith();
});

const alert = (status: string): Promise<Response> =>
  postJson('alerts', { alerts: [{ name: 'disk', status }] });

const textsTo = async (phone: string): Promise<readonly string[]> =>
  (await callsTo(phone)).map(({ params }) => params['message'] ?? '');

const hears = (phone: string, text: string | RegExp): Promise<void> =>
  eventually(async () =>
    expect(await textsTo(phone)).toEqual(expect.arrayContaining([expect.stringMatching(text)])),
  );

describe('an incident that nobody acknowledges', () => {
  it('reaches the second line and the managers, once each, and its resolution all of them', async () => {
    await alert('firing');
    await hears(stage.anna, /^disk/);
    await hears(stage.ben, /^disk [^]*\nNot acknowledged since [^]*\. Notified: Anna \(/);
    await hears(stage.carla, /Notified: Anna \([^]*\), Ben \(/);
    await alert('resolved');
    for (const phone of [stage.anna, stage.carla]) await hears(phone, /^ended disk$/);
    expect(await textsTo(stage.ben)).toHaveLength(1);
    expect(await textsTo(stage.carla)).toHaveLength(2);
  });

  it('goes on after the object has stopped, by the configuration that is in force then', async () => {
    await alert('firing');
    await hears(stage.ben, /^disk/);
    await evictDurableObject(env.OUTBOX.getByName('default'));
    const dora = newPhone();
    await publishWith({}, { managers: { people: { Dora: dora } } });
    await hears(dora, /Notified: Anna \([^]*\), Ben \(/);
    expect(await textsTo(stage.carla)).toEqual([]);
    expect(await textsTo(stage.ben)).toHaveLength(1);
  });

  it('that somebody takes between two steps escalates no further, and those of the first step hear who has it', async () => {
    await alert('firing');
    await hears(stage.ben, /^disk/);
    const [text = ''] = await textsTo(stage.anna);
    const [path = ''] = /\/a\/[0-9a-z]{24}/.exec(text) ?? [];
    const init = { method: 'POST', redirect: 'manual' } as const;
    expect((await exports.default.fetch(`https://relay.example.com${path}`, init)).status).toBe(303);
    await hears(stage.ben, /^Anna has it: disk$/);
    await pass(3_000);
    expect(await textsTo(stage.carla)).toEqual([]);
  });

  it('is taken by whom a step notified, and the others hear their name', async () => {
    await alert('firing');
    await hears(stage.ben, /^disk/);
    const [text = ''] = await textsTo(stage.ben);
    const [path = ''] = /\/a\/[0-9a-z]{24}/.exec(text) ?? [];
    const init = { method: 'POST', redirect: 'manual' } as const;
    expect((await exports.default.fetch(`https://relay.example.com${path}`, init)).status).toBe(303);
    await hears(stage.anna, /^Ben has it: disk$/);
  });

  it('is asked about again when the acknowledgement is over', async () => {
    await publishWith({ acknowledged_for: '2s', escalate: [{ after: '3s', to: ['managers'] }] });
    await alert('firing');
    await hears(stage.anna, /^disk/);
    const [text = ''] = await textsTo(stage.anna);
    const [path = ''] = /\/a\/[0-9a-z]{24}/.exec(text) ?? [];
    const press = async (): Promise<string> => {
      const init = { method: 'POST', redirect: 'manual' } as const;
      await exports.default.fetch(`https://relay.example.com${path}`, init);
      const { body } = await admin<{ items: { state: string }[] }>('GET', `/incidents?route=${stage.route}`);
      return body.items[0]?.state ?? '';
    };
    expect(await press()).toBe('acknowledged');
    await pass(2_100);
    expect(await press()).toBe('acknowledged');
    await hears(stage.carla, /Not acknowledged since/);
  });
});

describe('the steps of an incident', () => {
  interface Shown {
    readonly id: string;
    readonly started_at: string;
    readonly steps: readonly { readonly at: string; readonly step: number; readonly to: readonly string[] }[];
    readonly next: Shown['steps'][number] | null;
  }

  const shown = async (): Promise<Shown> => {
    const { body } = await admin<{ items: Shown[] }>('GET', `/incidents?route=${stage.route}`);
    return (await admin<Shown>('GET', `/incidents/${body.items[0]?.id ?? ''}`)).body;
  };

  it('are seen before they are taken, and after', async () => {
    await publishWith({
      escalate: [
        { after: '1s', to: ['second-line'] },
        { after: '1h', to: ['managers', stage.carla] },
      ],
    });
    await alert('firing');
    await hears(stage.ben, /^disk/);
    const one = await shown();
    expect(one.steps).toMatchObject([{ step: 1, to: ['second-line'] }]);
    const at = new Date(Date.parse(one.started_at) + 3_600_000).toISOString();
    expect(one.next).toEqual({ at, step: 2, to: ['managers', stage.carla] });
    await admin('POST', `/incidents/${one.id}/acknowledge`);
    expect(await shown()).toMatchObject({ steps: one.steps, next: null });
  });
});

describe('a step without receivers', () => {
  it('gives way to the next one', async () => {
    await publishWith(
      {
        escalate: [
          { after: '1s', to: ['nobody'] },
          { after: '1h', to: ['managers'] },
        ],
      },
      {
        nobody: { numbers: [] },
      },
    );
    await alert('firing');
    await hears(stage.carla, /Notified: Anna \(/);
  });

  it('is one whose receivers have all opted out', async () => {
    await admin('PUT', `/suppressions/${stage.ben}`, {});
    await publishWith({
      escalate: [
        { after: '1s', to: ['second-line'] },
        { after: '1h', to: ['managers'] },
      ],
    });
    await alert('firing');
    await hears(stage.carla, /Notified: Anna \(/);
    expect(await textsTo(stage.ben)).toEqual([]);
  });
});

describe('the list of a step that was taken', () => {
  const firstStep = { escalate: [{ after: '1s', to: ['second-line'] }] };

  it('hands over to the next person, who is notified of what is open', async () => {
    const people = { Ben: stage.ben, Carla: stage.carla };
    const rotation = { order: ['Ben'], every: '1w', from: '2026-01-05T09:00', timezone: 'UTC' }; // fixed date: always Ben
    await publishWith(firstStep, { 'second-line': { people, rotation } });
    await alert('firing');
    await hears(stage.ben, /^disk/);
    const overrides = [{ person: 'Carla', from: momentFrom(-1), to: momentFrom(1) }];
    await publishWith(firstStep, { 'second-line': { people, rotation: { ...rotation, overrides } } });
    await hears(stage.carla, /^disk [^]*Notified: Anna \([^]*\), Ben \(/);
    await alert('resolved');
    for (const phone of [stage.ben, stage.carla]) await hears(phone, /^ended disk$/);
    expect(await textsTo(stage.ben)).toHaveLength(2);
  });

  it('that gets more people notifies those of them who have not opted out', async () => {
    const dora = newPhone();
    await admin('PUT', `/suppressions/${stage.carla}`, {});
    await publishWith(firstStep);
    await alert('firing');
    await hears(stage.ben, /^disk/);
    const people = { Ben: stage.ben, Carla: stage.carla, Dora: dora };
    await publishWith(firstStep, { 'second-line': { people } });
    await hears(dora, /^disk/);
    const { body } = await admin<{ items: object[] }>('GET', `/messages?phone=${stage.carla}`);
    expect(body.items).toEqual([]);
  });
});

describe('a route whose own list is empty', () => {
  it('notifies the first step that has receivers at once', async () => {
    await publishWith(
      {
        escalate: [
          { after: '1h', to: ['nobody'] },
          { after: '2h', to: ['managers'] },
        ],
      },
      { [stage.route]: { numbers: [] }, nobody: { numbers: [] } },
    );
    await alert('firing');
    await hears(stage.carla, /^disk/);
    await alert('resolved');
    await hears(stage.carla, /^ended disk$/);
    expect(await textsTo(stage.anna)).toEqual([]);
  });
});
