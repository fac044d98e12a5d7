import { expect, it } from 'vitest';
import type { Ask } from '../../../cli/ask.ts';
import { isPlace } from '../../../shared/new-source/likely.ts';
import { EMPTY_SET } from '../../../src/config/documents/schema.ts';
import { stopped } from '../../../cli/failure.ts';
import { ok } from '../../../src/lib/result.ts';
import { BERLIN, MACHINE, planOf, valueOrWhy, type Given } from './new-source.ts';

const GERMAN = { ...MACHINE, lang: 'de_DE.UTF-8' };

/** Options that leave nothing to ask of most providers. */
const GIVEN = { ...BERLIN, source: 'mine', to: ['+49 171 3920001'] };

/** The plan, or why there is none. */
const plan = async (given: Given, ask: Ask | null = null, machine = MACHINE, set: object = {}) =>
  valueOrWhy(await planOf(given, { ask, machine, set: { ...EMPTY_SET, ...set } }));

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

it('quiet hours are asked for where the provider sends alerts, and are none without an answer or an option', async () => {
  const quiet = { from: '22:00', to: '07:00' };
  const answer = { 'Quiet hours': ['22:00-07:00'] };
  const { ask, questions } = typing(answer);
  expect(await plan({ ...GIVEN, provider: 'grafana' }, ask)).toMatchObject({ quiet });
  expect(questions).toEqual([
    expect.stringContaining('Quiet hours, such as 22:00-07:00'),
    expect.stringContaining('acknowledged an urgent alert after 15 minutes'),
  ]);
  expect(await plan({ ...GIVEN, provider: 'grafana' }, typing().ask)).toMatchObject({ quiet: null });
  for (const provider of ['stripe', 'typeform', 'generic']) {
    const other = typing(answer);
    expect(await plan({ ...GIVEN, provider }, other.ask)).toMatchObject({ quiet: null });
    expect(other.questions).toEqual([]);
  }
  expect(await plan({ ...GIVEN, provider: 'pingdom' })).toMatchObject({ quiet: null });
  expect(await plan({ ...GIVEN, provider: 'stripe', quiet: '22:00-7:00' })).toMatchObject({ quiet });
  const wrong = '`at night` must be quiet hours such as 22:00-07:00';
  expect(await plan({ ...GIVEN, provider: 'pingdom', quiet: 'at night' })).toBe(wrong);
});

it('the address is asked for where tokens name it; it is likely the relay’s, and refused where that is not known yet', async () => {
  const monday = { ...GIVEN, provider: 'monday', answer: ['subdomain=acme'] };
  const address = 'https://relay.example/hooks/mine';
  const { ask, questions } = typing();
  expect(await plan(monday, ask)).toMatchObject({ address });
  expect(questions).toEqual(['The address that you give to monday.com, which puts it into its tokens']);
  expect(await plan(monday)).toMatchObject({ address });
  const unknown = { ...MACHINE, relay: 'https://acme.<you>.workers.dev' };
  const why = 'is not an address that monday.com can post to: give the relay';
  expect(await plan(monday, null, unknown)).toContain(why);
  expect(await plan({ ...GIVEN, provider: 'stripe' }, null, unknown)).toMatchObject({ source: 'mine' });
});

it('the answers of a person may be a country’s name and numbers as they are written there, and never make UTC of a country', async () => {
  const { ask } = typing({ 'Country of': ['deutschland'], 'Numbers for': ['0171 3920001'] });
  const made = await plan({ provider: 'stripe', source: 'shop' }, ask);
  expect(made).toMatchObject({ numbers: ['491713920001'], ...BERLIN });
});

