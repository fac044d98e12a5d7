import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { sampleName } from '../../api/catalog.ts';
import type { PreviewAnswer } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { failureText, faultText } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { SelectField } from '../../ui/form.tsx';
import { Bubble } from '../../ui/bubble.tsx';
import { Coded, RelayText } from '../../ui/text.tsx';

type Samples = Extract<PreviewAnswer, { samples: unknown }>['samples'];
type Sample = Samples[number];

export const samplesIn = (preview: PreviewAnswer): Samples => ('samples' in preview ? preview.samples : []);

interface SamplePreviewsProps {
  readonly samples: Samples;
  readonly after?: (sample: Sample) => ComponentChildren;
}

/** The messages that a source makes from its provider's samples, with a choice of the sample. */
export function SamplePreviews({ samples, after }: SamplePreviewsProps) {
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
      <Messages preview={shown} />
      {after?.(shown)}
    </div>
  );
}

export const Messages = ({
  preview: { messages, routes, warnings },
}: {
  preview: Pick<Sample, 'messages' | 'routes' | 'warnings'>;
}) => (
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
        <p key={failure.reason} class="help error">
          <Coded text={failureText(failure)} />
        </p>
      ))}
    {messages.length === 0 && (
      <ul class="stack small">
        {routes.map(({ route, why, result }) => (
          <li key={route}>
            <strong>{route}</strong>{' '}
            <span class="soft">
              {why === undefined ? t.templates.results[result] : <RelayText text={why} />}
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
