import { get } from '../api/client.ts';
import type { ListPage } from '../api/types.ts';
import { phoneText } from '../lib/format.ts';
import { useLoad } from '../lib/load.ts';
import { type ListedRecipients, namesIn, receiversOf } from '../pages/recipients/receivers.ts';

/** People by the lists of recipients. Until these are there, nobody has a name or takes turns. */
export function usePeople() {
  const { value } = useLoad('people', async (signal) => {
    const { items } = await get<ListPage<ListedRecipients>>('/recipients', {}, signal);
    return { names: namesIn(items), rotating: items.filter(({ rotation }) => rotation !== undefined) };
  });
  return {
    nameOf: (phone: string): string => value?.names.get(phone) ?? phoneText(phone),
    /** The list in whose rotation one of these numbers is, otherwise any list with a rotation; null: nobody takes turns. */
    listOnCall: (phones: readonly (string | null)[]): string | null => {
      const rotating = value?.rotating ?? [];
      const own = rotating.find((list) => receiversOf(list).some(({ phone }) => phones.includes(phone)));
      return (own ?? rotating[0])?.name ?? null;
    },
  };
}
