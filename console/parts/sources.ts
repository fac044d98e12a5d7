import { get } from '../api/client.ts';
import type { ListPage } from '../api/types.ts';
import { useLoad } from '../lib/load.ts';

export interface SourceRoutes {
  readonly id: string;
  readonly routes?: readonly {
    readonly name: string;
    readonly template?: string;
    readonly to?: string | readonly string[];
  }[];
}

export const useSources = (): readonly SourceRoutes[] =>
  useLoad('sources', (signal) => get<ListPage<SourceRoutes>>('/sources', {}, signal)).value?.items ?? [];
