import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { wordsOf } from '../../lib/load.ts';
import { t } from '../../texts/texts.ts';
import { Loading, PageHead, Trouble } from '../../ui/basics.tsx';

/** Who is on call. What it shows is loaded when it is opened first. */
export function OnCall() {
  const [shown, setShown] = useState<{ readonly Rota: FunctionComponent } | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    import('./rota.tsx').then(setShown, (thrown: unknown) => setError(wordsOf(thrown)));
  }, []);
  return (
    <>
      <PageHead title={t.nav.onCall} />
      {error !== null && <Trouble error={error} />}
      {shown === null ? error === null && <Loading /> : <shown.Rota />}
    </>
  );
}
