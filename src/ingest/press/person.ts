import { receiversOf } from '../../config/compile/escalation.ts';
import { maskNumber } from '../../lib/mask-numbers.ts';
import type { PressPayload } from '../../outbox/links/read-link.ts';
import type { Press } from './press-context.ts';

/** Returns the person who pressed: the receiver of the message, with their name in the lists of its route. */
export function personOf({
  source,
  view: { route, phone },
}: Pick<Press, 'source' | 'view'>): PressPayload['by'] {
  const found = source.routes.find((one) => one.name === route);
  const lists = found === undefined ? [] : receiversOf(found);
  const [name] = lists.flatMap((to) =>
    to.from === 'document' && phone !== null ? (to.names?.get(phone) ?? []) : [],
  );
  return { phone, ...(name !== undefined && { name }) };
}

/** Returns a person as the others in the same list see them. */
export const whoIs = ({ name, phone }: PressPayload['by']): string => name ?? maskNumber(phone ?? '');
