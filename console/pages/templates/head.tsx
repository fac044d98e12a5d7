import { useState } from 'preact/hooks';
import type { ChangeReceipt, Written } from '../../api/types.ts';
import { addressOf } from '../../lib/router.ts';
import { kindName } from '../../parts/message-words.ts';
import { noteText, whoOf } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, PageHead, Panel, Time } from '../../ui/basics.tsx';
import { AskButton, Opener } from '../../ui/dialog.tsx';
import { FieldErrors } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { Diff } from './changes.tsx';
import { Publish } from './publish.tsx';
import type { PublishedTexts } from './published.ts';
import { routesOf, type TextPlace, type Use, usesOf } from './texts-of-set.ts';
import type { EditedText } from './use-text.ts';
import { isObject } from '../../../src/lib/json.ts';

export interface OpenText {
  readonly title: string;
  readonly place: TextPlace;
  readonly edited: EditedText;
  readonly published: PublishedTexts;
  readonly text: Written;
}

export function Head({ title, place, edited, published, text }: OpenText) {
  const [warnings, setWarnings] = useState<ChangeReceipt['warnings']>([]);
  const { isChanged, isOvertaken, base } = edited;
  const uses = place.in === 'template' ? usesOf(published.set, place.name) : [place];
  return (
    <>
      <PageHead title={title} back="/templates">
        {isChanged && (
          <AskButton
            role="viewer"
            label={t.templates.discard}
            title={t.templates.discardTitle}
            action={t.templates.discard}
            isDangerous
            does={() => Promise.resolve(edited.discard())}
          >
            <p>{t.templates.discardQuestion}</p>
          </AskButton>
        )}
        <Opener
          role="editor"
          look="main"
          label={edited.isManaged ? t.templates.patch : `${t.templates.publish} …`}
          disabled={!isChanged || isOvertaken}
        >
          {(close) => (
            <Publish
              {...{ published, place, text, base }}
              isManaged={edited.isManaged}
              onPublished={(now, receipt) => {
                edited.setPublished(now);
                edited.discard();
                toast(t.templates.published(String(now.version)));
                setWarnings(receipt.warnings);
                close();
              }}
              onOvertaken={(now) => {
                edited.setPublished(now);
                close();
              }}
              onClose={close}
            />
          )}
        </Opener>
      </PageHead>
      <p class="flow below templates-uses">
        <Badge tone="calm">{kindName(String(text['kind']))}</Badge>
        {place.in === 'route' ? (
          <a href={addressOf(`/sources/${place.source}`)}>{t.templates.inSource(place.source)}</a>
        ) : uses.length === 0 ? (
          <span class="soft">{t.templates.unused}</span>
        ) : (
          uses.map(({ source, route, part }) => (
            <a key={`${source}:${route}:${part}`} href={addressOf(`/sources/${source}`)}>
              {source} › {route}
            </a>
          ))
        )}
        <span class="soft">{isChanged ? t.templates.notPublished : t.templates.isPublished}</span>
      </p>
      <Unused uses={uses} published={published} text={text} />
      {warnings.length > 0 && (
        <Panel
          title={t.templates.warnings}
          aside={<Button look="quiet" icon="close" label={t.common.close} onClick={() => setWarnings([])} />}
        >
          <FieldErrors errors={warnings} tone="warn" />
        </Panel>
      )}
    </>
  );
}

/** Links that a route of the text declares and the text does not show: its receivers cannot stop the messages, or answer. */
const Unused = ({
  uses,
  published: { set },
  text,
}: { uses: readonly Use[] } & Pick<OpenText, 'published' | 'text'>) => {
  const written = JSON.stringify(text);
  const actions = uses
    .filter(({ part }) => part === 'send')
    .flatMap(({ source, route }) => routesOf(set.sources[source]).filter(({ name }) => name === route))
    .flatMap(({ actions }) => (isObject(actions) ? Object.keys(actions) : []));
  const unused = [...new Set(actions)].filter((name) => !written.includes(`actions.${name}`));
  return unused.length === 0 ? null : (
    <p class="flow below templates-uses help">
      {t.templates.unusedLinks}{' '}
      {unused.map((name) => (
        <code key={name}>{`{{ actions.${name}.url }}`}</code>
      ))}
    </p>
  );
};

/** Says that somebody else has published this text meanwhile, with the changes; or that a typed text was restored. */
export function Notices({ edited, text }: { edited: EditedText; text: Written }) {
  const { isOvertaken, isRestored, versions, base, current, keepMine, discard } = edited;
  if (isOvertaken) {
    const newest = versions?.items.find(({ active }) => active);
    return (
      <section class="panel stack templates-overtaken" role="alert">
        <h2>{t.templates.overtaken}</h2>
        {newest !== undefined && (
          <p>
            {t.templates.overtakenBy(whoOf(newest.by), String(newest.version))}{' '}
            <Time at={newest.published_at} />
            {newest.note !== '' && <span dir="auto"> · {noteText(newest.note)}</span>}
          </p>
        )}
        <h3>{t.templates.theirChange}</h3>
        {current === null ? <p>{t.templates.theyDeleted}</p> : <Diff was={base} now={current} />}
        <h3>{t.templates.yourText}</h3>
        <Diff was={current} now={text} />
        <p>{t.templates.nothingLost}</p>
        <div class="flow">
          <Button look="main" onClick={keepMine}>
            {t.templates.keepMine}
          </Button>
          {current !== null && <Button onClick={discard}>{t.templates.takeTheirs}</Button>}
        </div>
      </section>
    );
  }
  if (!isRestored) return null;
  return (
    <p class="note warn" role="status">
      {t.templates.restored}
    </p>
  );
}
