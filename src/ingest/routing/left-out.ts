import type { Route } from '../../config/config.ts';
import type { RouteFailure } from '../../render/failure.ts';

/** What a route left out because its source may make no more messages. */
interface LeftOut {
  /** How many messages of its last element. */
  readonly messages: number;
  /** How many elements it looked at, and how many there are. */
  readonly seen: number;
  readonly of: number;
}

/**
 * Says what was left out. Not in the form of a failure: a replay of what failed reads from the reasons which routes did.
 */
export function leftOutNote(
  { name, each }: Pick<Route, 'name' | 'each'>,
  perMinute: number | null,
  { messages, seen, of }: LeftOut,
): RouteFailure {
  const parts: string[] = [];
  if (messages > 0)
    parts.push(
      `${messages} ${messages === 1 ? 'message' : 'messages'}${each === null ? '' : ` of element ${seen}`}`,
    );
  if (seen < of) parts.push(each === null ? 'all messages' : elements(seen + 1, of));
  const why = `its source may make ${perMinute} messages a minute (\`limit.messages_per_minute\`)`;
  const reason = `route \`${name}\` left out ${parts.join(' and ')}: ${why}`;
  return { route: name, parameter: 'limit', expression: '', reason };
}

const elements = (from: number, to: number): string =>
  from === to ? `element ${to}` : `elements ${from} to ${to}`;
