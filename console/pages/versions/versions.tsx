import { useEffect, useState } from 'preact/hooks';
import { get, post } from '../../api/client.ts';
import type { DocumentSet, Version } from '../../api/types.ts';
import { useList } from '../../lib/list.ts';
import { losingIn } from '../../../shared/resolved-by.ts';
import { Resolves, useResolves } from '../../parts/incident/resolves.tsx';
import { noteText, whoOf } from '../../texts/said.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Empty, Loading, PageHead, Panel, Time, Trouble } from '../../ui/basics.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { For } from '../../ui/session.tsx';
import { toast } from '../../ui/toast.tsx';
import { Changes } from './changes.tsx';
import { Managed, markIn } from './managed.tsx';

export function Versions() {
  const list = useList<Version>('/config/versions', {}, ({ version }) => version);
  useEffect(() => {
    if (list.isKept) list.again();
  }, []);
  const managed = list.page === null ? null : markIn(list.page);
  return (
    <>
      <PageHead title={t.versions.title} />
      {list.error !== null && <Trouble error={list.error} again={list.again} />}
      {managed !== null && <Managed mark={managed} again={list.again} />}
      {list.items.length === 0 && list.isLoading && <Loading />}
      {list.items.length === 0 && !list.isLoading && list.error === null && (
        <Empty title={t.versions.none}>{t.versions.noneText}</Empty>
      )}
      {list.items.length > 0 && (
        <Panel>
          <ul class="versions">
            {list.items.map((version) => (
              <Row key={version.version} version={version} again={list.again} />
            ))}
          </ul>
          {list.hasMore && (
            <Button isBusy={list.isLoading} onClick={list.more}>
              {t.common.more}
            </Button>
          )}
        </Panel>
      )}
    </>
  );
}

function Row({ version, again }: { version: Version; again: () => void }) {
  const [open, setOpen] = useState<'changes' | 'activate' | null>(null);
  const close = (): void => setOpen(null);
  const number = String(version.version);
  return (
    <li>
      <span class="versions-number">{number}</span>
      <div class="grow">
        <p class="versions-note" dir="auto">
          {noteText(version.note)}
        </p>
        <p class="soft">
          {whoOf(version.by)} · <Time at={version.published_at} />
        </p>
      </div>
      {version.active ? (
        <Badge tone="good">{t.versions.active}</Badge>
      ) : (
        <For role="editor">
          <Button onClick={() => setOpen('activate')}>{t.versions.activate}</Button>
        </For>
      )}
      {version.version > 1 && <Button onClick={() => setOpen('changes')}>{t.versions.changes}</Button>}
      {open === 'changes' && <Changes from={version.version - 1} to={version.version} onClose={close} />}
      {open === 'activate' && <Activate number={number} onClose={close} again={again} />}
    </li>
  );
}

function Activate({ number, onClose, again }: { number: string; onClose: () => void; again: () => void }) {
  const resolves = useResolves(`by version ${number}`, async () => {
    const [now, then] = await Promise.all([
      get<DocumentSet>('/config'),
      get<DocumentSet>('/config', { version: number }),
    ]);
    return losingIn(now.sources, then.sources);
  });
  return (
    <Confirm
      title={t.versions.activateTitle(number)}
      action={t.versions.activate}
      isDangerous={(resolves.value?.count ?? 0) > 0}
      isUnready={resolves.isLoading}
      onClose={onClose}
      onConfirm={async () => {
        await post(`/config/versions/${number}/activate`);
        toast(t.versions.activated(number));
        again();
      }}
    >
      <p>{t.versions.activateText}</p>
      <Resolves of={resolves} />
    </Confirm>
  );
}
