import { get } from '../../api/client.ts';
import type { ListPage, OpenIncidentsAnswer } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { t } from '../../texts/texts.ts';
import { Trouble } from '../../ui/basics.tsx';
import { resolvedBy, type Losing } from '../../../shared/resolved-by.ts';

/** Reads how many open incidents a change would resolve. `losing`: the sources that it concerns, or reads them. */
export const useResolves = (key: string, losing: () => readonly Losing[] | Promise<readonly Losing[]>) =>
  useLoad(`resolves ${key}`, async (signal) => {
    const sources = await losing();
    if (sources.length === 0) return resolvedBy([], []);
    const { items } = await get<ListPage<OpenIncidentsAnswer>>('/open-incidents', {}, signal);
    return resolvedBy(sources, items);
  });

export const Resolves = ({ of: { value, error, again } }: { of: ReturnType<typeof useResolves> }) => (
  <div role="status">
    {error !== null && <Trouble error={error} again={again} />}
    {value !== null && value.count > 0 && (
      <p class="box warn">
        {t.incidents.changeResolves(value.count, value.sources.join(', '), value.isExact)}
      </p>
    )}
  </div>
);
