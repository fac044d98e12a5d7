import { t } from '../../texts/texts.ts';
import { addressOf } from '../../lib/router.ts';
import { Empty, PageHead } from '../../ui/basics.tsx';
import { useSession } from '../../ui/session.tsx';
import { may } from '../../api/session.ts';
import { Gallery } from './gallery.tsx';
import { SetUp } from './set-up.tsx';

/** A new source: the provider, then what the source is made of. */
export function AddSource({ provider }: { provider?: string }) {
  if (!may(useSession().role, 'editor'))
    return (
      <>
        <PageHead title={t.sources.add} back={addressOf('/sources')} />
        <Empty title={t.common.needs(t.account.roles.editor)} />
      </>
    );
  return provider === undefined ? <Gallery /> : <SetUp id={provider} />;
}
