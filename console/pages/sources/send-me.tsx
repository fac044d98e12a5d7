import { useState } from 'preact/hooks';
import type { PreviewAnswer } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { wordsOf } from '../../lib/load.ts';
import { t } from '../../texts/texts.ts';
import { Button, Trouble } from '../../ui/basics.tsx';
import { TextField } from '../../ui/form.tsx';
import { readDocumentNumber } from '../../../src/template/filters/document-number.ts';
import { toast } from '../../ui/toast.tsx';
import { deliver } from '../send/deliver.ts';

type Messages = Extract<PreviewAnswer, { readonly samples: unknown }>['samples'][number]['messages'];

/** Sends what a sample would become to the phone of whoever looks at it, and to nobody else. */
export function SendMe({ messages }: { messages: Messages }) {
  const [to, setTo] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
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
    if (!number.ok) return;
    setBusy(true);
    setError(null);
    send(number.value)
      .catch((thrown: unknown) => setError(wordsOf(thrown)))
      .finally(() => setBusy(false));
  };
  return (
    <form class="sources-send-me" onSubmit={submit}>
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
