import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../texts/texts.ts';
import { wordsOf } from '../../../lib/load.ts';
import { Trouble } from '../../../ui/basics.tsx';
import type { TemplateFault } from '../faults.ts';
import type { Code } from './code.ts';
import type { WebhookScope } from './at-cursor.ts';

interface EditorProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isReadOnly: boolean;
  readonly faults: readonly TemplateFault[];
  readonly scope: WebhookScope;
}

/** A text with colours, completion and marks of what is wrong. The editor itself is loaded with the first one. */
export function Editor({ label, text, onText, isReadOnly, faults, scope }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const code = useRef<Code | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const latest = useRef({ text, onText, scope });
  latest.current = { text, onText, scope };
  useEffect(() => {
    let isGone = false;
    const open = async (): Promise<void> => {
      const { openCode } = await import('./code.ts');
      const element = host.current;
      if (isGone || element === null) return;
      code.current = openCode({
        root: element.shadowRoot ?? element.attachShadow({ mode: 'open' }),
        text: latest.current.text,
        label,
        hint: t.templates.editorHint,
        isReadOnly,
        onText: (next) => latest.current.onText(next),
        scope: () => latest.current.scope,
      });
      setOpen(true);
    };
    open().catch((thrown: unknown) => setError(wordsOf(thrown)));
    return () => {
      isGone = true;
      code.current?.close();
      code.current = null;
    };
  }, [label, isReadOnly]);
  // At once: a key that is typed in between would be taken back.
  useLayoutEffect(() => code.current?.setText(text), [text, isOpen]);
  useEffect(() => code.current?.setFaults(faults), [faults, isOpen]);
  if (error !== null) return <Trouble error={error} />;
  return <div class="templates-code" ref={host} aria-busy={!isOpen} />;
}
