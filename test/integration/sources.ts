/** A source that anybody may post to. */
export const open = (routes: readonly object[] = [], more: object = {}) => ({
  verify: { scheme: 'none' },
  limit: false,
  routes,
  ...more,
});

export const text = (words: string) => ({ kind: 'text', message: words });

/** A route of every event, to the number that stands in it. */
export const toPhone = (send: object | string, more: object = {}) => ({
  name: 'all',
  to: '{{ payload.phone }}',
  send: typeof send === 'string' ? text(send) : send,
  ...more,
});

let used = 0;

/** A number that nobody in the file has used. */
export const newPhone = (): string => String(4_915_112_500_000 + (used += 1));
