import { useEffect, useState } from 'preact/hooks';
import { ask, get, post, put, sourcePath } from '../../api/client.ts';
import type { PairedKey, PairingAnswer, Written } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { relayText } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Button, Copy, Time, Trouble } from '../../ui/basics.tsx';
import { For } from '../../ui/session.tsx';
import { doing, toastError } from '../../ui/toast.tsx';
import { SetSecret } from './connect.tsx';
import { nameInHint, withSecret } from './secret-words.ts';
import { RelayText } from '../../ui/text.tsx';

const LOOK_EVERY_MS = 2_000;

interface PairingProps {
  readonly id: string;
  readonly source: Written;
  readonly onChanged: () => void;
}

/** Opens the window in which the provider may hand over its key, waits for it, and shows it once. */
export function Pairing({ id, source, onChanged }: PairingProps) {
  const path = `${sourcePath(id)}/pair`;
  const [isOpen, setOpen] = useState(false);
  const state = useLoad(
    path,
    (signal) => get<PairingAnswer>(path, {}, signal),
    isOpen ? LOOK_EVERY_MS : undefined,
  );
  useEffect(() => {
    if (state.value !== null) setOpen(state.value.state === 'open');
  }, [state.value]);
  const [key, setKey] = useState<PairedKey | null>(null);
  const run = (work: Promise<unknown>): void => {
    work.then(state.again, toastError);
  };
  const take = (): void => {
    post<PairedKey>(`${path}/key`).then((taken) => (setOpen(false), setKey(taken)), toastError);
  };
  if (key !== null) return <Key {...{ id, source, taken: key, onChanged }} />;
  const found = state.value;
  if (found === null)
    return state.error === null ? null : <Trouble error={state.error} again={state.again} />;
  return (
    <div aria-live="polite" class="stack">
      {found.state === 'open' && (
        <p>
          {t.sources.pairingOpen} <Time at={found.expires_at} />
        </p>
      )}
      {found.state === 'closed' && <p>{t.sources.pairingClosed}</p>}
      {found.state === 'taken' && <p>{t.sources.pairingTaken}</p>}
      {found.state === 'void' && <Trouble error={relayText(found.hint)} />}
      {found.state === 'captured' && (
        <>
          <p>{t.sources.pairingCaptured}</p>
          <ul>
            {found.offers.map(({ at, address, user_agent }) => (
              <li key={at}>
                <Time at={at} /> · {address ?? '?'} {user_agent !== undefined && `· ${user_agent}`}
              </li>
            ))}
          </ul>
        </>
      )}
      <For role="editor">
        <p class="flow">
          {found.state === 'captured' ? (
            <Button look="main" onClick={take}>
              {t.sources.showKey}
            </Button>
          ) : found.state === 'open' ? (
            <Button onClick={() => run(ask('DELETE', path))}>{t.sources.closeWindow}</Button>
          ) : (
            <Button look="main" onClick={() => run(post(path))}>
              {t.sources.openWindow}
            </Button>
          )}
        </p>
      </For>
    </div>
  );
}

/** The key, which is not shown again: where it goes, and the document that names it. */
function Key({ id, source, taken, onChanged }: PairingProps & { taken: PairedKey }) {
  const name = nameInHint(taken.hint);
  const add = (): void => {
    if (name === null) return;
    void doing(put(sourcePath(id), withSecret(source, name)), t.sources.named(name)).then(onChanged);
  };
  return (
    <div class="stack">
      <p>
        <strong>{t.sources.keyOnce}</strong>
      </p>
      <p>
        <Copy text={taken.secret} />
      </p>
      {name === null ? (
        <RelayText as="p" text={taken.hint} />
      ) : (
        <>
          <SetSecret name={name} />
          <p class="flow">
            <Button look="main" onClick={add}>
              {t.sources.nameIt(name)}
            </Button>
          </p>
        </>
      )}
    </div>
  );
}
