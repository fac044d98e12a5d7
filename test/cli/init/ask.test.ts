import { describe, expect, it } from 'vitest';
import type { Ask } from '../../../cli/ask.ts';
import { makePlan, type GivenOptions, type MachineSettings } from '../../../cli/init/ask.ts';
import { earlierAnswers } from '../../../shared/new-source/earlier.ts';
import { isPlace } from '../../../shared/new-source/zone.ts';
import { EMPTY_SET } from '../../../src/config/schema.ts';
import { stopped } from '../../../cli/failure.ts';
import { ok } from '../../../src/lib/result.ts';

const GIVEN: GivenOptions = {
  source: 'mine',
  to: ['+49 171 3920001'],
  country: 'DE',
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
};

const RELAY = 'https://relay.example';
const MACHINE: MachineSettings = { relay: RELAY, lang: undefined, timezone: 'UTC' };
const NOTHING = earlierAnswers(EMPTY_SET);

/** A person who gives these quiet hours, and to other questions the likely answers. */
function person(quiet: string): { readonly ask: Ask; readonly questions: readonly string[] } {
  const questions: string[] = [];
  const ask: Ask = {
    confirm: async () => ok(true),
    text: async ({ message, initial = '' }) => {
      questions.push(message);
      return ok(message.startsWith('Quiet hours') ? quiet : initial);
    },
    search: async () => ok('stripe'),
  };
  return { ask, questions };
}

describe('quiet hours of a new source', () => {
  it('are asked for where the provider sends alerts', async () => {
    const { ask, questions } = person('22:00-07:00');
    const plan = await makePlan({ ...GIVEN, provider: 'grafana' }, ask, MACHINE, NOTHING);
    expect(questions).toEqual([
      expect.stringContaining('Quiet hours, such as 22:00-07:00'),
      expect.stringContaining('acknowledged an urgent alert after 15 minutes'),
    ]);
    expect(plan).toMatchObject({ ok: true, value: { quiet: { from: '22:00', to: '07:00' } } });
  });

  it('may be left empty', async () => {
    const { ask } = person('');
    expect(await makePlan({ ...GIVEN, provider: 'grafana' }, ask, MACHINE, NOTHING)).toMatchObject({
      ok: true,
      value: { quiet: null },
    });
  });

  it.each(['stripe', 'typeform', 'generic'])('are not asked for with %s', async (provider) => {
    const { ask, questions } = person('22:00-07:00');
    expect(await makePlan({ ...GIVEN, provider }, ask, MACHINE, NOTHING)).toMatchObject({
      ok: true,
      value: { quiet: null },
    });
    expect(questions).toEqual([]);
  });

  it('are none without a terminal, unless they are given', async () => {
    const none = await makePlan({ ...GIVEN, provider: 'pingdom' }, null, MACHINE, NOTHING);
    expect(none).toMatchObject({ ok: true, value: { quiet: null } });
    const given = await makePlan(
      { ...GIVEN, provider: 'stripe', quiet: '20:00-8:00' },
      null,
      MACHINE,
      NOTHING,
    );
    expect(given).toMatchObject({ ok: true, value: { quiet: { from: '20:00', to: '08:00' } } });
  });

  it('that nobody can mean are refused, and say how they are written', async () => {
    const plan = await makePlan({ ...GIVEN, provider: 'pingdom', quiet: 'at night' }, null, MACHINE, NOTHING);
    expect(plan).toMatchObject({
      ok: false,
      error: { message: '`at night` must be quiet hours such as 22:00-07:00' },
    });
  });
});

/** A person who types these answers in turn, each a question’s beginning and what is typed; else takes the proposal. */
function typing(answers: Readonly<Record<string, readonly string[]>>) {
  const shown: Record<string, string> = {};
  const refused: string[] = [];
  const left = new Map(Object.entries(answers).map(([question, typed]) => [question, [...typed]]));
  const ask: Ask = {
    confirm: async () => ok(false),
    text: async ({ message, initial = '', check }) => {
      const key = message.split(/[ ,]/).slice(0, 2).join(' ');
      shown[key] = initial;
      for (const typed of [...(left.get(key) ?? []), initial]) {
        const wrong = check?.(typed);
        if (wrong === undefined) return ok(typed);
        refused.push(wrong);
      }
      return stopped('no answer is right');
    },
    search: async (message, [first]) => {
      shown[message.split(' ').slice(0, 3).join(' ')] = first?.value ?? '';
      return ok(first?.value ?? '');
    },
  };
  return { ask, shown, refused };
}

