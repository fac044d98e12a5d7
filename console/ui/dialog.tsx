import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useKeys } from '../lib/keys.ts';
import { useWork } from '../lib/load.ts';
import { t } from '../texts/texts.ts';
import { Button, type ButtonProps } from './basics.tsx';
import { Failed } from './form.tsx';
import { type SessionRole, useMay } from './session.tsx';
import { toast } from './toast.tsx';

const FIELDS = '.dialog-body :is(input, textarea, select):not([disabled], details *)';

/**
 * The last element outside of windows that had the focus. The browser's own is lost where a window is shown again with its
 * content, or a button that is busy cannot have the focus.
 */
let outside: HTMLElement | null = null;
addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && target.closest('dialog') === null) outside = target;
});

/** Gives the focus to the last button of a foot that has just come: what had it before has gone with the old one. */
export const focusFoot = (foot: HTMLElement | null): void =>
  foot?.querySelector<HTMLElement>('button:last-child')?.focus();

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
}

/** A window above the page. The browser keeps the focus in it; when it closes, whatever opened it has the focus again. */
export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  // Before the browser takes the next key, which is meant for its first field.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // The browser would focus the button that closes it.
    dialog?.querySelector<HTMLElement>(FIELDS)?.focus();
  }, []);
  useEffect(() => {
    const dialog = element.current;
    return () => {
      dialog?.close();
      if (outside?.isConnected === true) outside.focus();
      // If the opener is gone, or can have no focus now, the page has it, and not its beginning.
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('#content')?.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? 'wide' : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header class="line dialog-head">
        <h2 class="grow" id={id}>
          {title}
        </h2>
        <Button look="quiet" icon="close" label={t.common.close} onClick={onClose} />
      </header>
      {children}
    </dialog>
  );
}

/** Of a window that a button opens. */
export type WindowProps = { readonly onDone: () => void; readonly onClose: () => void };

interface ConfirmProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly action: string;
  readonly isDangerous?: boolean;
  /** The label of the way back, where "cancel" is the action itself. */
  readonly refusal?: string;
  readonly isUnready?: boolean;
  /** What takes the place of the form; null: nothing does yet. With it, `onConfirm` closes the window itself. */
  readonly after?: ComponentChildren;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

export function Confirm(props: ConfirmProps) {
  const { title, children, action, refusal = t.common.cancel, after, onConfirm, onClose } = props;
  const { isBusy, thrown, run } = useWork();
  const confirm = (event: SubmitEvent): void => {
    event.preventDefault();
    run(() => onConfirm().then(after === undefined ? onClose : undefined));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {after !== undefined && after !== null ? (
        <>
          <div class="stack dialog-body">{after}</div>
          <footer class="flow dialog-foot" ref={focusFoot}>
            <Button look="main" onClick={onClose}>
              {t.common.close}
            </Button>
          </footer>
        </>
      ) : (
        <form noValidate onSubmit={confirm}>
          <div class="stack dialog-body">{children}</div>
          <Failed thrown={thrown} />
          <footer class="flow dialog-foot">
            <Button onClick={onClose}>{refusal}</Button>
            <Button
              type="submit"
              look={props.isDangerous === true ? 'danger' : 'main'}
              isBusy={isBusy}
              disabled={props.isUnready === true}
            >
              {action}
            </Button>
          </footer>
        </form>
      )}
    </Dialog>
  );
}

interface OpenerProps extends Pick<ButtonProps, 'icon' | 'look' | 'disabled'> {
  readonly label: string;
  readonly role?: SessionRole | undefined;
  /** A key that opens it as well, and its words in the list of keys. */
  readonly shortcut?: readonly [key: string, label: string] | undefined;
  /** False: it can no longer be opened, but a window that is open stays. */
  readonly isOffered?: boolean;
  readonly children: (close: () => void) => ComponentChildren;
}

export function Opener({ label, role = 'operator', isOffered = true, ...props }: OpenerProps) {
  const { shortcut, children, ...button } = props;
  const [isOpen, setOpen] = useState(false);
  const may = useMay(role);
  const open = (): void => setOpen(true);
  useKeys(may && isOffered && shortcut ? [{ key: shortcut[0], label: shortcut[1], run: open }] : []);
  if (!may) return null;
  return (
    <>
      {isOffered && (
        <Button {...button} onClick={open}>
          {label}
        </Button>
      )}
      {isOpen && children(() => setOpen(false))}
    </>
  );
}

interface AskButtonProps
  extends
    Omit<OpenerProps, 'children' | 'disabled'>,
    Omit<ConfirmProps, 'onConfirm' | 'onClose' | 'after' | 'title' | 'action'>,
    Partial<Pick<ConfirmProps, 'title' | 'action'>> {
  readonly does: () => Promise<unknown>;
  readonly done?: string;
  readonly onDone?: () => void;
}

export const AskButton = ({ does, done, onDone, children, ...props }: AskButtonProps) => (
  <Opener {...props}>
    {(close) => (
      <Confirm
        title={props.label}
        action={props.label}
        {...props}
        onConfirm={async () => {
          await does();
          if (done !== undefined) toast(done);
          onDone?.();
        }}
        onClose={close}
      >
        {children}
      </Confirm>
    )}
  </Opener>
);

/** The progress of something that takes many steps; `of` null: nobody knows. */
export const Progress = ({ label, done, of }: { label: string; done: number; of: number | null }) => (
  <div class="stack tight" role="status">
    <span>{label}</span>
    <progress aria-label={label} {...(of === null ? {} : { value: done, max: Math.max(of, 1) })} />
  </div>
);
