import { useMemo, useState } from 'preact/hooks';
import { useFilters } from '../../lib/router.ts';
import { t } from '../../texts/texts.ts';
import { Empty, Loading, PageHead, Trouble } from '../../ui/basics.tsx';
import { For, useMay } from '../../ui/session.tsx';
import { toast } from '../../ui/toast.tsx';
import { stepsOf, valueAt, type WebhookScope } from './editor/at-cursor.ts';
import { faultsOf } from './faults.ts';
import { FieldEditors } from './field-editors.tsx';
import { partsOf } from './fields.ts';
import { Head, Notices, type OpenText } from './head.tsx';
import { History } from './history-panel.tsx';
import { Phone, type PreviewState, usePreview } from './preview.tsx';
import type { PublishedTexts } from './published.ts';
import type { TextPlace } from './texts-of-set.ts';
import type { Written } from '../../api/types.ts';

import { ownRoutes, pathTo, placeOf, routeAt, shownDraft, sourcesFor, usesOf } from './texts-of-set.ts';
import { TryOn, useChoice } from './try-on.tsx';
import { useText } from './use-text.ts';

export function TemplatePage({ name = '' }: Readonly<Record<string, string>>) {
  const place = useMemo(() => placeOf(name), [name]);
  const [{ kind }] = useFilters();
  const edited = useText(place, kind);
  const { published, text, error, again } = edited;
  const title = place.in === 'template' ? place.name : `${place.source} › ${place.route}`;
  if (published === null || text === null)
    return (
      <>
        <PageHead title={title} back="/templates" />
        {error !== null ? (
          <Trouble error={error} again={again} />
        ) : published === null ? (
          <Loading />
        ) : (
          <Empty title={t.templates.goneTitle}>{t.templates.gone}</Empty>
        )}
      </>
    );
  return <Workbench {...{ title, place, edited, published, text }} />;
}

function Workbench({ title, place, edited, published, text }: OpenText) {
  const { set } = published;
  const mayTry = useMay('operator');
  const sources = useMemo(() => (mayTry ? sourcesFor(set, place) : []), [set, place, mayTry]);
  const [pasted, setPasted] = useState<string | null>(null);
  const choice = useChoice(set, place, sources, pasted ?? '{}');
  const { source, subject } = choice;
  const state = usePreview(
    subject === null || source === ''
      ? null
      : { source, subject, draft: shownDraft(set, place, text, source), text },
  );
  const routes = ownRoutes(set, place, source);
  const faults = useFaults(state, published, place, routes);
  const scope = useMemo(
    () => scopeOf(state.rendered, eachOf(published, place, source)),
    [state.rendered, published, place, source],
  );
  return (
    <>
      <Head {...{ title, place, edited, published, text }} />
      <Notices edited={edited} text={text} />
      <div class="columns templates-bench">
        <div>
          <FieldEditors text={text} onText={edited.setText} faults={faults} scope={scope} />
        </div>
        <aside class="stack templates-view" aria-label={t.templates.phone}>
          <h2>{t.templates.phone}</h2>
          <For role="operator">
            <TryOn
              {...{ choice, sources }}
              pasted={pasted}
              current={payloadText(state)}
              onPasted={setPasted}
            />
            {source === '' ? (
              <p class="soft">{t.templates.noSource}</p>
            ) : (
              <Phone state={state} ownRoutes={routes} edited={namesIn(text)} />
            )}
          </For>
          {!mayTry && <p class="soft">{t.common.needs(t.account.roles.operator)}</p>}
        </aside>
      </div>
      {edited.current !== null && (
        <History
          {...{ place, published, text }}
          isManaged={edited.isManaged}
          onTake={(older) => {
            edited.setText(older);
            scrollTo({ top: 0 });
            toast(t.templates.taken);
          }}
          onActivated={edited.again}
        />
      )}
    </>
  );
}

const namesIn = (text: Written): readonly string[] =>
  partsOf(text).flatMap(({ fields }) => fields.map(({ name }) => name));

const payloadText = ({ rendered }: PreviewState): string =>
  rendered === null ? '{}' : JSON.stringify(rendered.event.payload, null, 2);

/** The list whose elements a route's templates see one at a time; null: they see the whole event. */
function eachOf({ set }: PublishedTexts, place: TextPlace, source: string): string | null {
  const routes =
    place.in === 'route' ? [place] : usesOf(set, place.name).filter((use) => use.source === source);
  const each = routes.map((use) => routeAt(set, use)?.['each']).find((one) => typeof one === 'string');
  return each ?? null;
}

/** The errors, at their places in the checked text. */
const useFaults = (
  state: PreviewState,
  { set }: PublishedTexts,
  place: TextPlace,
  routes: readonly string[],
) =>
  useMemo(() => {
    const { rendered, errors, text } = state;
    if (text === null) return [];
    const isOwn = ({ route }: { readonly route: string | null }): boolean =>
      route !== null && routes.includes(route);
    const isCurrent = errors.length === 0;
    const findings = {
      errors,
      failures: isCurrent ? (rendered?.routes.flatMap(({ failures }) => failures).filter(isOwn) ?? []) : [],
      warnings: isCurrent ? (rendered?.warnings.filter(isOwn) ?? []) : [],
    };
    const fields = partsOf(text).flatMap((part) => part.fields);
    return faultsOf(findings, fields, pathTo(set, place)).filter(
      ({ field, isError }) => field !== null || isError,
    );
  }, [state.rendered, state.errors]);

/** The scope of a template. `each`: the list whose elements it sees one at a time. */
function scopeOf(shown: PreviewState['rendered'], each: string | null): WebhookScope {
  if (shown === null) return {};
  const { headers, query, payload, type, dedupe_key } = shown.event;
  const event = { type, dedupe_key, source: '', received_at: '', id: '' };
  const whole: WebhookScope = { payload, headers, query, event };
  const list = each === null ? undefined : valueAt(whole, stepsOf(each));
  return Array.isArray(list) ? { ...whole, item: list[0] as unknown, index: 1 } : whole;
}
