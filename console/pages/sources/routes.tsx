import { Fragment } from 'preact';
import { preview } from '../../api/client.ts';
import { readRouteWords, type RouteWords } from '../../api/catalog.ts';
import type { PreviewAnswer, Written } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf } from '../../lib/router.ts';
import { kindName } from '../../parts/message.tsx';
import { t } from '../../texts/texts.ts';
import { Badge, Panel } from '../../ui/basics.tsx';
import { Bubble } from '../../ui/bubble.tsx';
import { useMay } from '../../ui/session.tsx';
import { type RouteFacts, routesOf, textAt, whenOf } from './model.ts';
import { samplesIn } from './samples.tsx';

type SampleMessage = ReturnType<typeof samplesIn>[number]['messages'][number];

/** The first message of each route. */
export const examplesIn = (preview: PreviewAnswer): ReadonlyMap<string, SampleMessage> =>
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
