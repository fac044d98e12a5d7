import { phoneText } from '../../lib/format.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Loading, Trouble } from '../../ui/basics.tsx';
import { Bubble } from '../../ui/bubble.tsx';
import { Held } from './changes.tsx';
import { isOwnRoute, type Owner } from './own-route.ts';
import type { PreviewState, RenderedPreview } from './use-preview.ts';
import { failureText, faultText } from '../../texts/relay-texts.ts';
import { Coded, RelayText } from '../../ui/text.tsx';

type RoutePreview = RenderedPreview['routes'][number];

/** The number of messages of one route that a person compares. */
const MAX_SHOWN = 20;

interface PhoneProps {
  readonly state: PreviewState;
  readonly owner: Owner;
  /** The parameters with editors, which show their warnings themselves. */
  readonly edited: readonly string[];
}

/** The messages of all receivers for the webhook, and the reasons for those that are not sent. */
export function Phone({ state, owner, edited }: PhoneProps) {
  const { rendered, trouble, isLoading, errors } = state;
  if (rendered === null)
    return (
      <>
        {trouble !== null && <Trouble error={trouble} />}
        {trouble === null && errors.length > 0 && <p class="soft">{t.templates.fixFirst}</p>}
        {isLoading && <Loading />}
      </>
    );
  const own = rendered.routes.filter((route) => isOwnRoute(owner, route.route));
  const others = rendered.routes.filter((route) => !isOwnRoute(owner, route.route));
  return (
    <div class="stack">
      {trouble !== null && <Trouble error={trouble} />}
      {own.map((route) => (
        <Route
          key={route.route}
          route={route}
          warnings={rendered.warnings.filter(({ parameter = '' }) => !edited.includes(parameter))}
        />
      ))}
      {others.length > 0 && (
        <details class="templates-others" open={own.every(({ messages }) => messages.length === 0)}>
          <summary>{t.templates.otherRoutes(String(others.length))}</summary>
          {others.map((route) => (
            <Route key={route.route} route={route} warnings={rendered.warnings} />
          ))}
        </details>
      )}
      {/* At the end, so that nothing moves while somebody types. */}
      {trouble === null && errors.length > 0 && <p class="note warn">{t.templates.lastValid}</p>}
    </div>
  );
}

function Route({ route, warnings }: { route: RoutePreview; warnings: RenderedPreview['warnings'] }) {
  const { messages, failures, why, result, items, held = [] } = route;
  const shown = messages.slice(0, MAX_SHOWN);
  const heldFor = (phone: string | null) => {
    const until = held.find((one) => one.phone === phone)?.until;
    return until === undefined ? null : <Held until={until} />;
  };
  return (
    <section class="stack">
      <h3 class="flow soft">
        {route.route}
        {result !== 'matched' && (
          <Badge tone={result === 'failed' ? 'bad' : 'calm'}>{t.templates.results[result]}</Badge>
        )}
        {items !== undefined && items.length > 0 && <Badge tone="busy">{t.templates.waits}</Badge>}
      </h3>
      {why !== undefined && (
        <p class="soft">
          <RelayText text={why} />
        </p>
      )}
      {failures.map((failure, at) => (
        <p key={at} class="box bad">
          <Coded text={failureText(failure)} />
        </p>
      ))}
      {shown.map((message, at) => (
        <div key={at} class="stack tight">
          {shown[at - 1]?.phone !== message.phone && (
            <span class="soft">{message.phone === null ? t.bubble.status : phoneText(message.phone)}</span>
          )}
          <Bubble kind={message.kind} params={message.params} />
          {heldFor(message.phone)}
        </div>
      ))}
      {messages.length > MAX_SHOWN && (
        <p class="soft">{t.templates.andMore(String(messages.length - MAX_SHOWN))}</p>
      )}
      <ul class="small templates-faults">
        {warnings
          .filter((one) => one.route === route.route)
          .map((warning, at) => (
            <li key={at} class="warn">
              {warning.parameter !== undefined && <b>{warning.parameter} </b>}
              <Coded text={faultText(warning)} />
            </li>
          ))}
      </ul>
    </section>
  );
}
