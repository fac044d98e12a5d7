import { useState } from 'preact/hooks';
import { ask, get } from '../../api/client.ts';
import type { ListedSilence, ListPage } from '../../api/types.ts';
import { silencedText } from '../../../src/config/compiled/silenced-text.ts';
import { useLoad } from '../../lib/load.ts';
import { Lengths, Matches } from '../../parts/silence.tsx';
import { byWhom } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Empty, PageHead, Panel, Pending, Time, type Tone } from '../../ui/basics.tsx';
import { AskButton, Dialog, Opener } from '../../ui/dialog.tsx';
import { TextField, useSettled } from '../../ui/form.tsx';

const TONES: Readonly<Record<ListedSilence['state'], Tone>> = {
  active: 'good',
  pending: 'busy',
  ended: 'calm',
};

const load = (signal: AbortSignal) => get<ListPage<ListedSilence>>('/silences', undefined, signal);

export function Silences() {
  const { value, error, again } = useLoad('silences', load);
  return (
    <>
      <PageHead title={t.nav.silences}>
        <Opener icon="plus" look="main" label={t.silences.add}>
          {(close) => <Add onClose={close} onDone={again} />}
        </Opener>
      </PageHead>
      <Pending of={{ value, error, again }} />
      {value?.items.length === 0 && <Empty title={t.silences.none}>{t.silences.noneText}</Empty>}
      {value !== null && value.items.length > 0 && (
        <Panel>
          <ul class="lines">
            {value.items.map((silence) => (
              <li class="flow" key={silence.id}>
                <div class="grow">
                  <p>
                    <Badge tone={TONES[silence.state]}>{t.silences.states[silence.state]}</Badge>{' '}
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
  const ended = silence.origin === 'hand' ? silence.ended_at : undefined;
  const end = ended ?? until;
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

function Add({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [when, setWhen] = useState('');
  const [reason, setReason] = useState('');
  const settled = useSettled(when);
  return (
    <Dialog title={t.silences.add} onClose={onClose}>
      <div class="stack dialog-body">
        <TextField
          label={t.silences.when}
          help={t.silences.whenHelp}
          value={when}
          rows={3}
          onInput={setWhen}
        />
        <Matches what={whatOf(settled)} />
        <TextField
          label={t.common.reason}
          value={reason}
          placeholder={t.silences.reasonDefault}
          onInput={setReason}
        />
      </div>
      <Lengths
        what={whatOf(when)}
        reason={reason}
        onDone={() => {
          onDone();
          onClose();
        }}
      />
    </Dialog>
  );
}
