import { allProviders } from '../../src/provider/provider.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import { findProvider, languagesOf, type OwnProviders } from '../init/starters.ts';
import { readLocale } from '../../shared/new-source/likely.ts';
import type { Output } from '../output.ts';
import { idOf, readOwnProviders } from '../providers/own-file.ts';
import { count } from '../text.ts';
import { phoneViewOf, type PhoneView, type PhoneMessage, type SampleView } from './phone-view.ts';
import { PRESSED_BY } from './presses.ts';

/** Shows what starters put on phones. `ids`: of which providers; none: all. `locale` absent: one for each language. */
export async function checkProviders(
  out: Output,
  ids: readonly string[],
  locale: string | undefined,
): Promise<CommandResult | void> {
  const given = locale === undefined ? undefined : readLocale(locale);
  if (given?.ok === false) return misused(`--locale: \`${locale}\` ${given.error}`);
  const read = await readOwnProviders(ids);
  if (!read.ok) return read;
  const own = read.value;
  const named = ids.map(idOf);
  const unknown = named.map((id) => findProvider(id, own)).find(({ ok: isKnown }) => !isKnown);
  if (unknown?.ok === false) return unknown;
  const shipped = allProviders().filter(({ id }) => ids.length === 0 || named.includes(id));
  const chosen = new Set([...shipped.map(({ id }) => id), ...Object.keys(own)]);
  const views: PhoneView[] = [];
  for (const id of chosen) {
    const found = findProvider(id, own);
    if (!found.ok) return found;
    const locales = given === undefined ? localesOf(id, own) : [given.value];
    for (const one of locales) {
      const view = await phoneViewOf(found.value.provider, one, own);
      if (!view.ok) return failed(`the starter of ${id} cannot be published`, { details: view.error });
      views.push(view.value);
      if (!out.isJson) for (const line of [...linesOf(view.value), '']) out.line(line);
    }
  }
  if (out.isJson) out.json({ items: views.map(jsonOf), next_cursor: null });
  const wrong = views.flatMap(({ samples }) => samples.flatMap(complaintsAbout)).length;
  return wrong === 0 ? undefined : failed(`${count(wrong, 'thing')} to fix: the lines that begin with \`!\``);
}

/** English as most of the world writes dates, and other languages as in the country that they are from. */
export const localesOf = (id: string, own: OwnProviders): readonly string[] =>
  languagesOf(id, own).map((language) => {
    const { region } = new Intl.Locale(language).maximize();
    return language === 'en' || region === undefined ? 'en-GB' : `${language}-${region}`;
  });

const jsonOf = ({ provider, locale, samples }: PhoneView) => ({
  provider: provider.id,
  locale,
  samples: samples.map((sample) => ({
    name: sample.name,
    silent: sample.silent,
    messages: sample.messages.map(({ route, to, text }) => ({ route, to, text })),
    complaints: complaintsAbout(sample),
  })),
});

/** A provider's view as lines of text; what is wrong begins with `!`. */
export const linesOf = ({ provider, locale, samples }: PhoneView): readonly string[] => [
  `=== ${provider.id}, ${locale}`,
  ...samples.flatMap((sample) => [
    '',
    `--- ${sample.name}`,
    ...(sample.messages.length === 0
      ? [`(nothing${sample.silent === null ? '' : `: ${sample.silent}`})`]
      : []),
    ...sample.messages.flatMap(({ route, to, text, pressed }) => [
      `> ${to} (${route})${pressed === undefined ? '' : `, after ${PRESSED_BY} pressed “${pressed}”`}`,
      ...text.split('\n').map((line) => `  ${line}`),
    ]),
    ...complaintsAbout(sample).map((complaint) => `! ${complaint}`),
  ]),
];

/** More than a chat shows at a glance. UTF-16 units; messages about several items may have more. */
const MAX_CHARACTERS = 700;