const GERMAN: MachineSettings = { relay: RELAY, lang: 'de_DE.UTF-8', timezone: 'UTC' };

describe('the address of a new source', () => {
  const monday = { ...GIVEN, provider: 'monday', answer: ['subdomain=acme'] };

  it('is asked for where tokens name it, and is likely to be the relay’s', async () => {
    const { ask, questions } = person('');
    const plan = await makePlan(monday, ask, MACHINE, NOTHING);
    expect(questions).toEqual(['The address that you give to monday.com, which puts it into its tokens']);
    expect(plan).toMatchObject({ ok: true, value: { address: 'https://relay.example/hooks/mine' } });
  });

  it('is the relay’s without a terminal, and refused where that is not known yet', async () => {
    expect(await makePlan(monday, null, MACHINE, NOTHING)).toMatchObject({
      ok: true,
      value: { address: 'https://relay.example/hooks/mine' },
    });
    const unknown = { ...MACHINE, relay: 'https://acme.<you>.workers.dev' };
    const refused = await makePlan(monday, null, unknown, NOTHING);
    expect(JSON.stringify(refused)).toContain(
      'is not an address that monday.com can post to: give the relay',
    );
    // Nothing names it there.
    expect(await makePlan({ ...GIVEN, provider: 'stripe' }, null, unknown, NOTHING)).toMatchObject({
      ok: true,
    });
  });
});

describe('the answers of a person', () => {
  it('may be a country’s name and numbers as they are written there, and never make UTC of a country', async () => {
    const { ask } = typing({ 'Country of': ['deutschland'], 'Numbers for': ['0171 3920001'] });
    const plan = await makePlan({ provider: 'stripe', source: 'shop' }, ask, MACHINE, NOTHING);
    expect(plan).toMatchObject({
      ok: true,
      value: { country: 'DE', numbers: ['491713920001'], locale: 'de-DE', timezone: 'Europe/Berlin' },
    });
  });

  it('are asked in an order in which each helps the next', async () => {
    const { ask, shown } = typing({ 'Numbers for': ['0171 3920001'] });
    await makePlan({ provider: 'stripe' }, ask, GERMAN, NOTHING);
    expect(Object.entries(shown)).toEqual([
      ['A name', 'stripe'],
      ['Country of', 'DE'],
      ['Numbers for', ''],
      ['The language', 'de-DE'],
      ['The time', 'Europe/Berlin'],
    ]);
  });

  it('are asked for again when they are wrong, with what is wrong', async () => {
    const { ask, refused } = typing({
      'A name': ['', 'a b', 'shop'],
      'Country of': ['nowhere', 'de'],
      'Numbers for': ['', 'abc', '0171', '0171 3920001'],
      'The language': ['german', 'de'],
      'The time': ['berlin', 'europe/berlin'],
    });
    const plan = await makePlan({ provider: 'stripe' }, ask, MACHINE, NOTHING);
    expect(plan).toMatchObject({ ok: true, value: { timezone: 'Europe/Berlin', locale: 'de' } });
    expect(refused).toEqual([
      expect.stringContaining('not a name'),
      expect.stringContaining('not a name'),
      expect.stringContaining('not a country'),
      expect.stringContaining('a number is needed'),
      expect.stringContaining('has no digits'),
      expect.stringContaining('not a valid phone number in DE'),
      expect.stringContaining('not a language'),
      expect.stringContaining('not a time zone'),
    ]);
  });

  it('to a country of many clocks choose its zone, the likeliest first', async () => {
    const { ask, shown } = typing({ 'Country of': ['us'], 'Numbers for': ['202 555 0123'] });
    const plan = await makePlan({ provider: 'stripe' }, ask, MACHINE, NOTHING);
    expect(shown['Which time zone']).toBe('America/New_York');
    expect(plan).toMatchObject({ ok: true, value: { timezone: 'America/New_York', locale: 'en-US' } });
  });

  it('are known to the next run', async () => {
    const set = {
      ...EMPTY_SET,
      sources: { shop: { country: 'AT', locale: 'de-AT', timezone: 'Europe/Vienna', routes: [] } },
      recipients: { 'shop-owners': { numbers: ['43664123456'] } },
    };
    const { ask, shown } = typing({});
    const plan = await makePlan({ provider: 'typeform' }, ask, GERMAN, earlierAnswers(set));
    expect(shown).toMatchObject({
      'Country of': 'AT',
      'Numbers for': '+43 664 123456',
      'The language': 'de-AT',
      'The time': 'Europe/Vienna',
    });
    expect(plan).toMatchObject({ ok: true, value: { numbers: ['43664123456'] } });
  });
});

