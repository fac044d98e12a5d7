import { useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import type { Page } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf } from '../../lib/router.ts';
import { t } from '../../texts/texts.ts';
import { Button, Empty, Loading, PageHead, Panel, Trouble } from '../../ui/basics.tsx';
import { For } from '../../ui/session.tsx';
import { EditRecipients } from './edit.tsx';

/** Of a long list; all of them are there when it is edited. */
const SHOWN = 100;

/** A list of receivers. */
interface RecipientsList {
  readonly name: string;
  readonly numbers: readonly string[];
}

const load = (signal: AbortSignal) => get<Page<RecipientsList>>('/recipients', undefined, signal);

export function Recipients() {
  const { value, error, again } = useLoad('recipients', load);
  const [edited, setEdited] = useState<{ readonly name: string | null } | null>(null);
  const close = (): void => {
    setEdited(null);
    again();
  };
  return (
    <>
      <PageHead title={t.recipients.title}>
        <For role="editor">
          <Button icon="plus" onClick={() => setEdited({ name: null })}>
            {t.recipients.add}
          </Button>
        </For>
      </PageHead>
      {error !== null && <Trouble error={error} again={again} />}
      {value === null && error === null && <Loading />}
      {value?.items.length === 0 && <Empty title={t.recipients.none}>{t.recipients.noneText}</Empty>}
      {value?.items.map((list) => (
        <Panel
          key={list.name}
          title={list.name}
          aside={
            <For role="editor">
              <Button onClick={() => setEdited(list)}>{t.recipients.edit}</Button>
            </For>
          }
        >
          <ul class="recipients">
            {list.numbers.slice(0, SHOWN).map((phone) => (
              <li key={phone}>
                <a href={addressOf('/messages', { phone })}>{phoneText(phone)}</a>
              </li>
            ))}
            {list.numbers.length > SHOWN && (
              <li class="soft">{t.recipients.more(list.numbers.length - SHOWN)}</li>
            )}
          </ul>
        </Panel>
      ))}
      {edited !== null && (
        <EditRecipients
          name={edited.name}
          taken={value?.items.map(({ name }) => name) ?? []}
          onClose={close}
        />
      )}
    </>
  );
}
