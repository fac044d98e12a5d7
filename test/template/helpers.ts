import type { Locale } from '../../src/template/basics/locale.ts';
import type { Scope } from '../../src/template/basics/scope.ts';
import { compileText, renderText } from '../../src/template/text.ts';

export const GERMAN: Locale = { country: 'DE', locale: 'de-DE', timezone: 'Europe/Berlin' };

/** A scope with a payload, as an event of a shop. */
export function scopeOf(payload: unknown, more: Partial<Scope> = {}): Scope {
  const event = {
    id: 'evt_1',
    type: 'paid',
    source: 'shop',
    received_at: '2026-11-21T06:00:00Z',
    dedupe_key: null,
  };
  return { payload, event, headers: {}, query: {}, ...more };
}

/** The text of a template, or the reason why there is none, marked by `!`. */
export function render(source: string, payload: unknown = {}, locale: Locale = GERMAN): string {
  const compiled = compileText(source);
  if (!compiled.ok) return `! ${compiled.error}`;
  const rendered = renderText(compiled.value, scopeOf(payload), locale);
  return rendered.ok ? rendered.value : `! ${rendered.error}`;
}

/** The reason for which a template is refused when it is compiled. Undefined if it is not. */
export function refusal(source: string): string | undefined {
  const compiled = compileText(source);
  return compiled.ok ? undefined : compiled.error;
}
