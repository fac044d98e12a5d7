import { expect, it } from 'vitest';
import { EMPTY_SET, type ConfigSet } from '../../../src/config/documents/schema.ts';
import { ok } from '../../../src/lib/result.ts';
import { afterInit, BERLIN, person, planOf, valueOrWhy, type Given } from './new-source.ts';

const GIVEN = { source: 'mine', to: ['+49 171 3920001'] };
const BEN = ['+49 171 3920002'];
const STEP = [{ after: '15m', to: 'second-line' }];

const whyNot = async (given: Given) => valueOrWhy(await planOf({ ...GIVEN, ...BERLIN, ...given }));

/** The lists after `init`, and the steps of the source's routes. `ask`: to a person. */
async function made(given: Given, before: ConfigSet = EMPTY_SET, ask = person()) {
  const { plan, set } = await afterInit({ ...GIVEN, ...given }, before, given.escalate ? {} : { ask });
  const steps = plan.starter.routes.map(({ name, escalate }): [string, unknown] => [String(name), escalate]);
  return { set, lists: set.recipients, steps: Object.fromEntries(steps) };
}

/** A person who answers the question for a second line. */
function answering(second: string) {
  const asked: string[] = [];
  const ask = person({
    text: async ({ message, initial = '' }) => {
      if (!message.startsWith('Who is notified if')) return ok(initial);
      asked.push(message);
      return ok(second);
    },
  });
  return { ask, asked };
}

it('a second line is notified of every problem that the first one is asked to acknowledge, by option or by answer', async () => {
  const { ask, asked } = answering('0171 3920002');
  for (const { lists, steps } of [
    await made({ provider: 'grafana', escalate: BEN }),
    await made({ provider: 'grafana' }, EMPTY_SET, ask),
  ]) {
    expect(steps).toEqual({ test: undefined, critical: STEP, others: STEP });
    const [first, second] = [['491713920001'], ['491713920002']];
    expect(lists).toEqual({ 'second-line': { numbers: second }, 'on-call': { numbers: first } });
  }
  expect(asked).toEqual([
    'Who is notified if nobody has acknowledged an alert after 15 minutes? (a number; Enter: nobody)',
  ]);
  const none = await made({ provider: 'grafana' }, EMPTY_SET, answering('').ask);
  expect(none.steps).toEqual({ test: undefined, critical: undefined, others: undefined });
  expect(Object.keys(none.lists)).toEqual(['on-call']);
});

it('a second line is not asked for by a provider that sends nothing that wakes people', async () => {
  for (const provider of ['stripe', 'github']) {
    const { ask, asked } = answering('0171 3920002');
    await made({ provider }, EMPTY_SET, ask);
    expect(asked).toEqual([]);
    const why = `--escalate: the starter of ${provider} has no alerts to acknowledge`;
    expect(await whyNot({ provider, escalate: BEN })).toBe(why);
  }
});

it('a second line is not woken by what waits in quiet hours for the first one', async () => {
  const quiet = '22:00-07:00';
  const { steps } = await made({ provider: 'grafana', escalate: BEN, quiet });
  expect(steps).toEqual({ test: undefined, critical: STEP, others: undefined });
  const unranked = { provider: 'uptime-kuma', escalate: BEN, quiet };
  expect((await made(unranked)).steps['monitors']).toEqual(STEP);
  expect(await whyNot({ ...unranked, outagesWait: true })).toBe(
    '--escalate: all alerts of uptime-kuma wait in quiet hours: leave out --quiet or --outages-wait',
  );
});

it('a second line has addresses where the gateway has, and is somebody else', async () => {
  const to = { provider: 'grafana', gateway: 'ntfy', to: ['first'] };
  const { lists } = await made({ ...to, escalate: ['second'] });
  expect(lists['second-line']).toEqual({ people: { 'person-1': { address: { ntfy: 'second' } } } });
  const again = '+49 171 3920001 is notified at once: give somebody else';
  for (const [given, why] of [
    [{ ...to, escalate: ['not a topic'] }, '`not a topic` is not a topic'],
    [{ provider: 'grafana', escalate: ['nobody'] }, '"nobo…" has no digits'],
    [{ provider: 'grafana', escalate: GIVEN.to }, again],
  ] as const)
    expect(await whyNot(given)).toBe(`--escalate: ${why}`);
});

it('a second line has a list of its own where another source notifies other people by that name', async () => {
  const first = await made({ provider: 'grafana', source: 'first', escalate: BEN });
  const same = await made({ provider: 'zabbix', escalate: BEN }, first.set);
  expect(same.steps['high']).toEqual(STEP);
  const other = await made({ provider: 'zabbix', escalate: ['+49 171 3920003'] }, first.set);
  expect(other.steps['high']).toEqual([{ after: '15m', to: 'mine-second-line' }]);
  expect(other.lists).toMatchObject({
    'second-line': { numbers: ['491713920002'] },
    'mine-second-line': { numbers: ['491713920003'] },
  });
});
