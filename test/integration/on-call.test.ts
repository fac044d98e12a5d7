import { evictDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually, hurry, pass, skip } from './hurry.ts';
import { linksTo, open as ask } from './links.ts';
import { outbox, take } from './posted.ts';
import { admin, listOf, publish, textsTo, UNPACED } from './relay.ts';
import { newPhone, open, text } from './sources.ts';

hurry();

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const MESSAGE =
  '{% for one in new %}{{ one.item.name }}{% endfor %}{% for one in resolved %}ended {{ one.item.name }}{% endfor %}{% if count > 0 %} {{ actions.ack.url }}{% endif %}';

/** Of each test: people, and a name that its route and the route's list have. */
let stage = { anna: '', ben: '', carla: '', route: '' };

/** As many ms from now, in UTC: `2026-11-23T09:30`. */
const local = (ms: number): string => new Date(Date.now() + ms).toISOString().slice(0, 16);
/** The same, as an hour of the day. */
const hourFrom = (hours: number): string => `${local(hours * HOUR).slice(11, 13)}:00`;
const step = (after: string, ...to: readonly string[]) => ({ after, to });

const publishWith = (over: object = {}, recipients: object = {}): Promise<void> =>
  publish({
    accounts: { default: UNPACED },
    recipients: {
      [stage.route]: { people: { Anna: stage.anna } },
      // It is quiet now: a step passes it.
      'second-line': { people: { Ben: stage.ben }, quiet: { from: hourFrom(-2), to: hourFrom(2) } },
      managers: { people: { Carla: stage.carla } },
      nobody: { numbers: [] },
      ...recipients,
    },
    sources: {
      alerts: open([
        {
          name: stage.route,
          to: [stage.route],
          incident: { key: '{{ payload.name }}', resolved: 'payload.status == "resolved"' },
          escalate: [step('2s', 'second-line'), step('4s', 'managers')],
          actions: { ack: {} },
          send: text(MESSAGE),
          ...over,
        },
      ]),
    },
  });

beforeEach(async () => {
  stage = { anna: newPhone(), ben: newPhone(), carla: newPhone(), route: '' };
  stage = { ...stage, route: `on-call-${stage.anna}` };
  await publishWith();
});

const alert = (status: string, name = 'disk') => take('alerts', { name, status });
const hears = (phone: string, words: RegExp): Promise<void> =>
  eventually(async () => expect(await textsTo(phone)).toContainEqual(expect.stringMatching(words)));