/** The leftovers of a template with a mistake. */
const LEFTOVER =
  /\{\{|\{%|\[\[|\[object|undefined|\bnull\b|NaN|\*\*|\*\s*\*|\(\)|\n\n\n|^\s|\s$| {2}|[:,] *$/m;

/** Returns the problems of a sample's messages; empty: none. */
export function complaintsAbout({ silent, messages, failures }: SampleView): readonly string[] {
  return [
    ...failures,
    ...(silent !== null && messages.length > 0 ? ['has `silent`, but makes a message'] : []),
    ...(silent === null && messages.length === 0 ? ['makes no message, and `silent` does not say why'] : []),
    ...messages.flatMap((message) => aboutText(message).map((what) => `${message.route}: ${what}`)),
  ];
}

function aboutText({ text, isFromWebhook }: PhoneMessage): readonly string[] {
  const [leftover] = LEFTOVER.exec(text) ?? [];
  return [
    ...(leftover === undefined ? [] : [`has ${JSON.stringify(leftover)}, which a template left behind`]),
    ...(text.length > MAX_CHARACTERS ? [`is longer than ${MAX_CHARACTERS} characters`] : []),
    ...([...text.matchAll(/\p{Extended_Pictographic}/gu)].length > 1 ? ['has more than one emoji'] : []),
    // A customer may get the link that is meant for this customer.
    ...privateIn(text)
      .filter((what) => !isFromWebhook || !what.startsWith('a link'))
      .map((what) => `shows ${what}`),
  ];
}

/** Finds data that no message to a team may have: with it one can act as somebody else, or pay with their money. */
export function privateIn(text: string): readonly string[] {
  return [
    ...(/\{\s*"[^"]+"\s*:|\[\s*\{\s*"/.test(text) ? ['raw JSON'] : []),
    ...tokensIn(text),
    ...numbersIn(text),
    ...ibansIn(text),
  ];
}

/** Names of query parameters that let in whoever has the address. */
const SECRET_PARAMETER =
  /[?&;#]([\w.-]*(?:token|signature|secret|password|passcode|credential)|(?:[\w.-]*[_.-])?(?:sig|pwd|auth|api_?key|key|jwt|code|hash|policy)|awsaccesskeyid)=[^&\s]{4,}/gi;

const tokensIn = (text: string): readonly string[] =>
  [...text.matchAll(/https?:\/\/\S+/g)].flatMap(([url]) =>
    [...url.matchAll(SECRET_PARAMETER)]
      // A parcel's code beside its carrier is the number on its label.
      .filter(([, name]) => name !== 'code' || !/[?&]carrier=/.test(url))
      .map(([, name]) => `a link with \`${name}\``),
  );

/** ISO/IEC 7812: 13 to 19 digits, the last of which is their check digit. */
const numbersIn = (text: string): readonly string[] =>
  [...text.replaceAll(/https?:\/\/\S+/g, '').matchAll(/(?<![\d+.])\d(?:[ -]?\d){12,18}(?!\.?\d)/g)]
    .map(([number]) => number.replaceAll(/\D/g, ''))
    .filter((digits) => /^[3-6]/.test(digits) && isLuhn(digits))
    .map(() => 'a whole card number');

function isLuhn(digits: string): boolean {
  const reversed = digits.split('').toReversed();
  const values = reversed.map((digit, at) => Number(digit) * (at % 2 === 0 ? 1 : 2));
  return values.reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0) % 10 === 0;
}

/** ISO 13616: the rest of the division by 97 is 1. */
const ibansIn = (text: string): readonly string[] =>
  [...text.matchAll(/\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\b/g)]
    .map(([iban]) => iban.replaceAll(' ', ''))
    .filter((iban) => {
      const moved = iban.slice(4) + iban.slice(0, 4);
      const digits = moved.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
      return BigInt(digits) % 97n === 1n;
    })
    .map(() => 'a whole account number (IBAN)');
