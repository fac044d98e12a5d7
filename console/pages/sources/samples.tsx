import { useState } from 'preact/hooks';
import { sampleName } from '../../api/catalog.ts';
import type { PreviewAnswer } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { failureText, faultText } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Failed, SelectField, TextField } from '../../ui/form.tsx';
import { Bubble } from '../../ui/bubble.tsx';
import { Coded, RelayText } from '../../ui/text.tsx';
import { readDocumentNumber } from '../../../src/phone/dialled.ts';
import { preview } from '../../api/client.ts';
import { useWork } from '../../lib/load.ts';
import { Button, Panel } from '../../ui/basics.tsx';
import { toast } from '../../ui/toast.tsx';
import { deliver } from '../send/send.tsx';

type Samples = Extract<PreviewAnswer, { samples: unknown }>['samples'];
type Sample = Samples[number];

export const samplesIn = (preview: PreviewAnswer): Samples => ('samples' in preview ? preview.samples : []);

export function SamplePreviews({ samples, canSend = false }: { samples: Samples; canSend?: boolean }) {
  // Until somebody chooses: the first that says something.
  const [chosen, choose] = useState<string | null>(null);
  const first = samples.find(({ messages }) => messages.length > 0) ?? samples[0];
  const shown = samples.find(({ sample }) => sample === chosen) ?? first;
  if (shown === undefined) return null;
  return (
    <div class="stack">
      <SelectField
        label={t.sources.sample}
        value={shown.sample}
        options={samples.map(({ sample, messages }) => [
          sample,
          t.sources.sampleOption(sampleName(sample), messages.length),
        ])}
        onChange={choose}
      />
      <Messages {...shown} />
      {canSend && <SendMe messages={shown.messages} />}
    </div>
  );
}

const Messages = ({ messages, routes, warnings }: Sample) => (
  <div class="stack" aria-live="polite">
    {messages.length === 0 && <p class="soft">{t.sources.noMessages}</p>}
    {messages.map(({ route, kind, phone, params }, at) => (
      <figure key={at} class="sources-message">
        <figcaption>
          {route}
          {phone !== null && ` → ${phoneText(phone)}`}
        </figcaption>
        <Bubble kind={kind} params={params} />
      </figure>
    ))}
    {routes
      .flatMap(({ failures }) => failures)
      .map((failure) => (
        <Coded key={failure.reason} as="p" class="help error" text={failureText(failure)} />
      ))}
    {messages.length === 0 && (
      <ul class="stack small">
        {routes.map(({ route, why, result }) => (
          <li key={route}>
            <strong>{route}</strong>{' '}
            <span class="soft">
              {why === undefined ? t.events.routes.results[result] : <RelayText text={why} />}
            </span>
          </li>
        ))}
      </ul>
    )}
    {warnings.map((warning) => (
      <p key={`${warning.route} ${warning.message}`} class="box warn small">
        {warning.route !== null && <strong>{warning.route}: </strong>}
        <Coded text={faultText(warning)} />
      </p>
    ))}
  </div>
);

/** The messages that the published source makes from its provider's samples. Nothing is sent. */
export function TrySample({ id, samples }: { id: string; samples: readonly string[] }) {
  const [shown, setShown] = useState<Samples | null>(null);
  const { isBusy, thrown, run } = useWork();
  if (samples.length === 0) return null;
  return (
    <Panel title={t.sources.samples}>
      <p class="soft">{t.sources.samplesHelp}</p>
      <Failed thrown={thrown} />
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
        <SamplePreviews samples={shown} canSend />
      )}
    </Panel>
  );
}

/** Sends what a sample would become to the phone of whoever looks at it, and to nobody else. */
function SendMe({ messages }: Pick<Sample, 'messages'>) {
  const [to, setTo] = useState('');
  const { isBusy, thrown, run } = useWork();
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
      <Failed thrown={thrown} />
    </form>
  );
}
