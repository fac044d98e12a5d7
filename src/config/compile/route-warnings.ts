import { namesItsHost, whyNotPublic } from '../../lib/url.ts';
import { suggest } from '../../lib/suggest.ts';
import type { CompiledText } from '../../template/text.ts';
import { insides, warnOfActions } from './actions.ts';
import { type Route, type Source, stepsOf } from '../compiled/config.ts';
import type { FormRules } from '../compiled/form-rules.ts';
import type { Report } from '../documents/issues.ts';
import { noSuch } from '../documents/unknown-name.ts';

/** The names that the sender of a webhook controls. The rest of a template's scope comes from hookbell. */
const SENDERS = /\b(?:payload|item|headers|query)\b/;

/** A name that suggests a link: `tracking_url`, `videoCallUrl`, `href`. */
const NAMES_LINK = /(?:[._"'](?:url|uri|link|href)|Url|URL|Uri|Link|Href)s?(?![a-zA-Z0-9])/;

/** A link with a template's output right after it, which can also change its host. */
const LINK_WITH_VALUE = /https?:\/\/[^\s/?#]*\{\{/i;

const SAYS = {
  anyPhone:
    'takes a number from the sender, and anybody can send: strangers can make you text any phone. Limit the source’s `countries`, such as [DE]',
  sameOnce:
    'is the same for all events, so only the first makes a message; use a value that differs, such as "{{ payload.id }}:paid"',
};

/** `isOpen`: anybody may post to the route's source, and could text any number in the world, or send their own links. */
export function warnOfRoute(route: Route, { isOpen, limit, locale, form }: Source, warn: Report): void {
  if (form !== null && !form.keepsOthers) warnOfFields(route, form, warn);
  const fromPayload = route.to.some(({ from }) => from === 'payload');
  if (isOpen && fromPayload && locale.countries === undefined) warn('.to', 'unsafe', SAYS.anyPhone);
  const receivers = new Set(
    route.to.flatMap((receiver) =>
      receiver.from === 'document'
        ? receiver.numbers.slice(0, receiver.turns === undefined ? Infinity : 1)
        : [],
    ),
  );
  const most = limit?.messagesPerMinute ?? Infinity;
  const tooMany = `has ${receivers.size} receivers, but the source may make only ${most} messages a minute: the others get nothing. Raise \`limit.messages_per_minute\``;
  if (receivers.size > most) warn('.to', 'out-of-range', tooMany);
  if (route.once !== null && route.once.nodes === undefined) warn('.once', 'constant', SAYS.sameOnce);
  warnOfParts(route, warn);
  warnOfActions(route, warn);
  for (const { params } of stepsOf(route.send)) {
    for (const { name, holds, texts } of params) {
      const isUrl = holds === 'url';
      const unsafe = `\`${name}\` has a link from the sender, and anybody can send: write its host into the template`;
      for (const text of texts) {
        if (isOpen && (isUrl ? putsLink(text) : fromPayload && hasLink(text))) warn('', 'unsafe', unsafe);
        if (isUrl) warnOfHost(name, text, warn);
      }
    }
  }
}

/** A field of the payload, which is an item of a notification about several forms. */
const FIELD =
  /(?<![.\w"'])(?:payload|x\.item)(?:\.([\p{L}\p{N}_-]{1,64})|\["([^"]{1,64})"\]|\['([^']{1,64})'\])/gu;

/** The fields that a text reads, also in the payload of a press. */
const fieldsIn = (text: string): readonly string[] =>
  [...text.replaceAll('payload.payload', 'payload').matchAll(FIELD)].map((found) => found.slice(1).join(''));

const withoutOutputs = (source: string): string => source.replaceAll(/\{\{[^]*?(?:\}\}|$)/g, '');

/** What the payload of a press has besides the form's. */
const OF_A_PRESS = ['action', 'label', 'route', 'by', 'message', 'incident', 'event', 'payload'];

/** Warns of fields that a form drops, or that are misspelt. A text may ask whether there is one. */
function warnOfFields(route: Route, { fields }: FormRules, warn: Report): void {
  const { when, each, to, send, alerting, actions } = route;
  const names = fields.map(({ name }) => name);
  const condition = when?.source ?? '';
  const known = new Set([...names, ...(condition.includes('event.type') ? OF_A_PRESS : [])]);
  const look = (path: string, read: readonly string[], asked: readonly string[] = []): void => {
    for (const name of read) {
      const isRight = known.has(name) || (asked.includes(name) && suggest(name, names) === null);
      if (!isRight) warn(path, ...noSuch('field', name, names));
      known.add(name);
    }
  };
  look('.when', fieldsIn(condition));
  for (const receiver of to) if (receiver.from === 'payload') look('.to', fieldsIn(receiver.text.source));
  for (const { id, label } of actions) look(`.actions.${id}.label`, fieldsIn(label?.source ?? ''));
  for (const { params } of [send, alerting?.digest ?? []].flat().flatMap(stepsOf))
    for (const { texts } of params)
      for (const { source } of texts) {
        const own = each === null ? source : source.replaceAll('x.item', 'element');
        look('', fieldsIn(own), fieldsIn(withoutOutputs(own)));
      }
}

/** Parts of one event, in an output or a tag. After a dot, the word is a key of something else. */
const PARTS = /(?<![.\w"'])(payload|headers|query)(?=[.[\s|-]|$)/;

/** Warns of notifications about several events that use parts of a single event: those are empty there. */
function warnOfParts({ alerting, each, ...route }: Route, warn: Report): void {
  const send = alerting?.group ? route.send : null;
  for (const [path, what, about] of [
    ['', 'a notification of a group', send],
    ['.digest', 'a digest', alerting?.digest ?? null],
  ] as const)
    for (const { name, texts } of about === null ? [] : stepsOf(about).flatMap(({ params }) => params)) {
      const [part] = texts.flatMap(({ source }) =>
        insides(source).flatMap((inside) => PARTS.exec(inside)?.[1] ?? []),
      );
      if (part === undefined) continue;
      const item = part === 'payload' && each === null ? 'x.item' : 'x.item or x.event';
      const absent = `\`${name}\` names \`${part}\`, which is empty in ${what}, since it is about several events; use \`${item}\` in \`{% for x in new %}\` … \`{% endfor %}\``;
      warn(path, 'absent', absent);
    }
}

const readsSender = ({ expressions }: CompiledText) => expressions.some((each) => SENDERS.test(each));

const putsLink = (text: CompiledText): boolean => !namesItsHost(text.source) && readsSender(text);

function hasLink(text: CompiledText): boolean {
  const isNamed = text.expressions.some((each) => SENDERS.test(each) && NAMES_LINK.test(pathOf(each)));
  return isNamed || (LINK_WITH_VALUE.test(text.source) && readsSender(text));
}

const pathOf = (expression: string): string => expression.split('|')[0] ?? '';

function warnOfHost(name: string, { source }: CompiledText, warn: Report): void {
  const url = namesItsHost(source) ? URL.parse(source.trim().replace(/\{[{%][^]*/, '')) : null;
  const why = url === null ? null : whyNotPublic(url.hostname);
  if (why !== null)
    warn('', 'unreachable', `\`${name}\`: ${why}, so the gateway or the phone may not reach it`);
}
