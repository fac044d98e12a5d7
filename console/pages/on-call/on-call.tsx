import { t } from '../../texts/texts.ts';
import { PageHead } from '../../ui/basics.tsx';
import { Rota } from './rota.tsx';

/** Who is on call. */
export const OnCall = () => (
  <>
    <PageHead title={t.nav.onCall} />
    <Rota />
  </>
);
