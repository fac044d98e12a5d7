import { Fragment } from 'preact';
import { KIND_NAMES, LIST_LENGTH } from '../../../src/gateway/kinds.ts';
import { fieldName, kindName } from '../../parts/message.tsx';
import { t } from '../../texts/texts.ts';
import { Button, Trouble } from '../../ui/basics.tsx';
import { SelectField } from '../../ui/form.tsx';
import { useMay } from '../../ui/session.tsx';
import type { WebhookScope } from './editor/at-cursor.ts';
import {
  partsOf,
  type TemplateFault,
  type TemplateField,
  withField,
  withKind,
  withOptions,
} from './fields.ts';
import type { Written } from '../../api/types.ts';
import { faultText } from '../../texts/relay-texts.ts';
import { Coded } from '../../ui/text.tsx';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { wordsOf } from '../../lib/load.ts';
import type { Code } from './editor/code.ts';

const SIZES = { text: '', line: 'middle', url: 'short', list: 'short' } as const;

interface FieldEditorsProps {
  readonly text: Written;
  readonly onText: (text: Written) => void;
  readonly faults: readonly TemplateFault[];
  readonly scope: WebhookScope;
}

export function FieldEditors({ text, onText, faults, scope }: FieldEditorsProps) {
  const isReadOnly = !useMay('operator');
  const editorOf = ({ path, at, text: written, holds, isOptional }: TemplateField, canRemove: boolean) => {
    const own = faults.filter((one) => one.field === path);
    const name = fieldName(path);
    return (
      <div key={path} class={`templates-field ${SIZES[holds]}`}>
        <div class="line templates-field-head">
          <span class="templates-label" aria-hidden="true">
            {name}
          </span>
          {isOptional && <span class="soft">{t.templates.optional}</span>}
          {at !== null && canRemove && (
            <Button
              look="quiet"
              icon="close"
              label={t.templates.removeOption(name)}
              onClick={() => onText(withOptions(text, (old) => old.filter((_, index) => index !== at)))}
            />
          )}
        </div>
        <Editor
          {...{ isReadOnly, scope }}
          label={name}
          text={written}
          onText={(next) => onText(withField(text, path, next))}
          faults={own}
        />
        <FaultList faults={own} text={written} />
      </div>
    );
  };
  return (
    <div class="stack templates-fields">
      {!isReadOnly && (
        <SelectField
          label={t.common.kind}
          value={String(text['kind'])}
          options={KIND_NAMES.map((kind) => [kind, kindName(kind)] as const)}
          onChange={(kind) => onText(withKind(text, kind))}
        />
      )}
      {partsOf(text).map(({ kind, prefix, fields, list }) => {
        const options = fields.filter(({ at }) => at !== null).length;
        if (prefix !== '')
          return (
            <fieldset key={prefix}>
              <legend>{t.templates.instead(kindName(kind))}</legend>
              {fields.map((field) => editorOf(field, false))}
            </fieldset>
          );
        return (
          <Fragment key={prefix}>
            {fields.map((field) => editorOf(field, !isReadOnly && options > LIST_LENGTH.min))}
            {list !== undefined && !isReadOnly && options < LIST_LENGTH.max && (
              <div>
                <Button icon="plus" onClick={() => onText(withOptions(text, (old) => [...old, '']))}>
                  {t.send.addOption}
                </Button>
              </div>
            )}
          </Fragment>
        );
      })}
      <FaultList faults={faults.filter(({ field }) => field === null)} />
    </div>
  );
}

const FaultList = ({ faults, text }: { faults: readonly TemplateFault[]; text?: string }) =>
  faults.length === 0 ? null : (
    <ul class="small templates-faults">
      {faults.map(({ isError, code, params, message, from, to }, index) => (
        <li key={index} class={isError ? 'bad' : 'warn'}>
          <span class="unseen">{isError ? t.templates.error : t.templates.warning}: </span>
          {from < to && text?.trimEnd().includes('\n') === true && (
            <b>{t.templates.line(String(text.slice(0, from).split('\n').length))} </b>
          )}
          <Coded text={faultText({ code, params, message })} />
        </li>
      ))}
    </ul>
  );

interface EditorProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isReadOnly: boolean;
  readonly faults: readonly TemplateFault[];
  readonly scope: WebhookScope;
}

/** A text with colours, completion and marks of what is wrong. The editor itself is loaded with the first one. */
function Editor({ label, text, onText, isReadOnly, faults, scope }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const code = useRef<Code | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const latest = useRef({ text, onText, scope });
  latest.current = { text, onText, scope };
  useEffect(() => {
    let isGone = false;
    const open = async (): Promise<void> => {
      const { openCode } = await import('./editor/code.ts');
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
