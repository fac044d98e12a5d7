import type { Receiver, Route, SendParam } from '../config/config.ts';
import { MESSAGE_KINDS } from '../gateway/kinds.ts';
import { joinPollOptions } from '../gateway/poll-options.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { splitText, truncateTo } from '../template/graphemes.ts';
import type { Locale } from '../template/locale.ts';
import { parsePhone } from '../template/phone.ts';
import type { Scope } from '../template/scope.ts';
import { renderText, type CompiledText } from '../template/text.ts';
import { failure, type Rendered, type RouteFailure } from './route-result.ts';

/** Renders a route once: its parameters, then its receivers. What fails is told; what does not is sent. */
export function renderMessages(route: Route, scope: Scope, locale: Locale): Rendered {
  const parts = renderParams(route, scope, locale);
  if (!parts.ok) return { messages: [], failures: parts.error };
  const { kind } = route.send;
  const { phones, failures } = renderReceivers(route, scope, locale);
  const receivers: readonly (string | null)[] = MESSAGE_KINDS[kind].hasReceiver ? phones : [null];
  const messages = receivers.flatMap((phone) =>
    parts.value.map((params) => ({ route: route.name, kind, phone, params })),
  );
  return { messages, failures };
}

type Params = Readonly<Record<string, string>>;

/** The form fields: one set, or several when the text was split. */
function renderParams(
  route: Route,
  scope: Scope,
  locale: Locale,
): Result<readonly Params[], readonly RouteFailure[]> {
  const failures: RouteFailure[] = [];
  const params: Record<string, string> = {};
  let pieces: { readonly name: string; readonly texts: readonly string[] } | null = null;
  for (const param of route.send.params) {
    const value = renderParam(route, param, scope, locale);
    if (!value.ok) {
      failures.push(failure(route.name, param.name, expressionOf(param.texts), value.error));
    } else if (value.value.length > 1) {
      pieces = { name: param.name, texts: value.value };
    } else if (value.value[0] !== undefined && value.value[0] !== '') {
      params[param.name] = value.value[0];
    }
  }
  if (failures.length > 0) return err(failures);
  if (pieces === null) return ok([params]);
  const { name, texts } = pieces;
  return ok(texts.map((text) => ({ ...params, [name]: text })));
}

/** One parameter's value, in pieces if it had to be split. An optional one may come out empty and is left out. */
function renderParam(
  route: Route,
  param: SendParam,
  scope: Scope,
  locale: Locale,
): Result<readonly string[], string> {
  const texts: string[] = [];
  for (const text of param.texts) {
    const rendered = renderText(text, scope, locale);
    if (!rendered.ok) return rendered;
    texts.push(rendered.value);
  }
  if (param.isList) return joined(texts);
  const text = texts[0] ?? '';
  if (text.trim() === '')
    return param.required ? err('comes out empty, and the gateway requires it') : ok([]);
  if (MESSAGE_KINDS[route.send.kind].urls.includes(param.name)) return httpUrl(text);
  return fitted(text, route);
}

function joined(options: readonly string[]): Result<readonly string[], string> {
  const list = joinPollOptions(options);
  return list.ok ? ok([list.value]) : list;
}

function httpUrl(text: string): Result<readonly string[], string> {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return err('is not an http(s) URL');
  return ok([text.trim()]);
}

/** Text that is over the route's length, cut, split or refused as the route says. Lengths in UTF-16 units. */
function fitted(text: string, { maxLength, overflow }: Route): Result<readonly string[], string> {
  if (text.length <= maxLength) return ok([text]);
  if (overflow === 'fail')
    return err(`has ${text.length} characters, and the route's \`max_length\` is ${maxLength}`);
  return ok(overflow === 'split' ? splitText(text, maxLength) : [truncateTo(text, maxLength)]);
}

function renderReceivers(
  route: Route,
  scope: Scope,
  locale: Locale,
): { phones: readonly string[]; failures: readonly RouteFailure[] } {
  // A number that stands in two lists gets one message.
  const phones = new Set<string>();
  const failures: RouteFailure[] = [];
  for (const receiver of route.to) {
    if (receiver.from === 'document') {
      for (const number of receiver.numbers) phones.add(number);
    } else {
      const phone = renderReceiver(receiver, scope, locale);
      if (phone.ok) phones.add(phone.value);
      else failures.push(failure(route.name, 'to', receiver.text.source, phone.error));
    }
  }
  return { phones: [...phones], failures };
}

function renderReceiver(
  receiver: Extract<Receiver, { from: 'payload' }>,
  scope: Scope,
  locale: Locale,
): Result<string, string> {
  const rendered = renderText(receiver.text, scope, locale);
  if (!rendered.ok) return rendered;
  const text = rendered.value.trim();
  if (text === '') return err('comes out empty: there is no number to send to');
  return parsePhone(receiver.isGatewayDigits ? `+${text}` : text, locale.country);
}

const expressionOf = (texts: readonly CompiledText[]): string =>
  texts.map(({ source }) => source).join(' · ');
