import type { WebhookEvent } from '../../ingest/request/event.ts';
import { chatId } from '../../template/filters/chat-id.ts';
import { clocksIn } from '../../template/missing.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { renderText, type CompiledText } from '../../template/text.ts';

/** Finds digits of a receiver that are a number only if they happen to begin with a country code. */
export function digitsDoubts(text: CompiledText, { source }: WebhookEvent, scope: Scope): readonly string[] {
  const { locale } = source;
  if (locale.country !== undefined) return [];
  const rendered = renderText(text, scope, locale);
  const digits = rendered.ok ? rendered.value.trim() : '';
  const isBare = /^(?!00)[\d\s()./-]+$/.test(digits);
  if (!isBare || chatId(digits, scope.payload, locale.chatIds) !== null) return [];
  return [
    `\`${text.source}\` has no + here, and the source has no \`country\`: set it if the digits are national, or write + before them if they begin with a country code`,
  ];
}

/** The end of names such as `date_paid_gmt` and `eventDateUtc`. */
const SAYS_UTC = /(?:gmt|utc)\b/i;

/** Finds times that would be hours off if the sender means its own clock. */
export function clockDoubts(text: CompiledText, { source }: WebhookEvent, scope: Scope): readonly string[] {
  const { locale } = source;
  if (locale.localTimes === true || locale.timezone === 'UTC') return [];
  const unsaid = clocksIn(text, scope, locale).filter((expression) => !SAYS_UTC.test(expression));
  return unsaid.map(
    (expression) =>
      `\`${expression}\` is a time without a zone, which is read as UTC: write \`datetime: "medium", "local"\` if it is local`,
  );
}
