import { Fragment } from 'preact';
import { preview } from '../../api/client.ts';
import { readRouteWords, type RouteWords, sampleName } from '../../api/catalog.ts';
import type { PreviewAnswer, Written } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { useLoad, useWork } from '../../lib/load.ts';
import { addressOf } from '../../lib/router.ts';
import { kindName } from '../../parts/message.tsx';
import { t } from '../../texts/texts.ts';
import { Badge, Panel, Button } from '../../ui/basics.tsx';
import { Bubble } from '../../ui/bubble.tsx';
import { useMay } from '../../ui/session.tsx';
import { type RouteFacts, routesOf, textAt, whenOf } from './model.ts';
import { useState } from 'preact/hooks';
import { failureText, faultText } from '../../texts/relay-texts.ts';
import { Failed, SelectField, TextField } from '../../ui/form.tsx';
import { Coded, RelayText } from '../../ui/text.tsx';
import { readDocumentNumber } from '../../../src/phone/dialled.ts';
import { toast } from '../../ui/toast.tsx';
import { deliver } from '../send/send.tsx';

/** The first message of each route. */
export const examplesIn = (preview: PreviewAnswer): ReadonlyMap<string, Sample['messages'][number]> =>
  new Map(
    samplesIn(preview)
      .flatMap(({ messages }) => messages)
      .toReversed()
      .map((message) => [message.route, message]),
  );

interface RoutesProps {
  readonly id: string;
  readonly source: Written;
  /** The provider's routes to customers, by their names. */
  readonly customers?: Readonly<Record<string, unknown>> | undefined;
}

export function Routes({ id, source, customers = {} }: RoutesProps) {
  const routes = routesOf(source);
  const provider = textAt(source, 'provider') ?? '';
  const words = useLoad('route words', readRouteWords).value;
  const mayPreview = useMay('operator');
  const examples = useLoad(`examples ${id}`, async () =>
    mayPreview && routes.length > 0 ? examplesIn(await preview(id, { samples: true })) : null,
  );
  return (
    <Panel title={t.sources.routes}>
      {routes.length === 0 && <p class="soft">{t.sources.noRoutes}</p>}
      <ul class="lines">
        {routes.map((route) => {
          const { name, when, to, also } = route;
          const example = examples.value?.get(name);
          return (
            <li class="stack tight" key={name}>
              <p class="flow">
                <span>
                  <strong>
                    {words && sentenceOf(route, provider, words, Object.hasOwn(customers, name))}
                  </strong>
                  : <What route={route} />
                </span>
                {also.map((one) => (
                  <Badge key={one} tone="calm">
                    {one}
                  </Badge>
                ))}
              </p>
              {example !== undefined && (
                <div class="box">
                  <Bubble kind={example.kind} params={example.params} />
                </div>
              )}
              {(when !== null || to.some(isLiquid)) && (
                <details>
                  <summary>{t.sources.condition}</summary>
                  <dl class="sources-liquid">
                    {Object.entries({ name, when, to: to.join(', ') }).map(
                      ([key, text]) =>
                        text !== null && (
                          <Fragment key={key}>
                            <dt>{key}</dt>
                            <dd>
                              <code>{text}</code>
                            </dd>
                          </Fragment>
                        ),
                    )}
                  </dl>
                </details>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

/** Liquid of a number that belongs to somebody who buys, books or writes. */
const CUSTOMER = /customer|buyer|guest|client|billing|shipping|recipient|attendee|invitee|visitor/i;

/** A route as a sentence: `When an order is paid, to the customer`. */
export function sentenceOf(
  { name, when, to }: Pick<RouteFacts, 'name' | 'when' | 'to'>,
  provider: string,
  words: RouteWords,
  isOfCustomers: boolean,
): string {
  const occasion =
    whenOf(name, provider, words) ?? (when === null ? t.sources.always : t.sources.onRoute(name));
  const receivers = to.map((one) =>
    !isLiquid(one)
      ? phoneText(one)
      : isOfCustomers || CUSTOMER.test(one)
        ? t.sources.theCustomer
        : t.sources.theirNumber,
  );
  return t.sources.routeTo(occasion, receivers.length === 0 ? t.send.everybody : receivers.join(', '));
}

const isLiquid = (text: string): boolean => text.includes('{');

const What = ({ route: { template, kind } }: { route: RouteFacts }) =>
  template === null ? (
    <>{kind === null ? t.sources.aMessage : kindName(kind)}</>
  ) : (
    <a href={addressOf(`/templates/${encodeURIComponent(template)}`)}>{template}</a>
  );

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
export function TrySample({ id }: { id: string }) {
  const [shown, setShown] = useState<Samples | null>(null);
  const { isBusy, thrown, run } = useWork();
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
