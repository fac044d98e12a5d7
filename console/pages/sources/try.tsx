import { useState } from 'preact/hooks';
import { readDocumentNumber } from '../../../src/template/filters/document-number.ts';
import { preview } from '../../api/documents.ts';
import type { PreviewAnswer } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { useWork } from '../../lib/load.ts';
import { t } from '../../texts/texts.ts';
import { Button, Panel, Trouble } from '../../ui/basics.tsx';
import { TextField } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { deliver } from '../send/send.tsx';
import { SamplePreviews, samplesIn } from './samples.tsx';

/** The messages that the published source makes from its provider's samples. Nothing is sent. */
export function TrySample({ id, samples }: { id: string; samples: readonly string[] }) {
  const [shown, setShown] = useState<ReturnType<typeof samplesIn> | null>(null);
  const { isBusy, error, run } = useWork();
  if (samples.length === 0) return null;
  return (
    <Panel title={t.sources.samples}>
      <p class="soft">{t.sources.samplesHelp}</p>
      {error !== null && <Trouble error={error} />}
      {shown === null ? (
        <p class="flow">
          <Button
            icon="eye"
            isBusy={isBusy}
            onClick={() => run(async () => setShown(samplesIn(await preview(id, { samples: true }))))}
          >
            {t.sources.trySamples}
          </Button>
        </p>
      ) : (
        <SamplePreviews samples={shown} after={(sample) => <SendMe messages={sample.messages} />} />
      )}
    </Panel>
  );
}

type SampleMessages = Extract<PreviewAnswer, { readonly samples: unknown }>['samples'][number]['messages'];

/** Sends what a sample would become to the phone of whoever looks at it, and to nobody else. */
function SendMe({ messages }: { messages: SampleMessages }) {
  const [to, setTo] = useState('');
  const { isBusy, error, run } = useWork();
  const sent = messages.filter(({ phone }) => phone !== null);
  // The same text goes to several receivers: one is enough to see it.
  const texts = [...new Map(sent.map((one) => [JSON.stringify([one.kind, one.params]), one])).values()];
  if (texts.length === 0) return null;
  const number = readDocumentNumber(to);
  const send = async (digits: string): Promise<void> => {
    for (const { kind, params } of texts) await deliver({ kind, ...params }, [digits], () => undefined);
    toast(t.sources.sampleSent(phoneText(digits)));
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (number.ok) run(() => send(number.value));
  };
  return (
    <form class="flow sources-send-me" onSubmit={submit}>
      <TextField
        label={t.sources.ownNumber}
        type="tel"
        autoComplete="tel"
        placeholder="+49 151 12345678"
        value={to}
        onInput={setTo}
      />
      <Button type="submit" icon="send" isBusy={isBusy} disabled={!number.ok}>
        {t.sources.sendMe(texts.length)}
      </Button>
      {error !== null && <Trouble error={error} />}
    </form>
  );
}
