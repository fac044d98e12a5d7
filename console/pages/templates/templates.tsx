import { preview } from '../../api/client.ts';
import { useState } from 'preact/hooks';
import { NAME } from '../../../src/config/documents/name.ts';
import { KIND_NAMES } from '../../../src/gateway/kinds.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf, go, useFilters } from '../../lib/router.ts';
import { kindName } from '../../parts/message.tsx';
import { t } from '../../texts/texts.ts';
import { Badge, Empty, PageHead, Pending } from '../../ui/basics.tsx';
import { Bubble } from '../../ui/bubble.tsx';
import { Confirm, Opener } from '../../ui/dialog.tsx';
import { SearchField, SelectField, TextField } from '../../ui/form.tsx';
import { useMay } from '../../ui/session.tsx';
import { examplesIn } from '../sources/routes.tsx';
import { wordsOf } from './fields.ts';
import { type ListedText, readSet, routeAt, routesOf, type TextSet, textsOf } from './texts-of-set.ts';
import { isObject } from '../../../src/lib/json.ts';

export function Templates() {
  const { value, error, again } = useLoad('texts', (signal) => readSet(undefined, signal), 30_000);
  const [{ find = '' }, setFilters] = useFilters();
  return (
    <>
      <PageHead title={t.nav.templates}>
        {value !== null && (
          <Opener role="editor" icon="plus" label={t.templates.add}>
            {(close) => <NewTemplate taken={Object.keys(value.set.templates)} onClose={close} />}
          </Opener>
        )}
      </PageHead>
      <Pending of={{ value, error, again }} />
      {value !== null && (
        <>
          <div class="flow filters">
            <SearchField
              label={t.common.search}
              placeholder={t.templates.searchIn}
              value={find}
              onInput={(text) => setFilters({ find: text })}
            />
          </div>
          <Lists set={value.set} find={find} />
        </>
      )}
    </>
  );
}

function Lists({ set, find }: { set: TextSet; find: string }) {
  const examples = useExamples(set);
  const all = textsOf(set);
  const found = all.filter((one) => matches(one, find));
  const { template: templates = [], route: inRoutes = [] } = Object.groupBy(found, ({ place }) => place.in);
  if (all.length === 0) return <Empty title={t.templates.noneTitle}>{t.templates.none}</Empty>;
  if (found.length === 0) return <Empty title={t.templates.noneFound} />;
  const listOf = (title: string, texts: readonly ListedText[]) => (
    <section key={title} class="below templates-list">
      <h2>{title}</h2>
      <ul>
        {texts.map(({ id, place, document, uses }) => {
          // No sample shows a digest, which is made of several events, or a text for each language: it is in one.
          const [example] = uses
            .filter((use) => use.part === 'send' && !isObject(routeAt(set, use)?.['template']))
            .flatMap(({ source, route }) => examples.get(source)?.get(route) ?? []);
          return (
            <li key={id} class="templates-row">
              <span class="flow templates-row-head">
                <a href={addressOf(`/templates/${encodeURIComponent(id)}`)}>
                  {place.in === 'template' ? place.name : place.route}
                </a>
                <Badge tone="calm">{kindName(String(document['kind']))}</Badge>
                {place.in === 'route' && place.part === 'digest' && (
                  <Badge tone="calm">{t.templates.digest}</Badge>
                )}
              </span>
              {example === undefined ? (
                <span class="templates-row-text" dir="auto">
                  {wordsOf(document)}
                </span>
              ) : (
                <div class="box small templates-row-bubble" inert>
                  <Bubble kind={example.kind} params={example.params} />
                </div>
              )}
              {place.in === 'template' && (
                <span class="templates-row-uses">
                  {uses.length === 0
                    ? t.templates.unused
                    : uses.map(({ source, route }) => `${source} › ${route}`).join(', ')}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
  return (
    <>
      {templates.length > 0 && listOf(t.nav.templates, templates)}
      <div class="cards">
        {[...Map.groupBy(inRoutes, ({ uses }) => uses[0]?.source ?? '')].map(([source, texts]) =>
          listOf(t.templates.inSource(source), texts),
        )}
      </div>
    </>
  );
}

function matches({ id, document, uses }: ListedText, find: string): boolean {
  const words = [id, JSON.stringify(document), ...uses.flatMap(({ source, route }) => [source, route])];
  return words.join('\n').toLowerCase().includes(find.trim().toLowerCase());
}

/** Each source is one preview of the relay: with more, the list shows the texts as they are written. */
const MOST_SOURCES = 8;

/** The messages that routes make of their providers' samples, by source; those that there are. */
function useExamples({ sources }: TextSet): ReadonlyMap<string, ReturnType<typeof examplesIn>> {
  const ids = Object.keys(sources).filter((id) => routesOf(sources[id]).length > 0);
  const isCheap = useMay('operator') && ids.length <= MOST_SOURCES;
  const { value } = useLoad(`examples ${isCheap ? ids.join(' ') : ''}`, async () => {
    const found = (isCheap ? ids : []).map(async (id) => {
      const examples = await preview(id, { samples: true }).then(examplesIn, () => null);
      return examples === null ? [] : [[id, examples] as const];
    });
    return new Map((await Promise.all(found)).flat());
  });
  return value ?? new Map();
}

/** Asks for the name and kind of a template; it is written, and only then published, on its own page. */
function NewTemplate({ taken, onClose }: { taken: readonly string[]; onClose: () => void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState('text');
  const write = async (): Promise<void> => {
    if (!NAME.test(name)) throw new Error(t.templates.badName);
    if (taken.includes(name)) throw new Error(t.templates.takenName);
    go(`/templates/${name}`, { kind });
  };
  return (
    <Confirm title={t.templates.add} action={t.templates.write} onConfirm={write} onClose={onClose}>
      <TextField
        label={t.common.name}
        value={name}
        onInput={(text) => setName(text.trim())}
        help={t.templates.nameHelp}
        autoFocus
      />
      <SelectField
        label={t.common.kind}
        value={kind}
        options={KIND_NAMES.map((one) => [one, kindName(one)] as const)}
        onChange={setKind}
      />
    </Confirm>
  );
}
