import type { ListPage } from '../api/types.ts';
import { phoneText } from '../lib/format.ts';
import { useGet } from '../lib/load.ts';
import { type ListedRecipients, namesIn, receiversOf } from '../pages/recipients/receivers.ts';

export interface SourceRoutes {
  readonly id: string;
  readonly routes?: readonly {
    readonly name: string;
    readonly template?: string;
    readonly to?: string | readonly string[];
  }[];
}

export const useSources = (): readonly SourceRoutes[] =>
  useGet<ListPage<SourceRoutes>>('/sources').value?.items ?? [];

/** People by the lists of recipients. Until these are there, nobody has a name or takes turns. */
export function usePeople() {
  const lists = useGet<ListPage<ListedRecipients>>('/recipients').value?.items ?? [];
  const names = namesIn(lists);
  return {
    nameOf: (phone: string): string => names.get(phone) ?? phoneText(phone),
    /** The list in whose rotation one of these numbers is, otherwise any list with a rotation; null: nobody takes turns. */
    listOnCall: (phones: readonly (string | null)[]): string | null => {
      const rotating = lists.filter(({ rotation }) => rotation !== undefined);
      const own = rotating.find((list) => receiversOf(list).some(({ phone }) => phones.includes(phone)));
      return (own ?? rotating[0])?.name ?? null;
    },
  };
}
