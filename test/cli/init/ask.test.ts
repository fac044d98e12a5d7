import { describe, expect, it } from 'vitest';
import type { Ask } from '../../../cli/ask.ts';
import { makePlan, type GivenOptions, type MachineSettings } from '../../../cli/init/ask.ts';
import { earlierAnswers } from '../../../shared/new-source/earlier.ts';
import type { SourcePlan } from '../../../shared/new-source/plan.ts';
import { isPlace } from '../../../shared/new-source/zone.ts';
import { EMPTY_SET } from '../../../src/config/schema.ts';
import { stopped } from '../../../cli/failure.ts';
import { ok } from '../../../src/lib/result.ts';

const MACHINE: MachineSettings = { relay: 'https://relay.example', lang: undefined, timezone: 'UTC' };
const GERMAN: MachineSettings = { ...MACHINE, lang: 'de_DE.UTF-8' };

/** Options that leave nothing to ask of most providers. */
const GIVEN: GivenOptions = {
  source: 'mine',
  to: ['+49 171 3920001'],
  country: 'DE',
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
};

type Given = GivenOptions & { readonly provider: string };

/** The plan, or why there is none. */
async function planOf(
  given: Given,
  ask: Ask | null = null,
  machine = MACHINE,
  set: object = {},
): Promise<SourcePlan | string> {
  const made = await makePlan(given, ask, machine, earlierAnswers({ ...EMPTY_SET, ...set }));
  return made.ok ? made.value : made.error.message;
}

/** A person who types these answers in turn, by the first two words of a question; else takes the proposal. */
function typing(answers: Readonly<Record<string, readonly string[]>> = {}) {
  const shown: Record<string, string> = {};
  const questions: string[] = [];
  const refused: string[] = [];
  const offered: string[] = [];
  const ask: Ask = {
    confirm: async () => ok(false),
    text: async ({ message, initial = '', check }) => {
      const key = message.split(/[ ,]/).slice(0, 2).join(' ');
      shown[key] = initial;
      questions.push(message);
      for (const typed of [...(answers[key] ?? []), initial]) {
        const wrong = check?.(typed);
        if (wrong === undefined) return ok(typed);
        refused.push(wrong);
      }
      return stopped('no answer is right');
    },
    search: async (message, choices) => {
      const likely = choices[0]?.value ?? '';
      shown[message.split(' ').slice(0, 3).join(' ')] = likely;
      offered.push(...choices.map(({ value }) => value));
      return ok(likely);
    },
  };
  return { ask, shown, questions, refused, offered };
}

describe('quiet hours of a new source', () => {
  it('are asked for where the provider sends alerts, and may be left empty', async () => {
    const { ask, questions } = typing({ 'Quiet hours': ['22:00-07:00'] });
    const quiet = { from: '22:00', to: '07:00' };
    expect(await planOf({ ...GIVEN, provider: 'grafana' }, ask)).toMatchObject({ quiet });
    expect(questions).toEqual([
      expect.stringContaining('Quiet hours, such as 22:00-07:00'),
      expect.stringContaining('acknowledged an urgent alert after 15 minutes'),
    ]);
    expect(await planOf({ ...GIVEN, provider: 'grafana' }, typing().ask)).toMatchObject({ quiet: null });
    for (const provider of ['stripe', 'typeform', 'generic']) {
      const other = typing({ 'Quiet hours': ['22:00-07:00'] });
      expect(await planOf({ ...GIVEN, provider }, other.ask)).toMatchObject({ quiet: null });
      expect(other.questions).toEqual([]);
    }
  });

  it('are none without a terminal, unless they are given as hours', async () => {
    expect(await planOf({ ...GIVEN, provider: 'pingdom' })).toMatchObject({ quiet: null });
    const quiet = { from: '20:00', to: '08:00' };
    expect(await planOf({ ...GIVEN, provider: 'stripe', quiet: '20:00-8:00' })).toMatchObject({ quiet });
    expect(await planOf({ ...GIVEN, provider: 'pingdom', quiet: 'at night' })).toBe(
      '`at night` must be quiet hours such as 22:00-07:00',
    );
  });
});

describe('the address of a new source', () => {
  const monday = { ...GIVEN, provider: 'monday', answer: ['subdomain=acme'] };
  const address = 'https://relay.example/hooks/mine';

  it('is asked for where tokens name it, and is likely to be the relay’s', async () => {
    const { ask, questions } = typing();
    expect(await planOf(monday, ask)).toMatchObject({ address });
    expect(questions).toEqual(['The address that you give to monday.com, which puts it into its tokens']);
  });

  it('is the relay’s without a terminal, and refused where that is needed and not known yet', async () => {
    expect(await planOf(monday)).toMatchObject({ address });
    const unknown = { ...MACHINE, relay: 'https://acme.<you>.workers.dev' };
    expect(await planOf(monday, null, unknown)).toContain(
      'is not an address that monday.com can post to: give the relay',
    );
    expect(await planOf({ ...GIVEN, provider: 'stripe' }, null, unknown)).toMatchObject({ source: 'mine' });
  });
});

