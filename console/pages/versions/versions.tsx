import { useEffect, useState } from 'preact/hooks';
import { losingIn } from '../../../shared/resolved-by.ts';
import { get, post } from '../../api/client.ts';
import type { DocumentSet, Version, VersionPage } from '../../api/types.ts';
import { useList } from '../../lib/list.ts';
import { useLoad } from '../../lib/load.ts';
import { Resolves, useResolves } from '../../parts/incident.tsx';
import { noteText, whoOf } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Empty, PageHead, Panel, Pending, Time } from '../../ui/basics.tsx';
import { AskButton, Confirm, Dialog, Opener } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { changesBetween } from './compare.ts';

export function Versions() {
  const list = useList<VersionPage>('/config/versions', {}, ({ version }) => version);
  useEffect(() => {
    if (list.isKept) list.again();
  }, []);
  const managed = list.page?.managed ?? null;
  return (
    <>
      <PageHead title={t.nav.versions} />
      <Pending of={{ ...list, value: list.page }} />
      {managed !== null && <Managed mark={managed} again={list.again} />}
      {list.page !== null && list.items.length === 0 && (
        <Empty title={t.versions.none}>{t.versions.noneText}</Empty>
      )}
      {list.items.length > 0 && (
        <Panel>
          <ul class="lines">
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
  const number = String(version.version);
  return (
    <li class="flow">
      <span class="versions-number">{number}</span>
      <div class="grow">
        <strong dir="auto">{noteText(version.note)}</strong>
        <p class="soft">
          {whoOf(version.by)} · <Time at={version.published_at} />
        </p>
      </div>
      {version.active ? (
        <Badge tone="good">{t.versions.active}</Badge>
      ) : (
        <Opener role="editor" label={t.versions.activate}>
          {(close) => <Activate number={number} onClose={close} again={again} />}
        </Opener>
      )}
      {version.version > 1 && (
        <Opener role="viewer" label={t.versions.changes}>
          {(close) => <Changes from={version.version - 1} to={version.version} onClose={close} />}
        </Opener>
      )}
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

function Changes({ from, to, onClose }: { from: number; to: number; onClose: () => void }) {
  const { value, error, again } = useLoad(`${from}-${to}`, async (signal) => {
    const read = (version: number) => get<DocumentSet>('/config', { version }, signal);
    const [before, after] = await Promise.all([read(from), read(to)]);
    return changesBetween(before, after);
  });
  return (
    <Dialog title={t.versions.changesTitle(String(from), String(to))} onClose={onClose} wide>
      <Pending of={{ value, error, again }} />
      {value?.length === 0 && <p>{t.versions.noChanges}</p>}
      {value?.map(({ name, is, lines }) => (
        <section class="below versions-change" key={name}>
          <h3>
            <Badge tone={TONES[is]}>{t.versions.is[is]}</Badge> <code>{name}</code>
          </h3>
          <pre class="diff" tabIndex={0}>
            {lines.map(({ mark, text }, index) => (
              <span key={index} class={mark === '+' ? 'good' : mark === '-' ? 'bad' : undefined}>
                {`${mark} ${text}\n`}
              </span>
            ))}
          </pre>
        </section>
      ))}
    </Dialog>
  );
}

const TONES = { added: 'good', changed: 'busy', removed: 'bad' } as const;

function Managed({ mark, again }: { mark: NonNullable<VersionPage['managed']>; again: () => void }) {
  const [name, setName] = useState('');
  return (
    <div class="panel flow versions-managed">
      <Badge tone="busy">{t.versions.managed}</Badge>
      <p class="grow">
        {t.versions.managedText(mark.by)} <Time at={mark.at} />
      </p>
      <AskButton
        role="editor"
        label={t.versions.takeOver}
        isDangerous
        does={() => post('/config/takeover', { name })}
        done={t.versions.takenOver}
        onDone={again}
      >
        <p>{t.versions.takeOverText}</p>
        <TextField label={t.versions.yourName} value={name} onInput={setName} autoComplete="name" />
      </AskButton>
    </div>
  );
}
