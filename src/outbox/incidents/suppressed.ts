import { type LoadedConfig, isSuppressed, numbersAt } from '../../config/compiled/config.ts';
import { placeIn } from './rules.ts';
import type { MessageRow } from '../state/message.ts';

type Sent = Pick<MessageRow, 'source' | 'route' | 'phone'>;

const routeOf = (config: LoadedConfig, { source, route }: Sent) =>
  placeIn(config, { source: source ?? '', route: route ?? '' }).route;

/**
 * True if a message's receiver has opted out, and its route is not transactional. If `config` is null, nobody has opted
 * out as far as is known.
 */
export const isSuppressedIn = (config: LoadedConfig | null, row: Sent): boolean =>
  config !== null &&
  row.phone !== null &&
  isSuppressed(config, row.phone) &&
  routeOf(config, row)?.isTransactional !== true;

/**
 * True if all receivers of a message's route have opted out, or all whose turn it is at a time (ms). Receivers from
 * payloads are not known.
 */
export function isWholeRouteSuppressed(config: LoadedConfig | null, row: Sent, now: number): boolean {
  const route = config === null ? null : routeOf(config, row);
  return (
    config !== null &&
    route !== null &&
    route.to.every(
      (to) => to.from === 'document' && numbersAt(to, now).every((number) => isSuppressed(config, number)),
    )
  );
}