describe('without a person', () => {
  it('the country is that of the number, and its zone the country’s', async () => {
    const plan = await makePlan({ provider: 'stripe', to: ['+43 664 123456'] }, null, GERMAN, NOTHING);
    expect(plan).toMatchObject({
      ok: true,
      value: { country: 'AT', locale: 'de-AT', timezone: 'Europe/Vienna' },
    });
  });

  it('a number as it is written in a country needs that country', async () => {
    const national = { provider: 'stripe', to: ['0171 3920001'] };
    expect(await makePlan({ ...national, country: 'Germany' }, null, MACHINE, NOTHING)).toMatchObject({
      ok: true,
      value: { numbers: ['491713920001'], country: 'DE' },
    });
    const refused = await makePlan(national, null, MACHINE, NOTHING);
    expect(refused.ok ? '' : refused.error.message).toContain('--country DE');
  });

  it('the zone is the country’s on a machine in UTC, after a source in UTC, and where none is named', async () => {
    const set = { ...EMPTY_SET, sources: { shop: { country: 'DE', timezone: 'UTC', routes: [] } } };
    const given = { provider: 'stripe', to: ['+491713920001'], timezone: '' };
    expect(await makePlan(given, null, GERMAN, earlierAnswers(set))).toMatchObject({
      ok: true,
      value: { country: 'DE', timezone: 'Europe/Berlin' },
    });
  });

  it.each(['UTC', 'etc/utc', 'GMT'])(
    '%s beside a country is refused, and what is meant is said',
    async (timezone) => {
      const given = { provider: 'stripe', to: ['+491713920001'], country: 'DE', timezone };
      const plan = await makePlan(given, null, MACHINE, NOTHING);
      expect(plan.ok ? '' : plan.error.message).toMatch(
        /is not a time zone of Germany: leave it out for Europe\/Berlin\. For times in UTC, write/,
      );
      const nowhere = { ...given, to: ['+800 12345678'], country: '' };
      expect(await makePlan(nowhere, null, MACHINE, NOTHING)).toMatchObject({ ok: true });
    },
  );

  it('a zone of another country is taken as it is given', async () => {
    const given = { provider: 'stripe', to: ['+491713920001'], timezone: 'Europe/Lisbon' };
    expect(await makePlan(given, null, MACHINE, NOTHING)).toMatchObject({
      ok: true,
      value: { country: 'DE', timezone: 'Europe/Lisbon' },
    });
  });

  it('a zone is written only where one is known', async () => {
    const stripe = { provider: 'stripe', to: ['+800 12345678'] };
    expect(await makePlan(stripe, null, MACHINE, NOTHING)).toMatchObject({
      ok: true,
      value: { country: undefined, timezone: undefined },
    });
  });
});

it('`-` for the zone is that of the country', async () => {
  const { ask } = typing({ 'Country of': ['de'], 'Numbers for': ['0171 3920001'], 'The time': ['UTC', '-'] });
  const plan = await makePlan({ provider: 'stripe', source: 'shop' }, ask, MACHINE, NOTHING);
  expect(plan).toMatchObject({ ok: true, value: { timezone: 'Europe/Berlin' } });
});

it('a country of many clocks does not offer UTC', async () => {
  const offered: string[] = [];
  const { ask } = typing({ 'Country of': ['us'], 'Numbers for': ['202 555 0123'] });
  const watching: Ask = {
    ...ask,
    search: (message, choices) => {
      offered.push(...choices.map(({ value }) => value));
      return ask.search(message, choices);
    },
  };
  await makePlan({ provider: 'stripe', source: 'shop' }, watching, MACHINE, NOTHING);
  expect(offered).toContain('America/Chicago');
  expect(offered.filter((zone) => !isPlace(zone))).toEqual([]);
});

it('`-` is none, where Enter takes the likely answer', async () => {
  const answers: Readonly<Record<string, string>> = { Country: ' - ', The: '-' };
  const ask: Ask = {
    confirm: async () => ok(true),
    text: async ({ message, check }) => {
      const typed = answers[message.split(' ')[0] ?? ''] ?? '';
      expect(check?.(typed)).toBeUndefined();
      return ok(typed);
    },
    search: async () => stopped('not asked for'),
  };
  const given = { provider: 'generic', source: 'mine', to: ['+49 171 3920001'], locale: 'de-DE' };
  const plan = await makePlan(given, ask, { ...GERMAN, timezone: 'Europe/Berlin' }, NOTHING);
  expect(plan).toMatchObject({ ok: true, value: { country: undefined, timezone: undefined } });
});
