import { get } from '../api/client.ts';
import type { ListPage } from '../api/types.ts';
import { useLoad } from '../lib/load.ts';

/** The keys of a source's document that these pages need. */
export interface SourceRoutes {
  readonly id: string;
  readonly routes?: readonly {
    readonly name: string;
    readonly template?: string;
    readonly to?: string | readonly string[];
  }[];
}

/** The sources that are configured; none while they are loaded, or cannot be. */
export const useSources = (): readonly SourceRoutes[] =>
  useLoad('sources', (signal) => get<ListPage<SourceRoutes>>('/sources', {}, signal)).value?.items ?? [];
