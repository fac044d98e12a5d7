import { stepsOf } from './at-cursor.ts';
import { valueAt, type WebhookScope } from './values.ts';

/** The webhook as a preview shows it. */
interface ShownWebhook {
  readonly event: {
    readonly type: string | null;
    readonly dedupe_key: string | null;
    readonly headers: Readonly<Record<string, string>>;
    readonly query: Readonly<Record<string, string>>;
    readonly payload?: unknown;
  };
}

/** The scope of a template. `each`: the list whose elements it sees one at a time. */
export function scopeOf(shown: ShownWebhook | null, each: string | null): WebhookScope {
  if (shown === null) return {};
  const { headers, query, payload, type, dedupe_key } = shown.event;
  const whole: WebhookScope = {
    payload,
    headers,
    query,
    event: { type, dedupe_key, source: '', received_at: '', id: '' },
  };
  const list = each === null ? undefined : valueAt(whole, stepsOf(each));
  return Array.isArray(list) ? { ...whole, item: list[0] as unknown, index: 1 } : whole;
}
