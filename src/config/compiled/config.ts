import type { FormRules, VisitorRule } from './form-rules.ts';
import type { AccountPolicy } from './account-policy.ts';
import type { GroupRule, IncidentRule, Quiet, Throttle } from './alerting-rules.ts';
import type { Silence } from './silences.ts';
import type { MessageKind, Parameter, ReceiverRule } from '../../gateway/kinds.ts';
import { type Rotation, type OnCallPeriod, onCallAt } from './rotation.ts';
import type { SourceLimit } from './source-limit.ts';
import type { Provider } from '../../provider/provider.ts';
import type { VerifyScheme } from '../../signature/scheme.ts';
import type { Locale } from '../../template/basics/locale.ts';
import type { CompiledText, CompiledExpression } from '../../template/text.ts';
import { providerText } from '../../provider/lookup.ts';

export type { GroupRule, IncidentRule, Quiet, Throttle } from './alerting-rules.ts';
export type { Silence } from './silences.ts';
export type { AccountPolicy, CanaryPolicy, EscapePolicy } from './account-policy.ts';

/** A published version that is in force. Each part is compiled once, when a webhook or an outbox first asks for it. */
export interface LoadedConfig {
  /** The number of the immutable version, which events record. 0 if nothing was published yet. */
  readonly version: number;
  /** Grows with each publish and each rollback. The configuration with the higher number is the newer one. */
  readonly activation: number;
  /** `get` throws for a source that this deploy does not understand, since that is not a missing source. */
  readonly sources: Pick<ReadonlyMap<string, Source>, 'has' | 'get' | 'keys'>;
  readonly outlines: ReadonlyMap<string, SourceOutline>;
  /** Every account that a source names or a document describes, and always `default`. */
  readonly accounts: ReadonlyMap<string, AccountPolicy>;
  readonly silences: readonly Silence[];
  /** Receivers who have opted out, one a line. */
  readonly suppressions: string;
  /** The address at which it was published; null if unknown. See `public-url.ts`. */
  readonly publicUrl: string | null;
  /** The sources and lists that decide when notifications are due. When it changes, outboxes calculate again. */
  readonly alerting: string;
}

/** A whole set, checked and parsed at once, for publishing and the doctor. */
export interface Config extends LoadedConfig {
  readonly sources: ReadonlyMap<string, Source>;
}

/** Facts about a source that are known without compiling it. */
export interface SourceOutline {
  readonly id: string;
  readonly account: string;
  /** The account's owner is notified when the source sends nothing for this long (ms). Null if it may be silent. */
  readonly heartbeatMs: number | null;
}

export interface Source extends SourceOutline {
  readonly provider: Provider;
  readonly verify: VerifyScheme;
  /** True if it cannot prove its sender: anybody may post who has seen a page with its address. */
  readonly isOpen: boolean;
  /** The address as the sender knows it, if webhooks arrive at another one. Null for the request's own address. */
  readonly url: string | null;
  /** Names of secrets. A request may match any of them. */
  readonly secrets: readonly string[];
  readonly handshakeSecret: string | null;
  /** `locale`: in an event's source, its language. */
  readonly locale: Locale;
  /** Names the language of an event; null if all have the same. */
  readonly language: CompiledText | null;
  readonly dedupe: Dedupe;
  readonly subject: CompiledText | null;
  /** `metadata`: payloads are not stored, and parameters are stored only until the message is sent. */
  readonly store: 'full' | 'metadata';
  readonly limit: SourceLimit | null;
  readonly form: FormRules | null;
  readonly routes: readonly Route[];
  /** Stands for the routes as the document has them, and changes with them. */
  readonly routesMark: number;
}

export interface Dedupe {
  /** The source's own key; null for the provider's event id. */
  readonly key: CompiledText | null;
  readonly windowMs: number;
  /** The time (ms) in which an equal signed body is a duplicate, whatever its id; 0 if it never is. */
  readonly bodyMs: number;
}

export interface Route {
  readonly name: string;
  readonly when: CompiledExpression | null;
  /** Null if the event makes one message. Otherwise each element of the list makes one. */
  readonly each: CompiledExpression | null;
  /** Of messages with the same key only the first is sent, for the time of {@link Dedupe}. Null if all are sent. */
  readonly once: CompiledText | null;
  /** Empty for `status`, which has no receiver. */
  readonly to: readonly Receiver[];
  /** The receivers in other accounts that its fallbacks name, by account. */
  readonly elsewhere: ReadonlyMap<string, Elsewhere>;
  readonly send: Send;
  /** Null if each item makes its messages at once. */
  readonly alerting: Alerting | null;
  /** The steps that notify more people of its incidents while nobody acknowledges them, the earliest first. */
  readonly escalate: readonly EscalationStep[];
  readonly actions: readonly Action[];
  readonly stop: boolean;
  /** True if its messages also go to receivers who have opted out. */
  readonly isTransactional: boolean;
  readonly visitor: VisitorRule | null;
  readonly delivery: DeliveryPolicy;
  readonly maxLength: number;
  readonly overflow: 'truncate' | 'split' | 'fail';
}

export interface Send {
  readonly kind: MessageKind;
  readonly params: readonly SendParam[];
  readonly fallback: readonly FallbackSend[];
  /** The same in other languages, by BCP 47 tag, the more special ones first; absent: it is for all. */
  readonly languages?: readonly (readonly [tag: string, send: Send])[];
}

/** True if a tag is of a language, or a language in a region. */
const isOf = (tag: string, of: string): boolean => `${tag}-`.startsWith(`${of}-`);

/** Returns the template for a locale: the one for it, for its language, or for the language in another region. */
export function sendIn(send: Send, locale: string): Send {
  const { languages = [] } = send;
  const [language = ''] = locale.split('-');
  const found =
    languages.find(([tag]) => isOf(locale, tag)) ?? languages.find(([tag]) => isOf(tag, language));
  return found?.[1] ?? send;
}

