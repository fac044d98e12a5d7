import { provider as readProvider } from '../../api/catalog.ts';
import { ask, get, getTagged, sourcePath } from '../../api/client.ts';
import type { Diagnosis, Stats, Written } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { go, useFilters } from '../../lib/router.ts';
import { Resolves, useResolves } from '../../parts/incident/resolves.tsx';
import { scopeOfSource, SilenceButton } from '../../parts/silence/silence.tsx';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Empty, Facts, PageHead, Panel, Pending } from '../../ui/basics.tsx';
import { Confirm, Opener } from '../../ui/dialog.tsx';
import { For } from '../../ui/session.tsx';
import { toast } from '../../ui/toast.tsx';
import { Address, Connect } from './connect.tsx';
import { DocumentEditor } from './document.tsx';
import { missingSecrets, textAt } from './model.ts';
import { Pairing } from './pairing.tsx';
import { Routes } from './routes.tsx';
import { handsOverKey } from './secret-words.ts';
import { TrySample } from './samples.tsx';
import { Arrivals } from './waiting.tsx';

export function SourcePage({ id = '' }: { id?: string }) {
  const source = useLoad(`source ${id}`, (signal) => getTagged<Written>(sourcePath(id), {}, signal));
  const [query, filter] = useFilters();
  const isEditing = query['edit'] === '1';
  const document = source.value?.value;
  return (
    <>
      <PageHead title={id} back="/sources">
        {document !== undefined && <SilenceButton scopes={scopeOfSource(id)} />}
        {document !== undefined && (
          <For role="editor">
            <Button onClick={() => filter({ edit: isEditing ? '' : '1' })}>
              {isEditing ? t.sources.closeEditor : t.sources.edit}
            </Button>
          </For>
        )}
      </PageHead>
      <Pending of={source} gone={<Empty title={t.sources.gone(id)} />} />
      {source.value !== null && isEditing && (
        <For role="editor">
          <DocumentEditor
            id={id}
            start={source.value}
            onSaved={() => {
              filter({ edit: '' });
              source.again();
            }}
          />
        </For>
      )}
      {document !== undefined && !isEditing && (
        <>
          <Content id={id} source={document} onChanged={source.again} />
          <Opener role="editor" look="quiet" label={t.sources.remove}>
            {(close) => <Delete id={id} onClose={close} />}
          </Opener>
        </>
      )}
    </>
  );
}

function Delete({ id, onClose }: { id: string; onClose: () => void }) {
  const resolves = useResolves(`without ${id}`, () => [{ source: id, isAll: true }]);
  return (
    <Confirm
      title={t.sources.removeTitle(id)}
      action={t.sources.remove}
      isDangerous
      isUnready={resolves.isLoading}
      onClose={onClose}
      onConfirm={async () => {
        await ask('DELETE', sourcePath(id));
        toast(t.sources.removed(id));
        go('/sources');
      }}
    >
      <p>{t.sources.removeText}</p>
      <Resolves of={resolves} />
    </Confirm>
  );
}

function Content({ id, source, onChanged }: { id: string; source: Written; onChanged: () => void }) {
  const kind = textAt(source, 'provider') ?? 'generic';
  const provider = useLoad(`provider ${kind}`, (signal) => readProvider(kind, navigator.language, signal));
  const stats = useLoad('stats', (signal) => get<Stats>('/stats', {}, signal));
  const counted = stats.value?.sources[id];
  const isSilent = stats.value !== null && (counted?.last_event_at ?? null) === null;
  const doctor = useLoad('doctor', (signal) => get<Diagnosis>('/doctor', {}, signal));
  const scheme = textAt(source['verify'] ?? provider.value?.verify, 'scheme');
  const pages = Array.isArray(source['origins']) ? t.sources.byPage(source['origins'].join(', ')) : null;
  const connect = provider.value !== null && (
    <Connect
      id={id}
      source={source}
      provider={provider.value}
      missing={doctor.value === null ? null : missingSecrets(doctor.value)}
      isChecking={doctor.isLoading}
      onCheck={doctor.again}
      {...(handsOverKey(provider.value, source) && {
        pairing: <Pairing id={id} source={source} onChanged={onChanged} />,
      })}
    />
  );
  return (
    <div class="columns">
      <div>
        <Arrivals id={id} />
        {isSilent && connect}
        <Routes id={id} source={source} customers={provider.value?.customers} />
        {!isSilent && stats.value !== null && (
          <details>
            <summary>{t.sources.connectAgain}</summary>
            {connect}
          </details>
        )}
      </div>
      <div class="beside">
        <div class="sources-facts">
          <Panel>
            <Facts
              facts={[
                [t.sources.address, <Address id={id} source={source} />],
                [t.sources.provider, provider.value?.name ?? textAt(source, 'provider')],
                [t.sources.verifiedBy, scheme === 'none' ? (pages ?? t.sources.unverified) : scheme],
                [t.common.account, textAt(source, 'account')],
                [t.common.country, textAt(source, 'country')],
                [t.account.language, textAt(source, 'locale')],
                [t.common.zone, textAt(source, 'timezone')],
                [
                  t.sources.heartbeat,
                  counted?.heartbeat?.overdue === true ? (
                    <Badge tone="bad">{t.sources.overdue(counted.heartbeat.expected)}</Badge>
                  ) : (
                    textAt(source, 'heartbeat')
                  ),
                ],
              ]}
            />
          </Panel>
        </div>
        <For role="operator">
          <TrySample id={id} samples={(provider.value?.samples ?? []).map(({ name }) => name)} />
        </For>
      </div>
    </div>
  );
}
