import type { Send } from '../config/config.ts';
import { whyTooLarge } from '../gateway/params-size.ts';
import type { MessageKind } from '../gateway/kinds.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { Locale } from '../template/basics/locale.ts';
import type { Scope } from '../template/basics/scope.ts';
import type { RouteFailure } from './failure.ts';
import { cutting, renderSend, type Fit, type Params } from './send.ts';

/** One call of the gateway, without its receiver. */
export interface Further {
  readonly kind: string;
  readonly params: Params;
}

/** The result of a template: form fields (several sets if a text was split), and the fallbacks for a dead message. */
export interface RenderedSends {
  readonly kind: MessageKind;
  readonly sets: readonly Params[];
  readonly fallback: readonly Further[];
  /** Why it is a fallback that is sent, and not the template itself; null: it is the template. */
  readonly reason: string | null;
  /** The parts that failed to render. */
  readonly notes: readonly RouteFailure[];
}

/**
 * Renders a template and its fallbacks. What cannot be rendered is left out, so that the next one that can takes its
 * place: nothing is lost to a picture without an address. When none can be rendered, the failures are the template's.
 */
export function renderSends(
  route: Fit,
  send: Send,
  scope: Scope,
  locale: Locale,
): Result<RenderedSends, readonly RouteFailure[]> {
  const first = renderSend(route, send, scope, locale);
  if (send.fallback.length === 0)
    return first.ok
      ? ok({ kind: send.kind, sets: first.value, fallback: [], reason: null, notes: [] })
      : first;
  const notes: RouteFailure[] = [];
  const leave = (failures: readonly RouteFailure[], then: string): void =>
    void notes.push(...failures.map((one) => ({ ...one, reason: `${one.reason}: ${then}` })));
  let made = first.ok ? { kind: send.kind, sets: first.value } : null;
  if (!first.ok) leave(first.error, 'its fallback is sent');
  const fallback: Further[] = [];
  for (const [at, { kind, ...one }] of send.fallback.entries()) {
    const fit = { ...(made === null ? route : cutting(route)), within: `fallback[${at}].` };
    const sets = renderSend(fit, { kind, ...one }, scope, locale);
    if (!sets.ok) leave(sets.error, 'it is left out');
    else if (made === null) made = { kind, sets: sets.value };
    else fallback.push(...sets.value.map((params) => ({ kind, params })));
  }
  if (made === null) return err(first.ok ? [] : first.error);
  // All of them are in one row.
  while (whyTooLarge({ ...made.sets[0], '': JSON.stringify(fallback) }) !== null) fallback.pop();
  return ok({ ...made, fallback, reason: first.ok ? null : (notes[0]?.reason ?? null), notes });
}

/** The further fields of a template's first message. */
export const withFallback = (
  { fallback, reason }: Pick<RenderedSends, 'fallback' | 'reason'>,
  at: number,
): { readonly fallback?: readonly Further[]; readonly reason?: string } => ({
  ...(at === 0 && fallback.length > 0 && { fallback }),
  ...(reason !== null && { reason }),
});
