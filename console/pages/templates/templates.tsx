import { useState } from 'preact/hooks';
import { useLoad } from '../../lib/load.ts';
import { addressOf, useFilters } from '../../lib/router.ts';
import { kindName } from '../../parts/message/words.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Empty, Loading, PageHead, Trouble } from '../../ui/basics.tsx';
import { Bubble } from '../../ui/bubble.tsx';
import { TextField } from '../../ui/form.tsx';
import { For } from '../../ui/session.tsx';
import { useExamples } from './examples.ts';
import { wordsOf } from './fields.ts';
import { NewTemplate } from './new-template.tsx';
import { readSet } from './published.ts';
import { textsOf, type ListedText, type TextSet } from './texts-of-set.ts';

/** All texts: the templates with who sends them, and those that are written into a source's routes. */
export function Templates() {
  const { value, error, again } = useLoad('texts', (signal) => readSet(undefined, signal), 30_000);
  const [{ find = '' }, setFilters] = useFilters();
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <PageHead title={t.templates.title}>
        <For role="editor">
          <Button icon="plus" onClick={() => setAdding(true)}>
            {t.templates.add}
          </Button>
        </For>
      </PageHead>
      {error !== null && <Trouble error={error} again={again} />}
      {value === null ? (
        error === null && <Loading />
      ) : (
        <>
          <div class="filters">
            <TextField
              label={t.common.search}
              isLabelHidden
              placeholder={t.templates.searchIn}
              type="search"
              value={find}
              onInput={(text) => setFilters({ find: text })}
              isSearch
            />
          </div>
          <Lists set={value.set} find={find} />
        </>
      )}
      {isAdding && value !== null && (
        <NewTemplate taken={Object.keys(value.set.templates)} onClose={() => setAdding(false)} />
      )}
    </>
  );
}

function Lists({ set, find }: { set: TextSet; find: string }) {
  const examples = useExamples(set);
  const all = textsOf(set);
  const found = all.filter((one) => matches(one, find));
  const templates = found.filter(({ place }) => place.in === 'template');
  const inline = Map.groupBy(
    found.filter(({ place }) => place.in === 'route'),
    ({ uses }) => uses[0]?.source ?? '',
  );
  if (all.length === 0) return <Empty title={t.templates.noneTitle}>{t.templates.none}</Empty>;
  if (found.length === 0) return <Empty title={t.templates.noneFound} />;
  return (
    <>
      {templates.length > 0 && <TextList title={t.templates.shared} texts={templates} examples={examples} />}
      <div class="templates-sources">
        {[...inline].map(([source, texts]) => (
          <TextList key={source} title={t.templates.inSource(source)} texts={texts} examples={examples} />
        ))}
      </div>
    </>
  );
}

function matches({ id, document, uses }: ListedText, find: string): boolean {
  const words = [id, JSON.stringify(document), ...uses.flatMap(({ source, route }) => [source, route])];
  return words.join('\n').toLowerCase().includes(find.trim().toLowerCase());
}

interface TextListProps {
  readonly title: string;
  readonly texts: readonly ListedText[];
  readonly examples: ReturnType<typeof useExamples>;
}

const TextList = ({ title, texts, examples }: TextListProps) => (
  <section class="templates-list">
    <h2>{title}</h2>
    <ul>
      {texts.map((one) => (
        <li key={one.id}>
          <TextRow text={one} example={exampleOf(one, examples)} />
        </li>
      ))}
    </ul>
  </section>
);

type Example = ReturnType<TextListProps['examples']['get']>;

/** A digest is made of several events: no sample shows it. */
const exampleOf = ({ uses }: ListedText, examples: TextListProps['examples']): Example =>
  uses
    .filter(({ part }) => part === 'send')
    .flatMap(({ source, route }) => examples.get(`${source}:${route}`) ?? [])[0];

const TextRow = ({
  text: { id, place, document, uses },
  example,
}: {
  text: ListedText;
  example: Example;
}) => (
  <div class="templates-row">
    <span class="templates-row-head">
      <a href={addressOf(`/templates/${encodeURIComponent(id)}`)}>
        {place.in === 'template' ? place.name : place.route}
      </a>
      <Badge tone="calm">{kindName(String(document['kind']))}</Badge>
      {place.in === 'route' && place.part === 'digest' && <Badge tone="calm">{t.templates.digest}</Badge>}
    </span>
    {example === undefined ? (
      <span class="templates-row-text" dir="auto">
        {wordsOf(document)}
      </span>
    ) : (
      <div class="templates-row-bubble" inert>
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
  </div>
);
