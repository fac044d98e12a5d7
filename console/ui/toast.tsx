import { useEffect, useState } from 'preact/hooks';
import { wordsOf } from '../lib/load.ts';
import { t } from '../texts/texts.ts';
import { Button } from './basics.tsx';
import { Coded } from './text.tsx';

const SHOWN_MS = 6_000;
let show: (text: string, isBad: boolean) => void = () => undefined;

export const toast = (text: string): void => show(text, false);

/** Says what could not be done and why; it stays until somebody closes it. */
export const toastError = (thrown: unknown): void => show(wordsOf(thrown), true);

export async function doing(work: Promise<unknown>, done: string): Promise<void> {
  try {
    await work;
    toast(done);
  } catch (thrown) {
    toastError(thrown);
  }
}

export function Toasts() {
  const [toasts, setToasts] = useState<readonly { id: number; text: string; isBad: boolean }[]>([]);
  const close = (id: number): void => setToasts((old) => old.filter((one) => one.id !== id));
  useEffect(() => {
    let id = 0;
    show = (text, isBad) => {
      const own = (id += 1);
      setToasts((old) => [...old.slice(-3), { id: own, text, isBad }]);
      if (!isBad) setTimeout(() => close(own), SHOWN_MS);
    };
  }, []);
  return (
    <div class="stack toasts" role="status">
      {toasts.map(({ id, text, isBad }) => (
        <div key={id} class={isBad ? 'line toast bad' : 'line toast'}>
          <Coded as="span" class="grow" text={text} />
          <Button look="quiet" icon="close" label={t.common.close} onClick={() => close(id)} />
        </div>
      ))}
    </div>
  );
}
