import type { Written } from '../../api/documents.ts';
import { phoneText } from '../../lib/format.ts';
import { addressOf } from '../../lib/router.ts';
import { kindName } from '../../parts/message/words.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Panel } from '../../ui/basics.tsx';
import { routesOf, type RouteWords } from './model.ts';

/** The routes of a source in words. */
export function Routes({ source }: { source: Written }) {
  const routes = routesOf(source);
  return (
    <Panel title={t.sources.routes}>
      {routes.length === 0 && <p class="soft">{t.sources.noRoutes}</p>}
      <ul class="sources-routes">
        {routes.map((route) => (
          <li key={route.name}>
            <p class="sources-route-name">
              <strong>{route.name}</strong>
              {route.also.map((one) => (
                <Badge key={one} tone="calm">
                  {one}
                </Badge>
              ))}
            </p>
            <p>
              {route.when === null ? (
                t.sources.always
              ) : (
                <>
                  {t.sources.when} <code>{route.when}</code>
                </>
              )}
            </p>
            <p>
              <What route={route} /> {t.sources.to} <Receivers to={route.to} />
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const What = ({ route: { template, kind } }: { route: RouteWords }) =>
  template === null ? (
    <>{kind === null ? t.sources.aMessage : kindName(kind)}</>
  ) : (
    <>
      {t.sources.template} <a href={addressOf(`/templates/${encodeURIComponent(template)}`)}>{template}</a>
    </>
  );

const Receivers = ({ to }: { to: readonly string[] }) =>
  to.length === 0 ? (
    <>{t.sources.everybody}</>
  ) : (
    <>
      {to.map((one, at) => (
        <span key={at}>
          {at > 0 && ', '}
          {one.includes('{') ? <code>{one}</code> : <strong>{phoneText(one)}</strong>}
        </span>
      ))}
    </>
  );
