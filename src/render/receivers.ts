import { type Receiver, numbersAt } from '../config/compiled/config.ts';
import { isAList } from '../config/documents/unknown-name.ts';
import { takes } from '../gateway/kinds.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { Fault } from '../lib/problem.ts';
import type { Locale } from '../template/basics/locale.ts';
import { inCountries, notPremium, readReceiver } from '../phone/read.ts';
import type { Scope } from '../template/basics/scope.ts';
import { gatewayDigits } from '../lib/numbers.ts';
import { renderText } from '../template/text.ts';
import { failure, placeOf, type RouteFailure } from './failure.ts';

/** In the gateway's digits, each once, and why others are left out. `now` (ms): who is on call. */
export function renderReceivers(
  route: { readonly name: string; readonly to: readonly Receiver[] },
  scope: Scope,
  locale: Locale,
  now: number,
): { phones: readonly string[]; failures: readonly RouteFailure[] } {
  // A number in two lists gets one message.
  const phones = new Set<string>();
  const failures: RouteFailure[] = [];
  for (const receiver of route.to) {
    if (receiver.from === 'document') {
      for (const number of numbersAt(receiver, now)) phones.add(number);
      continue;
    }
    const phone = renderReceiver(receiver, scope, locale);
    if (phone.ok) phones.add(phone.value);
    else {
      const [code, why] = phone.error;
      failures.push(failure(placeOf(route, scope), 'to', receiver.text.source, why, code));
    }
  }
  return { phones: [...phones], failures };
}

type Given = Extract<Receiver, { from: 'payload' }>;

function renderReceiver(receiver: Given, scope: Scope, locale: Locale): Result<string, Fault> {
  const { address, lists } = receiver;
  const rendered = renderText(receiver.text, scope, locale);
  if (!rendered.ok) return err(['template', rendered.error]);
  const text = rendered.value.trim();
  const what = address === null ? 'number' : 'receiver';
  if (text === '') return err(['required', `is empty: there is no ${what} to send to`]);
  if (address === null) {
    const phone = readNumber(receiver, text, scope, locale);
    return phone.ok ? phone : err(['number', phone.error]);
  }
  if (lists.includes(text)) return err(isAList(text));
  return takes(address, text) ? ok(text) : err(['receiver', `is not ${address.what}`]);
}

function readNumber(
  { isGatewayDigits, mayBePremium, text: template }: Given,
  text: string,
  scope: Scope,
  locale: Locale,
): Result<string, string> {
  const isRead = isGatewayDigits && gatewayDigits.test(text);
  const phone = isRead ? ok(text) : readReceiver(text, locale, scope.payload);
  if (!phone.ok) return phone;
  if (locale.countries !== undefined) return inCountries(phone.value, locale.countries);
  // Text in the template is its author's choice, not the sender's.
  return mayBePremium || template.source.includes(text) ? phone : notPremium(phone.value);
}
