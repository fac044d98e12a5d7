import { useState } from 'preact/hooks';
import { readSet } from '../../api/documents.ts';
import { phoneText } from '../../lib/format.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf } from '../../lib/router.ts';
import { t } from '../../texts/texts.ts';
import { Button, Empty, Loading, PageHead, Panel, Trouble } from '../../ui/basics.tsx';
import { DayStrip } from '../../ui/day-strip.tsx';
import { For } from '../../ui/session.tsx';
import { EditRecipients } from './edit.tsx';
import { listsIn, usedBy } from './list.ts';
import { receiversOf, type ReceiverRow } from './receivers.ts';

/** The number of receivers that are shown of a long list. The editor has all of them. */
const SHOWN = 100;

export function Recipients() {
  const { value, error, again } = useLoad('recipients', readSet);
  const [edited, setEdited] = useState<{ readonly name: string | null } | null>(null);
  const close = (): void => {
    setEdited(null);
    again();
  };
  const lists = value === null ? [] : listsIn(value.value);
  return (
    <>
      <PageHead title={t.recipients.title}>
        <a class="button" href={addressOf('/recipients/opted-out')}>
          {t.optedOut.title}
        </a>
        <For role="editor">
          <Button icon="plus" onClick={() => setEdited({ name: null })}>
            {t.recipients.add}
          </Button>
        </For>
      </PageHead>
      {error !== null && <Trouble error={error} again={again} />}
      {value === null && error === null && <Loading />}
      {value !== null && lists.length === 0 && (
        <Empty title={t.recipients.none}>{t.recipients.noneText}</Empty>
      )}
      {lists.map(([name, list]) => (
        <Panel
          key={name}
          title={name}
          aside={
            <For role="editor">
              <Button onClick={() => setEdited({ name })}>{t.recipients.edit}</Button>
            </For>
          }
        >
          <People receivers={receiversOf(list)} />
          {list.quiet !== undefined && (
            <p class="recipients-quiet">
              {t.recipients.quietIs(list.quiet.from, list.quiet.to, list.quiet.timezone ?? 'UTC')}
              <DayStrip from={list.quiet.from} to={list.quiet.to} />
            </p>
          )}
          <UsedBy routes={usedBy(name, value?.value.sources ?? {})} />
        </Panel>
      ))}
      {edited !== null && (
        <EditRecipients name={edited.name} taken={lists.map(([name]) => name)} onClose={close} />
      )}
    </>
  );
}

const People = ({ receivers }: { receivers: readonly ReceiverRow[] }) => (
  <ul class="recipients">
    {receivers.slice(0, SHOWN).map(({ name, phone, addresses }) => (
      <li key={name ?? phone}>
        {name !== null && <strong dir="auto">{name}</strong>}{' '}
        {phone !== null && <a href={addressOf('/messages', { phone })}>{phoneText(phone)}</a>}
        {addresses.length > 0 && <span class="soft"> {addresses.join(', ')}</span>}
      </li>
    ))}
    {receivers.length > SHOWN && <li class="soft">{t.recipients.more(receivers.length - SHOWN)}</li>}
  </ul>
);

const UsedBy = ({ routes }: { routes: ReturnType<typeof usedBy> }) => (
  <p class="soft">
    {routes.length === 0 ? t.recipients.unused : t.recipients.usedBy}{' '}
    {routes.map(({ source, route }, at) => (
      <span key={`${source}/${route}`}>
        {at > 0 && ', '}
        <a href={addressOf(`/sources/${encodeURIComponent(source)}`)}>
          {source}: {route}
        </a>
      </span>
    ))}
  </p>
);