it('the answers of a person are asked for again when they are wrong, with what is wrong', async () => {
  const { ask, refused } = typing({
    'A name': ['', 'a b', 'shop'],
    'Country of': ['nowhere', 'de'],
    'Numbers for': ['', 'abc', '0171', '0171 3920001'],
    'The language': ['german', 'de'],
    'The time': ['berlin', 'europe/berlin'],
  });
  expect(await plan({ provider: 'stripe' }, ask)).toMatchObject({ ...BERLIN, locale: 'de' });
  const number = ['a number is needed', 'has no digits', 'not a valid phone number in DE'];
  const all = ['a name', 'a name', 'a country', ...number, 'a language', 'a time zone'];
  expect(refused).toEqual(all.map((why): unknown => expect.stringContaining(why)));
});

it('the answers of a person to a country of many clocks choose its zone, the likeliest first, and UTC is not offered', async () => {
  const { ask, shown, offered } = typing({ 'Country of': ['us'], 'Numbers for': ['202 555 0123'] });
  const place = { timezone: 'America/New_York', locale: 'en-US' };
  expect(await plan({ provider: 'stripe' }, ask)).toMatchObject(place);
  expect(shown['Which time zone']).toBe('America/New_York');
  expect(offered).toContain('America/Chicago');
  expect(offered.filter((zone) => !isPlace(zone))).toEqual([]);
});

it('the answers of a person are known to the next run', async () => {
  const shop = { country: 'AT', locale: 'de-AT', timezone: 'Europe/Vienna', routes: [] };
  const recipients = { 'shop-owners': { numbers: ['43664123456'] } };
  const { ask, shown } = typing();
  const made = await plan({ provider: 'typeform' }, ask, GERMAN, { sources: { shop }, recipients });
  expect(made).toMatchObject({ numbers: ['43664123456'] });
  const place = { 'Country of': 'AT', 'The language': 'de-AT', 'The time': 'Europe/Vienna' };
  expect(shown).toMatchObject({ ...place, 'Numbers for': '+43 664 123456' });
});

it('the answers of a person are none as `-`, where Enter takes the likely answer; the zone is then that of the country', async () => {
  const { timezone: _, country: __, ...given } = { ...GIVEN, provider: 'generic' };
  const none = typing({ 'Country of': [' - '], 'The time': ['-'] });
  const made = await plan(given, none.ask, { ...GERMAN, timezone: 'Europe/Berlin' });
  expect(made).toMatchObject({ country: undefined, timezone: undefined });
  expect(none.refused).toEqual([]);
  const typed = { 'Country of': ['de'], 'Numbers for': ['0171 3920001'], 'The time': ['UTC', '-'] };
  const stripe = await plan({ provider: 'stripe', source: 'shop' }, typing(typed).ask);
  expect(stripe).toMatchObject({ timezone: 'Europe/Berlin' });
});

const GERMANY = { provider: 'stripe', to: ['+491713920001'] };
const NOWHERE = { provider: 'stripe', to: ['+800 12345678'] };

it('without a person, the country is that of the number, and its zone the country’s; a number as people write it needs one', async () => {
  const place = { country: 'AT', locale: 'de-AT', timezone: 'Europe/Vienna' };
  expect(await plan({ ...GERMANY, to: ['+43 664 123456'] }, null, GERMAN)).toMatchObject(place);
  expect(await plan(NOWHERE)).toMatchObject({ country: undefined, timezone: undefined });
  const national = { provider: 'stripe', to: ['0171 3920001'] };
  const numbers = ['491713920001'];
  expect(await plan({ ...national, country: 'Germany' })).toMatchObject({ numbers, country: 'DE' });
  expect(await plan(national)).toContain('--country DE');
});

it('without a person, UTC beside a country is refused, and what is meant is said; a zone of another country is taken', async () => {
  const why = /is not a time zone of Germany: leave it out for Europe\/Berlin\. For times in UTC, write/;
  for (const timezone of ['UTC', 'etc/utc', 'GMT']) {
    expect(await plan({ ...GERMANY, country: 'DE', timezone })).toMatch(why);
    expect(await plan({ ...NOWHERE, timezone })).toMatchObject({ provider: {} });
  }
  const timezone = 'Europe/Lisbon';
  expect(await plan({ ...GERMANY, timezone })).toMatchObject({ country: 'DE', timezone });
});
