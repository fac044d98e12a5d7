import { describe, expect, it } from 'vitest';
import type { Ask } from '../../../cli/ask.ts';
import { makePlan, type GivenOptions } from '../../../cli/init/ask.ts';
import { askGateway } from '../../../cli/init/gateway.ts';
import { withOwnLists } from '../../../cli/init/lists.ts';
import { withSecondLine } from '../../../cli/init/second-line.ts';
import { earlierAnswers } from '../../../shared/new-source/earlier.ts';
import { compileConfig } from '../../../src/config/compile.ts';
import { EMPTY_SET, type ConfigSet } from '../../../src/config/schema.ts';
import { ok } from '../../../src/lib/result.ts';
import { withDocuments } from './new-source.ts';

const MACHINE = { relay: 'https://relay.example', lang: undefined, timezone: 'UTC' };
const GIVEN = {
  source: 'mine',
  to: ['+49 171 3920001'],
  country: 'DE',
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
};
const BEN = ['+49 171 3920002'];
const STEP = [{ after: '15m', to: 'second-line' }];

type Given = GivenOptions & { readonly provider: string };

async function planOf(given: Given, set: ConfigSet = EMPTY_SET, ask: Ask | null = null) {
  const destination = await askGateway(given, null, set);
  if (!destination.ok) return destination;
  return makePlan({ ...GIVEN, ...given }, ask, MACHINE, earlierAnswers(set), destination.value);
}

const errorOf = async (given: Given): Promise<string> => {
  const made = await planOf(given);
  return made.ok ? '' : made.error.message;
};

/** The set after `init`, for a folder whose lists are not widened, and the steps of its routes. */
async function afterInit(given: Given, set: ConfigSet = EMPTY_SET, ask: Ask | null = null) {
  const made = await planOf(given, set, ask);
  const listed = made.ok ? await withOwnLists(made.value, set, null) : made;
  const whole = listed.ok ? await withSecondLine(listed.value, set, null) : listed;
  if (!whole.ok) throw new Error(whole.error.message);
  const { plan, list } = whole.value;
  const next = withDocuments(plan, set, list);
  const { errors, warnings } = compileConfig(next, 0);
  expect([...errors, ...warnings.filter(({ path }) => path.includes('escalate'))]).toEqual([]);
  const steps = plan.starter.routes.map(({ name, escalate }): [string, unknown] => [String(name), escalate]);
  return { set: next, steps: Object.fromEntries(steps) };
}

/** A person who answers the question for a second line, and to others gives the likely answer. */
function person(second: string) {
  const asked: string[] = [];
  const ask: Ask = {
    confirm: async () => ok(true),
    search: async (_, [first]) => ok(first?.value ?? ''),
    text: async ({ message, initial = '' }) => {
      if (!message.startsWith('Who is notified if')) return ok(initial);
      asked.push(message);
      return ok(second);
    },
  };
  return { ask, asked };
}

describe('the second line of a new source of alerts', () => {
  it('is notified of every problem that the first one is asked to acknowledge, and nobody unless given', async () => {
    const { set, steps } = await afterInit({ provider: 'grafana', escalate: BEN });
    expect(steps).toEqual({ test: undefined, critical: STEP, others: STEP });
    expect(set.recipients).toEqual({
      'second-line': { numbers: ['491713920002'] },
      'on-call': { numbers: ['491713920001'] },
    });
    const none = await afterInit({ provider: 'grafana' });
    expect(none.steps).toEqual({ test: undefined, critical: undefined, others: undefined });
    expect(Object.keys(none.set.recipients)).toEqual(['on-call']);
  });

  it('is asked for after what else alerts need, and Enter is nobody', async () => {
    const { ask, asked } = person('');
    expect((await afterInit({ provider: 'grafana' }, EMPTY_SET, ask)).steps['critical']).toBeUndefined();
    expect(asked).toEqual([
      'Who is notified if nobody has acknowledged an alert after 15 minutes? (a number; Enter: nobody)',
    ]);
    const answered = await afterInit({ provider: 'grafana' }, EMPTY_SET, person('0171 3920002').ask);
    expect(answered.steps['critical']).toEqual(STEP);
    expect(answered.set.recipients['second-line']).toEqual({ numbers: ['491713920002'] });
  });

  it('is not asked for by a provider that sends nothing that wakes people', async () => {
    for (const provider of ['stripe', 'github']) {
      const { ask, asked } = person('0171 3920002');
      await afterInit({ provider }, EMPTY_SET, ask);
      expect(asked).toEqual([]);
      const why = `--escalate: the starter of ${provider} has no alerts to acknowledge`;
      expect(await errorOf({ provider, escalate: BEN })).toBe(why);
    }
  });

  it('is not woken by what waits in quiet hours for the first one', async () => {
    const quiet = '22:00-07:00';
    const { steps } = await afterInit({ provider: 'grafana', escalate: BEN, quiet });
    expect(steps).toEqual({ test: undefined, critical: STEP, others: undefined });
    const unranked = { provider: 'uptime-kuma', escalate: BEN, quiet };
    expect((await afterInit(unranked)).steps['monitors']).toEqual(STEP);
    expect(await errorOf({ ...unranked, outagesWait: true })).toBe(
      '--escalate: all alerts of uptime-kuma wait in quiet hours: leave out --quiet or --outages-wait',
    );
  });

  it('has addresses where the gateway has, and is somebody else', async () => {
    const to = { provider: 'grafana', gateway: 'ntfy', to: ['first'] };
    const { set } = await afterInit({ ...to, escalate: ['second'] });
    const people = { 'person-1': { address: { ntfy: 'second' } } };
    expect(set.recipients['second-line']).toEqual({ people });
    for (const [given, why] of [
      [{ ...to, escalate: ['not a topic'] }, '`not a topic` is not a topic'],
      [{ provider: 'grafana', escalate: ['nobody'] }, '"nobo…" has no digits'],
      [
        { provider: 'grafana', escalate: GIVEN.to },
        '+49 171 3920001 is notified at once: give somebody else',
      ],
    ] as const)
      expect(await errorOf(given)).toBe(`--escalate: ${why}`);
  });

  it('has a list of its own where another source notifies other people by that name', async () => {
    const first = await afterInit({ provider: 'grafana', source: 'first', escalate: BEN });
    const again = await afterInit({ provider: 'zabbix', escalate: BEN }, first.set);
    expect(again.steps['high']).toEqual(STEP);
    const other = await afterInit({ provider: 'zabbix', escalate: ['+49 171 3920003'] }, first.set);
    expect(other.steps['high']).toEqual([{ after: '15m', to: 'mine-second-line' }]);
    expect(other.set.recipients).toMatchObject({
      'second-line': { numbers: ['491713920002'] },
      'mine-second-line': { numbers: ['491713920003'] },
    });
  });
});
