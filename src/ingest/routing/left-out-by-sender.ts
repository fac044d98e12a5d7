import type { Route } from '../../config/compiled/config.ts';
import { ownValue } from '../../lib/own-json.ts';
import type { LeftOutBySender } from '../../provider/provider.ts';

/** Returns the number of elements that the sender has left out of a route's list; 0 if it does not say so. */
export function leftOutBySender(
  said: LeftOutBySender | undefined,
  { each }: Pick<Route, 'each'>,
  payload: unknown,
): number {
  if (said === undefined || each === null || !reads(each.source, `payload.${said.list}`)) return 0;
  const list = ownValue(payload, said.list);
  const number = ownValue(payload, 'count' in said ? said.count : said.total);
  if (!Array.isArray(list) || !Number.isSafeInteger(number)) return 0;
  return Math.max(0, Number(number) - ('count' in said ? 0 : list.length));
}

/** True if an expression begins with this path: filters may follow it. */
const reads = (expression: string, path: string): boolean =>
  expression.trimStart().startsWith(path) && !/^[\w.[-]/.test(expression.trimStart().slice(path.length));