describe('the answers of a person', () => {
  it('may be a country’s name and numbers as they are written there, and never make UTC of a country', async () => {
    const { ask } = typing({ 'Country of': ['deutschland'], 'Numbers for': ['0171 3920001'] });
    const place = { country: 'DE', locale: 'de-DE', timezone: 'Europe/Berlin' };
    const plan = await planOf({ provider: 'stripe', source: 'shop' }, ask);
    expect(plan).toMatchObject({ numbers: ['491713920001'], ...place });
  });

  it('are asked for again when they are wrong, with what is wrong', async () => {
    const { ask, refused } = typing({
      'A name': ['', 'a b', 'shop'],
      'Country of': ['nowhere', 'de'],
      'Numbers for': ['', 'abc', '0171', '0171 3920001'],
      'The language': ['german', 'de'],
      'The time': ['berlin', 'europe/berlin'],
    });
    expect(await planOf({ provider: 'stripe' }, ask)).toMatchObject({
      timezone: 'Europe/Berlin',
      locale: 'de',
    });
    expect(refused).toEqual(
      [
        'not a name',
        'not a name',
        'not a country',
        'a number is needed',
        'has no digits',
        'not a valid phone number in DE',
        'not a language',
        'not a time zone',
      ].map((why): unknown => expect.stringContaining(why)),
    );
  });

  it('to a country of many clocks choose its zone, the likeliest first, and UTC is not offered', async () => {
    const { ask, shown, offered } = typing({ 'Country of': ['us'], 'Numbers for': ['202 555 0123'] });
    const place = { timezone: 'America/New_York', locale: 'en-US' };
    expect(await planOf({ provider: 'stripe' }, ask)).toMatchObject(place);
    expect(shown['Which time zone']).toBe('America/New_York');
    expect(offered).toContain('America/Chicago');
    expect(offered.filter((zone) => !isPlace(zone))).toEqual([]);
  });

  it('are known to the next run', async () => {
    const shop = { country: 'AT', locale: 'de-AT', timezone: 'Europe/Vienna', routes: [] };
    const recipients = { 'shop-owners': { numbers: ['43664123456'] } };
    const { ask, shown } = typing();
    const plan = await planOf({ provider: 'typeform' }, ask, GERMAN, { sources: { shop }, recipients });
    expect(plan).toMatchObject({ numbers: ['43664123456'] });
    expect(shown).toMatchObject({
      'Country of': 'AT',
      'Numbers for': '+43 664 123456',
      'The language': 'de-AT',
      'The time': 'Europe/Vienna',
    });
  });

  it('are none as `-`, where Enter takes the likely answer; the zone is then that of the country', async () => {
    const given = { provider: 'generic', source: 'mine', to: ['+49 171 3920001'], locale: 'de-DE' };
    const none = typing({ 'Country of': [' - '], 'The time': ['-'] });
    const plan = await planOf(given, none.ask, { ...GERMAN, timezone: 'Europe/Berlin' });
    expect(plan).toMatchObject({ country: undefined, timezone: undefined });
    expect(none.refused).toEqual([]);
    const typed = { 'Country of': ['de'], 'Numbers for': ['0171 3920001'], 'The time': ['UTC', '-'] };
    const stripe = await planOf({ provider: 'stripe', source: 'shop' }, typing(typed).ask);
    expect(stripe).toMatchObject({ timezone: 'Europe/Berlin' });
  });
});

describe('without a person', () => {
  const GERMANY = { provider: 'stripe', to: ['+491713920001'] };

  it('the country is that of the number, and its zone the country’s', async () => {
    const place = { country: 'AT', locale: 'de-AT', timezone: 'Europe/Vienna' };
    expect(await planOf({ provider: 'stripe', to: ['+43 664 123456'] }, null, GERMAN)).toMatchObject(place);
    const nowhere = { provider: 'stripe', to: ['+800 12345678'] };
    expect(await planOf(nowhere)).toMatchObject({ country: undefined, timezone: undefined });
  });

  it('a number as it is written in a country needs that country', async () => {
    const national = { provider: 'stripe', to: ['0171 3920001'] };
    const numbers = ['491713920001'];
    expect(await planOf({ ...national, country: 'Germany' })).toMatchObject({ numbers, country: 'DE' });
    expect(await planOf(national)).toContain('--country DE');
  });

  it('UTC beside a country is refused, and what is meant is said; a zone of another country is taken', async () => {
    for (const timezone of ['UTC', 'etc/utc', 'GMT']) {
      expect(await planOf({ ...GERMANY, country: 'DE', timezone })).toMatch(
        /is not a time zone of Germany: leave it out for Europe\/Berlin\. For times in UTC, write/,
      );
      expect(await planOf({ ...GERMANY, to: ['+800 12345678'], timezone })).toMatchObject({ provider: {} });
    }
    const plan = await planOf({ ...GERMANY, timezone: 'Europe/Lisbon' });
    expect(plan).toMatchObject({ country: 'DE', timezone: 'Europe/Lisbon' });
  });
});