export const inAllLanguages = (send: Send): readonly Send[] => [
  send,
  ...(send.languages ?? []).map(([, one]) => one),
];

/** Returns a template and its fallbacks, in all languages. */
export const stepsOf = (send: Send): readonly Pick<Send, 'kind' | 'params'>[] =>
  inAllLanguages(send).flatMap((one) => [one, ...one.fallback]);

export interface FallbackSend extends Omit<Send, 'fallback'> {
  /** The account that sends it; null for the message's own account. */
  readonly account: string | null;
  /** The time without success after which it is sent (ms). Null if it is sent when the message is dead. */
  readonly afterMs: number | null;
}

export interface SendParam extends Parameter {
  readonly name: string;
  /** One text. The elements of a list (a poll's options) are rendered one by one. */
  readonly texts: readonly CompiledText[];
}

/** When receivers are notified of a route's items. The outbox renders a notification when it is due. */
export interface Alerting {
  /** Null if each item is notified once and nothing resolves it. */
  readonly incident: IncidentRule | null;
  /** Null if each incident (or item) has its own notifications. */
  readonly group: GroupRule | null;
  readonly throttle: readonly Throttle[];
  /** The route's quiet hours; null if only those of its lists count. */
  readonly quiet: Quiet | null;
  /** The template of a digest; null for the built-in text. */
  readonly digest: Send | null;
}

/** A link of a route's messages that their receivers can press. */
export interface Action {
  readonly id: string;
  /** The text of the button; null for the built-in one. */
  readonly label: CompiledText | null;
  /** How long a press silences the incidents, or until which time of day; null if it does not. */
  readonly silence: string | null;
  readonly expiresMs: number;
}

interface DeliveryPolicy {
  readonly delayMs: number;
  readonly expiresMs: number | null;
  readonly onUncertain: 'retry' | 'hold';
  readonly priority: 'normal' | 'high';
}

/** Numbers of a document are digits or the gateway's addresses. Those of a payload are parsed when a message is rendered. */
export type Receiver =
  | {
      readonly from: 'document';
      /** The list's name, or `list/person`. Null for a number of the route itself. */
      readonly list: string | null;
      /** All numbers of the receiver, on call or not. */
      readonly numbers: readonly string[];
      /** The names of people, by their numbers. Absent if the document has no names. */
      readonly names?: ReadonlyMap<string, string>;
      /** The turns, if only one of the numbers is on call at a time. Absent if all of them are receivers. */
      readonly turns?: ReturnType<typeof turnsOf>;
      readonly quiet: Quiet | null;
      readonly throttle: readonly Throttle[];
    }
  | {
      readonly from: 'payload';
      readonly text: CompiledText;
      /** The rule for addresses, if the gateway has its own; null for a phone number. */
      readonly address: ReceiverRule | null;
      /** The names of recipients lists, which are no addresses. */
      readonly lists: readonly string[];
      /** True if the template is one output of the `phone` filter: it gives the gateway's digits. */
      readonly isGatewayDigits: boolean;
      /** False if premium-rate and satellite numbers are refused, since a stranger may have chosen them. */
      readonly mayBePremium: boolean;
    };

export interface EscalationStep {
  readonly afterMs: number;
  readonly to: readonly ListedReceiver[];
}

export type ListedReceiver = Extract<Receiver, { from: 'document' }>;

/** The receivers of a route in another account that a fallback names. */
export interface Elsewhere {
  readonly receivers: ReadonlyMap<string, string>;
  /** True if every other receiver is reached there by the same text. */
  readonly isSame: boolean;
}

/** Returns a source, or the rules of one, in the language of an event (BCP 47); unchanged if the event has none. */
export const inLanguage = <Some extends { readonly locale: Locale }>(
  some: Some,
  locale: string | null | undefined,
): Some => (locale ? { ...some, locale: { ...some.locale, locale } } : some);

export const subjectOf = ({ subject, provider }: Pick<Source, 'subject' | 'provider'>): CompiledText | null =>
  subject ?? (provider.subject === undefined ? null : providerText(provider.subject));

/** The last text that was split. Most publishes have the same one. */
let last: { readonly text: string; readonly receivers: ReadonlySet<string> } = {
  text: '',
  receivers: new Set(),
};

export function isSuppressed({ suppressions: text }: Pick<LoadedConfig, 'suppressions'>, receiver: string) {
  if (text === '') return false;
  // Of two equal texts it keeps the newer one: comparing a text with itself costs nothing.
  last = { text, receivers: last.text === text ? last.receivers : new Set(text.split('\n')) };
  return last.receivers.has(receiver);
}

/** The number whose turn it is at a time (ms). `numbers`: the number of each person, by name. */
export function turnsOf(rotation: Rotation, numbers: ReadonlyMap<string, string>) {
  let last: (Omit<OnCallPeriod, 'person'> & { readonly number: string }) | null = null;
  const at = (now: number) => {
    // Every item of a webhook asks for it, mostly within the same turn.
    if (last !== null && (last.since ?? now) <= now && now < (last.until ?? Infinity)) return last;
    const { person, ...times } = onCallAt(rotation, now);
    last = { number: numbers.get(person) ?? '', ...times };
    return last;
  };
  return { rotation, at };
}

/** The numbers of a list or a route that are receivers at a time (ms): all of them, or the one whose turn it is. */
export const numbersAt = ({ numbers, turns }: ListedReceiver, now: number): readonly string[] =>
  turns === undefined ? numbers : [turns.at(now).number];

/** The maximum number of receivers who have opted out; all isolates read them. */
export const MAX_SUPPRESSIONS = 100_000;
