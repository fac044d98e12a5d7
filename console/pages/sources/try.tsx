import { useState } from 'preact/hooks';
import { post } from '../../api/client.ts';
import type { PreviewAnswer } from '../../api/types.ts';
import { wordsOf } from '../../lib/load.ts';
import { t } from '../../texts/texts.ts';
import { Button, Panel, Trouble } from '../../ui/basics.tsx';
import { samplesIn, SamplePreviews } from './samples.tsx';
import { SendMe } from './send-me.tsx';

/** The messages that the published source makes from its provider's samples. Nothing is sent. */
export function TrySample({ id, samples }: { id: string; samples: readonly string[] }) {
  const [shown, setShown] = useState<ReturnType<typeof samplesIn> | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  if (samples.length === 0) return null;
  const preview = (): void => {
    setBusy(true);
    setError(null);
    post<PreviewAnswer>(`/sources/${encodeURIComponent(id)}/preview`, { samples: true })
      .then(
        (answer) => setShown(samplesIn(answer)),
        (thrown: unknown) => setError(wordsOf(thrown)),
      )
      .finally(() => setBusy(false));
  };
  return (
    <Panel title={t.sources.samples}>
      <p class="soft">{t.sources.samplesHelp}</p>
      {error !== null && <Trouble error={error} />}
      {shown === null ? (
        <p class="sources-actions">
          <Button icon="eye" isBusy={isBusy} onClick={preview}>
            {t.sources.trySamples}
          </Button>
        </p>
      ) : (
        <SamplePreviews samples={shown} after={(sample) => <SendMe messages={sample.messages} />} />
      )}
    </Panel>
  );
}