const press = async (phone: string) => {
  const [link] = await linksTo(phone);
  expect((await ask(link, 'POST')).status).toBe(303);
};
const AFTER_ANNA = /^disk [^]*\nNot acknowledged since [^]*\. Notified: Anna \(/;

describe('an incident that nobody acknowledges', () => {
  it('reaches the second line and the managers, once each, and its resolution all of them', async () => {
    await alert('firing');
    await hears(stage.anna, /^disk/);
    await hears(stage.ben, AFTER_ANNA);
    await hears(stage.carla, /Notified: Anna \([^]*\), Ben \(/);
    await alert('resolved');
    for (const phone of [stage.anna, stage.carla]) await hears(phone, /^ended disk$/);
    expect([(await textsTo(stage.ben)).length, (await textsTo(stage.carla)).length]).toEqual([1, 2]);
  });

  it('goes on after the object has stopped, by the configuration that is in force then', async () => {
    await alert('firing');
    await hears(stage.ben, /^disk/);
    await evictDurableObject(outbox());
    const dora = newPhone();
    await publishWith({}, { managers: { people: { Dora: dora } } });
    await hears(dora, /Notified: Anna \([^]*\), Ben \(/);
    expect([await textsTo(stage.carla), (await textsTo(stage.ben)).length]).toEqual([[], 1]);
  });

  it('that somebody takes between two steps escalates no further, and the others hear who has it', async () => {
    for (const [who, by, other] of [
      ['Anna', stage.anna, stage.ben],
      ['Ben', stage.ben, stage.anna],
    ] as const) {
      await alert('firing', who);
      await hears(stage.ben, new RegExp(`^${who} `));
      await press(by);
      await hears(other, new RegExp(`^${who} has it: ${who}$`));
    }
    await pass(3_000);
    expect(await textsTo(stage.carla)).toEqual([]);
  });
});

describe('the steps of an incident', () => {
  it('are seen before they are taken, and after', async () => {
    interface Shown {
      readonly id: string;
      readonly started_at: string;
      readonly steps: readonly object[];
    }
    const shown = async () => {
      const [one] = await listOf<Shown>(`/incidents?route=${stage.route}`);
      return (await admin<Shown>('GET', `/incidents/${one?.id}`)).body;
    };
    await publishWith({ escalate: [step('1s', 'second-line'), step('1h', 'managers', stage.carla)] });
    await alert('firing');
    await hears(stage.ben, /^disk/);
    const one = await shown();
    expect(one.steps).toMatchObject([{ step: 1, to: ['second-line'] }]);
    const at = new Date(Date.parse(one.started_at) + HOUR).toISOString();
    expect(one).toMatchObject({ next: { at, step: 2, to: ['managers', stage.carla] } });
    await admin('POST', `/incidents/${one.id}/acknowledge`);
    expect(await shown()).toMatchObject({ steps: one.steps, next: null });
  });
});

const people = () => ({ Ben: stage.ben, Carla: stage.carla });

describe('the list of a step that was taken', () => {
  const escalate = [step('1s', 'second-line')];

  it('hands over to the next person, who is notified of what is open', async () => {
    const rotation = { order: ['Ben'], every: '1w', from: '2026-01-05T09:00', timezone: 'UTC' }; // fixed date: always Ben
    await publishWith({ escalate }, { 'second-line': { people: people(), rotation } });
    await alert('firing');
    await hears(stage.ben, /^disk/);
    const overrides = [{ person: 'Carla', from: local(-HOUR), to: local(HOUR) }];
    const swapped = { people: people(), rotation: { ...rotation, overrides } };
    await publishWith({ escalate }, { 'second-line': swapped });
    await hears(stage.carla, /^disk [^]*Notified: Anna \([^]*\), Ben \(/);
    await alert('resolved');
    for (const phone of [stage.ben, stage.carla]) await hears(phone, /^ended disk$/);
    expect(await textsTo(stage.ben)).toHaveLength(2);
  });
});

const gets = (phone: string, ...texts: readonly string[]): Promise<void> =>
  eventually(async () => expect(await textsTo(phone)).toEqual(texts));

const publishList = (turns: object, route: object) =>
  publishWith(
    { to: 'team', ...route },
    { team: { people: { anna: stage.anna, ben: { phone: stage.ben } }, rotation: turns } },
  );

/** Anna has been on call for an hour, and hands over to Ben in 23 hours. */
const handingOver = (over: object = {}) => {
  const order = ['anna', 'ben'];
  return { order, every: '1d', from: local(-HOUR), timezone: 'UTC', ...over };
};

describe('a list with a rotation', () => {
  const PLAIN = {
    incident: undefined,
    escalate: undefined,
    actions: undefined,
    send: text('{{ payload.name }}'),
  };
  const INCIDENT = {
    escalate: undefined,
    actions: undefined,
    send: text('{{ item.name }}{% if resolved_at %} over{% endif %}'),
  };

  it('sends a message to whoever is on call when it is accepted or replayed, or whom its route names', async () => {
    await publishList(handingOver(), PLAIN);
    const { event } = await alert('firing', 'first');
    await gets(stage.anna, 'first');
    await skip(DAY);
    await alert('firing', 'second');
    await gets(stage.ben, 'second');
    expect((await admin('POST', `/events/${event}/replay`, {})).status).toBeLessThan(300);
    await gets(stage.ben, 'second', 'first');
    await publishList(handingOver(), { ...PLAIN, to: 'team/ben' });
    await alert('firing', 'for ben');
    await gets(stage.ben, 'second', 'first', 'for ben');
    expect(await textsTo(stage.anna)).toEqual(['first']);
  });

  it('notifies the next person of what is open when the alarm rings, and both of its end', async () => {
    await publishList(handingOver(), INCIDENT);
    await alert('firing');
    await gets(stage.anna, 'disk');
    await skip(22 * HOUR);
    expect(await textsTo(stage.ben)).toEqual([]);
    await skip(HOUR);
    await gets(stage.ben, 'disk');
    await alert('resolved');
    for (const phone of [stage.anna, stage.ben]) await gets(phone, 'disk', 'disk over');
  });

  it('hands over at once when an override is made by hand or published, and back when it ends or is ended, also if the object has stopped', async () => {
    await publishList(handingOver(), INCIDENT);
    await alert('firing', 'cpu');
    await gets(stage.anna, 'cpu');
    const path = '/recipients/team/overrides';
    const made = await admin<{ id: string }>('POST', path, { person: 'ben', to: local(3 * HOUR) });
    await gets(stage.ben, 'cpu');
    await evictDurableObject(outbox());
    await publishList(handingOver(), INCIDENT);
    await alert('firing', 'swap');
    await gets(stage.ben, 'cpu', 'swap');
    expect((await admin('DELETE', `${path}/${made.body.id}`)).status).toBe(200);
    await eventually(async () => expect((await textsTo(stage.anna)).at(-1)).toContain('swap'));
    const heard = (await textsTo(stage.anna)).length;
    await publishList(
      handingOver({ overrides: [{ person: 'ben', from: local(-MINUTE), to: local(HOUR) }] }),
      INCIDENT,
    );
    await alert('firing', 'ram');
    await hears(stage.ben, /ram/);
    expect(await textsTo(stage.anna)).toHaveLength(heard);
    await skip(HOUR);
    await hears(stage.anna, /ram/);
  });
});
