import { reasonText, type PageLanguage } from '../../shared/gateway-words.ts';
import { gatewayFacts } from '../../shared/new-source/gateways.ts';
import type { Diagnosis, EventSummary, PreviewAnswer } from '../api/types.ts';
import { clock, duration } from '../lib/format.ts';
import { visibleText } from '../api/client.ts';
import { fill, type Template, forPlace } from './codes.ts';
import { language, t } from './texts.ts';

export interface Coded {
  readonly code?: string | undefined;
  readonly message: string;
  readonly params?: Readonly<Record<string, string>> | undefined;
}

/** The end of an override is the clock of its rotation. */
const ISO_TIME = /\b\d{4}-\d\d-\d\dT(?:[\d:.]+Z|\d\d:\d\d(?=\)))/g;

/** A text of the relay for whoever looks: with times in their zone, and secrets where this relay has them. */
const shown = (text: string): string =>
  forPlace(location.hostname, text).replaceAll(ISO_TIME, (iso) => clock(iso, Date.now()));

/**
 * A sentence of the relay, which is in English. Unicode's isolates mark it on a page in another language; `Coded` shows them as `lang="en"`.
 */
export const relayText = (text: string): string =>
  language === 'en' || text === '' ? shown(text) : `\u2068${shown(text)}\u2069`;

/** The text of a template, with its values as a person reads them; null: the language has no words for this. */
function fromTemplate(
  template: Template | undefined,
  { message, params = {} }: Coded,
  english = relayText(message),
): string | null {
  if (template === undefined) return null;
  const values = Object.entries(params).map(([name, value]) => [name, valueText(name, value)] as const);
  const filled = fill(template, { ...Object.fromEntries(values), english });
  return filled === null ? null : shown(filled);
}

function valueText(name: string, value: string): string {
  if (name === 'by') return byWhom(value);
  if (name === 'error') return relayText(value);
  if (name === 'reason') return own<string>(t.rejections.reasons, value) ?? value;
  return name.endsWith('_seconds') ? duration(Number(value) * 1_000) : value;
}

export const own = <Value>(
  table: Readonly<Record<string, Value>> | undefined,
  key = '',
): Value | undefined => (table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined);

/** An error or a warning, by its code. Without one, its message is the console's own. */
export const faultText = (fault: Coded): string =>
  fault.code === undefined
    ? fault.message
    : (fromTemplate(own(t.codes?.faults, fault.code), fault) ?? relayText(fault.message));

type RouteFailure = Extract<PreviewAnswer, { routes: unknown }>['routes'][number]['failures'][number];

/** Why a message of a route could not be made. The relay's sentence names the route, too. */
export const failureText = ({ parameter, code, reason, message = reason }: RouteFailure): string =>
  t.codes === null ? relayText(reason) : `\`${parameter}\`: ${faultText({ code, message })}`;

/** Why an event made less than its routes ask for, or something else; undefined: it did not, or that is hidden. */
export function eventReason({ reason, reasons = [] }: Pick<EventSummary, 'reason' | 'reasons'>) {
  if (visibleText(reason) === undefined) return undefined;
  if (t.codes === null) return relayText(reason ?? '');
  const placeOf = ({ route, parameter }: (typeof reasons)[number]): string =>
    route === undefined ? '' : `${route}${parameter === undefined ? '' : `, \`${parameter}\``}: `;
  return reasons.map((one) => placeOf(one) + faultText(one)).join(' · ');
}

export const problemText = (problem: Coded): string =>
  fromTemplate(own(t.codes?.problems, problem.code), problem) ?? relayText(problem.message);

type Found = Omit<Diagnosis['checks'][number], 'status' | 'code'> & Pick<Required<Coded>, 'code'>;

/** A finding of the doctor. `hasCommands`: the remedy's words do not have its commands. */
export function findingText({ id, code, title, detail, remedy = '', params: given }: Found) {
  const [kind = '', of = ''] = id.split(':');
  const params = { of, ...(of !== 'default' && of !== '' && { other: of }), ...given };
  const words = own(t.codes?.findings, code);
  const remedyWords = remedy === '' ? null : fromTemplate(words?.remedy, { message: remedy, params });
  return {
    title: fromTemplate(own(t.codes?.titles, kind), { message: title, params }) ?? title,
    detail:
      visibleText(detail) === undefined
        ? t.common.hidden
        : (fromTemplate(words?.detail, { message: detail, params }) ?? relayText(detail)),
    remedy: remedyWords ?? relayText(remedy),
    hasCommands: remedyWords === null || remedyWords.includes('\u2068'),
  };
}

/** A version's note. The API names a change by its method. */
export function noteText(note: string): string {
  const [, method, name = ''] = /^(put|delete) (\w+\/\S+)$/.exec(note) ?? [];
  if (method === undefined) return note;
  return method === 'put' ? t.versions.put(name) : t.versions.deleted(name);
}

/** Returns the name of the person who did something; a person without a name did it with the token. */
export const whoOf = (by: string): string => (by === 'token' ? t.common.byToken : by);

/** The same, after *by* in a sentence. */
export const byWhom = (by: string): string => (by === 'token' ? t.messages.theToken : by);

/** A reason by its code, with its values; empty: there is none, or it is hidden. */
export function codedText({ text, code, params = {} }: Parameters<PageLanguage['sentence']>[0]): string {
  const english = relayText(visibleText(text) ?? '');
  if (english === '' || t.codes === null) return english;
  const { causes, endings, reasons } = t.codes;
  const said = { message: text, params };
  const reason = fromTemplate(own(causes, params['cause']), said) ?? fromTemplate(own(reasons, code), said);
  const ending = endings.flatMap((one) => fromTemplate(one, said) ?? []);
  return reason === null ? english : [reason, ...ending].join('; ');
}

/** Why an account is paused: by whom, or what the gateway answered. */
export const pausedText = (paused: Omit<Coded, 'message'> & Record<'by' | 'reason', string>): string =>
  paused.by === 'gateway' && visibleText(paused.reason) !== undefined
    ? codedText({ ...paused, text: paused.reason })
    : t.messages.waits.pause(byWhom(paused.by));

export const pageLanguage: PageLanguage = { sentence: codedText, quote: t.common.quote };

/** The reason for a message's state, by its code, with the gateway's words; empty: there is none, or it is hidden. */
export const stateReason = (message: Parameters<typeof reasonText>[0]): string =>
  reasonText(message, pageLanguage);

/** What the declaration of a gateway says in English, translated where the language has it. */
export const gatewayWords = (text: string): string => t.sources.gatewayWords[text] ?? text;

const factsOf = (gateway: string) => gatewayFacts.find(({ id }) => id === gateway);

export const gatewayName = (gateway: string): string => gatewayWords(factsOf(gateway)?.name ?? gateway);

export function gatewayHelp(gateway: string): string | undefined {
  const facts = factsOf(gateway);
  return facts && t.sources.costsAndNeeds(gatewayWords(facts.costs), gatewayWords(facts.needs));
}
