import { post } from '../../api/client.ts';
import { may } from '../../api/session.ts';
import type { PreviewAnswer } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { useSession } from '../../ui/session.tsx';
import { samplesIn } from '../sources/samples.tsx';
import { isDoc, routeAt, routesOf, type TextSet } from './texts-of-set.ts';

type Message = ReturnType<typeof samplesIn>[number]['messages'][number];

/** Each source is one preview of the relay: with more, the list shows the texts as they are written. */
const MOST_SOURCES = 8;

/** A message that each route makes of its provider's samples, by `source:route`; those that there are. A sample is in one
 * language, so there is none for a route with a text for each. */
export function useExamples(set: TextSet): ReadonlyMap<string, Message> {
  const { sources } = set;
  const ids = Object.keys(sources).filter((id) => routesOf(sources[id] ?? {}).length > 0);
  const isCheap = may(useSession().role, 'operator') && ids.length <= MOST_SOURCES;
  const { value } = useLoad(
    `examples ${isCheap ? ids.join(' ') : ''}`,
    async (): Promise<ReadonlyMap<string, Message>> => {
      const found = await Promise.allSettled(
        (isCheap ? ids : []).map(async (id) => {
          const preview = await post<PreviewAnswer>(`/sources/${encodeURIComponent(id)}/preview`, {
            samples: true,
          });
          return samplesIn(preview).flatMap(({ messages }) =>
            messages
              .filter(({ route }) => !isDoc(routeAt(set, { source: id, route })?.['template']))
              .map((message) => [`${id}:${message.route}`, message] as const),
          );
        }),
      );
      // The first of a route's messages, as on its source's page.
      return new Map(found.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])).toReversed());
    },
  );
  return value ?? new Map();
}
