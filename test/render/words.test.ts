import { expect, it } from 'vitest';
import { escapeText, labelOf, whoHasText } from '../../src/render/built-in-text.ts';
import { failure } from '../../src/render/failure.ts';

const message = (params: object) => ({ params: JSON.stringify(params) });

it('the text for the escape channel has one message in whole, and several by their beginnings and number', () => {
  const image = message({ image_url: 'https://x.example/a.png', caption: 'Smoke\nin room 4' });
  const whole = 'This message may not have arrived: https://x.example/a.png\nSmoke\nin room 4';
  expect(escapeText([image], 1, 'en')).toBe(whole);
  const long = message({ message: 'x'.repeat(500) });
  const text = escapeText([message({ message: 'short' }), long], 7, 'de-CH');
  const how = '7 weitere Nachrichten sind vielleicht nicht auf dem Telefon:';
  expect(text.split('\n').slice(0, 2)).toEqual([how, '• short']);
  expect(text.length).toBeLessThan(250);
});

const said = (...given: Parameters<typeof failure>) => failure(...given).reason;

it('a failure says route, element, parameter, expression and reason, and cuts a long expression in it', () => {
  const empty = 'route `paid`, parameter `to` ({{ payload.phone }}): is empty';
  expect(said({ route: 'paid' }, 'to', '{{ payload.phone }}', 'is empty')).toBe(empty);
  const third = 'route `alerts`, element 3, parameter `message` ({{ item }}): too long';
  expect(said({ route: 'alerts', element: 3 }, 'message', '{{ item }}', 'too long')).toBe(third);
  expect(said({ route: 'paid' }, 'to', '', 'too many')).toBe('route `paid`, parameter `to`: too many');
  const { reason, expression } = failure({ route: 'paid' }, 'to', 'x'.repeat(300), 'no');
  expect(reason).toBe(`route \`paid\`, parameter \`to\` (${'x'.repeat(200)}…): no`);
  expect(expression).toHaveLength(300);
});

const label = (id: string, silence: string | null, locale: string) =>
  labelOf({ id, silence }, { country: undefined, locale, timezone: 'UTC' });

const who = (name: string | null, locale: string, isBack: boolean) =>
  whoHasText(name, ['disk'], { locale, isBack, maxLength: 100 });

it('the words about who has an incident are others in each language', () => {
  const all = ['en', 'de'].flatMap((language) => [
    who('Anna', language, false),
    who('Anna', language, true),
    who(null, language, false),
    whoHasText('Anna', ['disk'], { locale: language, isBack: false, isCounted: true, maxLength: 100 }),
    label('ack', null, language),
    label('resolve', null, language),
    label('silence', '1h', language),
    label('silence', '07:00', language),
  ]);
  expect(new Set(all).size).toBe(16);
  expect(all).not.toContain(undefined);
});

it('the words about who has an incident name five incidents, count the others, and are cut', () => {
  const titles = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const say = (maxLength: number) => whoHasText('Anna', titles, { locale: 'en', isBack: false, maxLength });
  expect(say(1_000)).toBe('Anna has it:\n• a\n• b\n• c\n• d\n• e\nand 2 more');
  expect(say(10).length).toBeLessThanOrEqual(10);
});

it('the words about who has an incident say how long a silence is, and are none for another action', () => {
  expect(label('silence_4h', '4h', 'en')).toBe('Silence for 4 hours');
  expect(label('silence_4h', '1.5h', 'de')).toBe('1 h 30 min stummschalten');
  expect(label('silence', '07:00', 'de')).toBe('Bis 07:00 stummschalten');
  expect(label('approve', null, 'en')).toBeUndefined();
});
