import { useEffect, useState } from 'preact/hooks';
import { wordsOf } from '../lib/load.ts';
import { t } from '../texts/texts.ts';
import { Button } from './basics.tsx';
import { Coded } from './text.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
}

const SHOWN_MS = 6_000;
let next = 0;
let show: (toast: Toast) => void = () => undefined;

export const toast = (text: string): void => show({ id: (next += 1), text, isBad: false });

/** Says what could not be done and why; it stays until somebody closes it. */
export const toastError = (thrown: unknown): void =>
  show({ id: (next += 1), text: wordsOf(thrown), isBad: true });

export async function doing(work: Promise<unknown>, done: string): Promise<void> {
  try {
    await work;
    toast(done);
  } catch (thrown) {
    toastError(thrown);
  }
}

export function Toasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const close = (id: number): void => setToasts((old) => old.filter((one) => one.id !== id));
  useEffect(() => {
    show = (toast) => {
      setToasts((old) => [...old.slice(-3), toast]);
      if (!toast.isBad) setTimeout(() => close(toast.id), SHOWN_MS);
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
