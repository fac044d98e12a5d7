import { t } from '../../texts/texts.ts';
import { PageHead } from '../../ui/basics.tsx';
import { Rota } from './rota.tsx';

/** The page of the people on call. */
export const OnCall = () => (
  <>
    <PageHead title={t.nav.onCall} />
    <Rota />
  </>
);
