import type { Alerting, Quiet, Silence, Throttle } from './alerting.ts';
import type { CanaryPolicy } from './canary.ts';
import type { EscapePolicy } from './escape.ts';
import type { FormRules, VisitorRule } from './form-rules.ts';
import type { NotifyPolicy } from '../documents/account-schema.ts';
import type { Send } from './send.ts';
import { type Rotation, type OnCallPeriod, onCallAt } from './rotation.ts';
import type { SourceLimit } from './source-limit.ts';
import type { ReceiverRule } from '../../gateway/call.ts';
import type { GatewaySpec } from '../../gateway/shape.ts';
import type { Provider } from '../../provider/provider.ts';
import type { VerifyScheme } from '../../signature/scheme.ts';
import type { CompiledExpression } from '../../template/expression.ts';
import type { Locale } from '../../template/basics/locale.ts';
import { type CompiledText, compileText } from '../../template/text.ts';
import { memoized } from '../../lib/cache.ts';

/**
 * A published version that is in force. It never changes. Each part is compiled once, when a webhook or an outbox first
 * asks for it.
 */
export interface LoadedConfig {
  /** The number of the immutable version, which events record. 0 if nothing was published yet. */
  readonly version: number;
  /** Grows with each publish and each rollback. The configuration with the higher number is the newer one. */
  readonly activation: number;
  /** `get` throws for a source that this deploy does not understand, since that is not a missing source. */
  readonly sources: Pick<ReadonlyMap<string, Source>, 'has' | 'get' | 'keys'>;
  /** All sources, with what lists and watches need. */
  readonly outlines: ReadonlyMap<string, SourceOutline>;
  /** Every account that a source names or a document describes, and always `default`. */
  readonly accounts: ReadonlyMap<string, AccountPolicy>;
  /** All silences, from documents and added by hand. */
  readonly silences: readonly Silence[];
  /** Receivers who have opted out, one a line: see `suppressed.ts`. */
  readonly suppressions: string;
  /** The address at which it was published; null if unknown. See `public-url.ts`. */
  readonly publicUrl: string | null;
  /**
   * The sources and lists that decide when notifications are due, as one text. When it changes, outboxes calculate
   * again.
   */
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

/** A source as webhooks need it. */
export interface Source extends SourceOutline {
  readonly provider: Provider;
  readonly verify: VerifyScheme;
  /** True if it cannot prove its sender: anybody may post who has seen a page with its address. */
  readonly isOpen: boolean;
  /** The address as the sender knows it, if webhooks arrive at another one. Null for the request's own address. */
  readonly url: string | null;
  /** Names of secrets. A request may match any of them. */
  readonly secrets: readonly string[];
  /** The name of the secret that the provider's handshake has to show; null if the source names none. */
  readonly handshakeSecret: string | null;
  /** `locale`: in an event's source, its language. */
  readonly locale: Locale;
  /** Names the language of an event; null if all have the same. */
  readonly language: CompiledText | null;
  readonly dedupe: Dedupe;
  /** The line that lists and search show for its events; null if there is none. */
  readonly subject: CompiledText | null;
  /** `metadata`: payloads are not stored, and parameters are stored only until the message is sent. */
  readonly store: 'full' | 'metadata';
  /** The limit of the source; null for none. */
  readonly limit: SourceLimit | null;
  /** Null if the provider is not a form on a page. */
  readonly form: FormRules | null;
  readonly routes: readonly Route[];
  /** Stands for the routes as the document has them, and changes with them. */
  readonly routesMark: number;
}

export interface Dedupe {
  /** The source's own key; null for the provider's event id. */
  readonly key: CompiledText | null;
  readonly windowMs: number;
  /**
   * The time (ms) in which a second event with the same signed body is a duplicate, whatever its id. 0 if it never is.
   */
  readonly bodyMs: number;
}

/** A compiled route: a condition, a template, receivers. */
export interface Route {
  readonly name: string;
  /** Null if the route takes every event. */
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
  /**
   * The rules for when receivers are notified of its items, if the outbox decides that. Null if each item makes its
   * messages at once.
   */
  readonly alerting: Alerting | null;
  /** The steps that notify more people of its incidents while nobody acknowledges them, the earliest first. */
  readonly escalate: readonly EscalationStep[];
  /** The links of its messages that their receivers can press. */
  readonly actions: readonly Action[];
  readonly stop: boolean;
  /** True if its messages also go to receivers who have opted out. */
  readonly isTransactional: boolean;
  /** The rule for messages to a number from a form; null for other routes. */
  readonly visitor: VisitorRule | null;
  readonly delivery: DeliveryPolicy;
  readonly maxLength: number;
  readonly overflow: 'truncate' | 'split' | 'fail';
}

/** A link of a route's messages that their receivers can press. */
export interface Action {
  /** The action's name in templates and events. */
  readonly id: string;
  /** The text of the button; null for the built-in one. */
  readonly label: CompiledText | null;
  /**
   * The duration for which a press silences the incidents, or the time of day until which it does. Null if it does not.
   */
  readonly silence: string | null;
  /** The time for which the link can be pressed (ms). */
  readonly expiresMs: number;
}

/** A route's options for sending. Each of its messages carries them. */
interface DeliveryPolicy {
  readonly delayMs: number;
  readonly expiresMs: number | null;
  readonly onUncertain: 'retry' | 'hold';
  readonly priority: 'normal' | 'high';
}

/** The turns that the people of a list take. */
export interface RotationTurns {
  readonly rotation: Rotation;
  /** Returns the number whose turn it is, with the beginning and the end of the turn (ms). */
  readonly at: (now: number) => RotationTurn;
}

/** The turn of a number. A time is null if it is too far away to be known. */
export interface RotationTurn extends Omit<OnCallPeriod, 'person'> {
  readonly number: string;
}

/**
 * A receiver. Numbers from a document are gateway digits, or addresses where the gateway has those. Numbers from a
 * payload are parsed when the message is rendered.
 */
export type Receiver =
  | {
      readonly from: 'document';
      /**
       * The name of the list, followed by `/` and a name if it is one person of it. Null for a number of the route
       * itself.
       */
      readonly list: string | null;
      /** All numbers of the receiver, on call or not. */
      readonly numbers: readonly string[];
      /** The names of people, by their numbers. Absent if the document has no names. */
      readonly names?: ReadonlyMap<string, string>;
      /** The turns, if only one of the numbers is on call at a time. Absent if all of them are receivers. */
      readonly turns?: RotationTurns;
      /** The list's quiet hours; null if it has none, or for a number of the route itself. */
      readonly quiet: Quiet | null;
      /** The number of messages that each receiver in the list may get from a route. */
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

/** A step that is taken if nobody has acknowledged the incident by then. */
export interface EscalationStep {
  /** The time since the incident opened (ms). */
  readonly afterMs: number;
  readonly to: readonly ListedReceiver[];
}

/** A number or a list in a document. */
export type ListedReceiver = Extract<Receiver, { from: 'document' }>;

/** The receivers of a route in another account that a fallback names. */
export interface Elsewhere {
  /** The receivers there, by the route's receivers. */
  readonly receivers: ReadonlyMap<string, string>;
  /** True if every other receiver is reached there by the same text. */
  readonly isSame: boolean;
}

/** The pace of one gateway login, and the handling of its failures. */
export interface AccountPolicy {
  /** Null if there is no limit. */
  readonly rate: { readonly perMinute: number; readonly burst: number } | null;
  readonly perRecipient: { readonly perHour: number } | null;
  readonly timeoutMs: number;
  /** The waits before the second attempt, the third, and so on: n entries allow n + 1 attempts. */
  readonly retryMs: readonly number[];
  /** Regular expressions on the gateway's `message`. A refusal that matches one is never retried. */
  readonly permanentErrors: readonly string[];
  readonly circuit: { readonly failures: number; readonly probeMs: number };
  readonly retentionMs: number;
  /** True if its document was removed. The account gets no new events, but its waiting messages are still sent. */
  readonly isRemoved: boolean;
  /** The number of receivers that may get their first message in a day; null for any number. */
  readonly newContacts: { readonly perDay: number } | null;
  /** If more normal messages than this wait for one receiver, they become one digest. Null if they never do. */
  readonly digestAbove: number | null;
  /** The channel that notifies the account's owner; null for none. */
  readonly notify: NotifyPolicy | null;
  /** The channel for urgent messages that are not sent; null for none. */
  readonly escape: EscapePolicy | null;
  /** The link that is regularly sent to the owner's phone; null for none. */
  readonly canary: CanaryPolicy | null;
  readonly gateway: GatewaySpec;
}

/** Returns a source, or the rules of one, in the language of an event (BCP 47); unchanged if the event has none. */
export const inLanguage = <Some extends { readonly locale: Locale }>(
  some: Some,
  locale: string | null | undefined,
): Some => (locale ? { ...some, locale: { ...some.locale, locale } } : some);

/** Cached by the Liquid text. There are only as many as providers with such a line. */
const providerSubject = memoized((line): CompiledText | null => {
  const text = compileText(line);
  return text.ok ? text.value : null;
});

/** The line by which lists show events of a source: its own, or its provider's. */
export const subjectOf = ({ subject, provider }: Pick<Source, 'subject' | 'provider'>): CompiledText | null =>
  subject ?? (provider.subject === undefined ? null : providerSubject(provider.subject));

/** The last text that was split. Most publishes have the same one. */
let last: { readonly text: string; readonly receivers: ReadonlySet<string> } = {
  text: '',
  receivers: new Set(),
};

/** True if a receiver has opted out. */
export function isSuppressed(
  { suppressions: text }: Pick<LoadedConfig, 'suppressions'>,
  receiver: string,
): boolean {
  if (text === '') return false;
  // Of two equal texts it keeps the newer one: comparing a text with itself costs nothing.
  last = { text, receivers: last.text === text ? last.receivers : new Set(text.split('\n')) };
  return last.receivers.has(receiver);
}

/** The turns of people. `numbers`: the number of each person, by name. */
export function turnsOf(rotation: Rotation, numbers: ReadonlyMap<string, string>): RotationTurns {
  let last: RotationTurn | null = null;
  return {
    rotation,
    at: (now) => {
      // Every item of a webhook asks for it, mostly within the same turn.
      if (last !== null && (last.since ?? now) <= now && now < (last.until ?? Infinity)) return last;
      const { person, ...times } = onCallAt(rotation, now);
      last = { number: numbers.get(person) ?? '', ...times };
      return last;
    },
  };
}

/** The numbers of a list or a route that are receivers at a time (ms): all of them, or the one whose turn it is. */
export const numbersAt = ({ numbers, turns }: ListedReceiver, now: number): readonly string[] =>
  turns === undefined ? numbers : [turns.at(now).number];

/** The maximum number of receivers who have opted out; all isolates read them. */
export const MAX_SUPPRESSIONS = 100_000;
