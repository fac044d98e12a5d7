import { useState } from 'preact/hooks';
import { ask } from '../../api/client.ts';
import type { ListedSilence, ListPage } from '../../api/types.ts';
import { silencedText } from '../../../src/config/compiled/silenced-text.ts';
import { useGet } from '../../lib/load.ts';
import { SilenceWindow } from '../../parts/silence.tsx';
import { byWhom } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Empty, PageHead, Panel, Pending, Time, toneOf } from '../../ui/basics.tsx';
import { AskButton, Opener, type WindowProps } from '../../ui/dialog.tsx';
import { TextField, useSettled } from '../../ui/form.tsx';

export function Silences() {
  const loaded = useGet<ListPage<ListedSilence>>('/silences');
  const { value, again } = loaded;
  return (
    <>
      <PageHead title={t.nav.silences}>
        <Opener icon="plus" look="main" label={t.silences.add}>
          {(close) => <Add onClose={close} onDone={again} />}
        </Opener>
      </PageHead>
      <Pending of={loaded} />
      {value?.items.length === 0 && <Empty title={t.silences.none}>{t.silences.noneText}</Empty>}
      {value !== null && value.items.length > 0 && (
        <Panel>
          <ul class="lines">
            {value.items.map((silence) => (
              <li class="flow" key={silence.id}>
                <div class="grow">
                  <p>
                    <Badge tone={toneOf(silence.state)}>{t.silences.states[silence.state]}</Badge>{' '}
                    <strong dir="auto">{silence.reason ?? silence.id}</strong>
                  </p>
                  <p>
                    <code class="silences-when">{silencedText(silence, t.common.andMore)}</code>
                  </p>
                  <p class="soft">
                    <Ends silence={silence} />
                  </p>
                </div>
                {silence.origin === 'hand' && silence.state !== 'ended' && (
                  <AskButton
                    label={t.silences.end}
                    title={t.silences.endTitle}
                    isDangerous
                    does={() => ask('DELETE', `/silences/${encodeURIComponent(silence.id)}`)}
                    done={t.silences.endedToast}
                    onDone={again}
                  >
                    <p>
                      <code class="silences-when">{silencedText(silence, t.common.andMore)}</code>
                    </p>
                    <p>{t.silences.endText}</p>
                  </AskButton>
                )}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}

function Ends({ silence }: { silence: ListedSilence }) {
  const { state, from, until } = silence;
  const end = (silence.origin === 'hand' ? silence.ended_at : undefined) ?? until;
  return (
    <>
      {state === 'pending' && from !== undefined && (
        <>
          {t.silences.begins} <Time at={from} /> ·{' '}
        </>
      )}
      {silence.origin === 'document' && silence.every !== undefined && `${t.silences.weekly} · `}
      {end === undefined ? (
        t.silences.noEnd
      ) : (
        <>
          {state === 'ended' ? t.silences.ended : t.silences.ends} <Time at={end} />
        </>
      )}
      {' · '}
      {silence.origin === 'hand' ? t.silences.by(byWhom(silence.by)) : `${t.silences.document} ${silence.id}`}
    </>
  );
}

const whatOf = (text: string) => (text.trim() === '' ? null : { when: text });

function Add(props: WindowProps) {
  const [when, setWhen] = useState('');
  const settled = useSettled(when);
  return (
    <SilenceWindow {...props} title={t.silences.add} what={whatOf(when)} settled={whatOf(settled)}>
      <TextField label={t.silences.when} help={t.silences.whenHelp} value={when} rows={3} onInput={setWhen} />
    </SilenceWindow>
  );
}
