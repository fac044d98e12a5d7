import { sameDocument } from '../../../shared/yaml-patch/same.ts';
import { useEffect, useState } from 'preact/hooks';
import { Refused, type Tagged } from '../../api/client.ts';
import { checkSource, putSource, readSource, type Written } from '../../api/documents.ts';
import { wordsOf } from '../../lib/load.ts';
import { losingIn } from '../../../shared/resolved-by.ts';
import { Resolves, useResolves } from '../../parts/incident/resolves.tsx';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Panel, Trouble } from '../../ui/basics.tsx';
import { FieldErrors, type FieldErrorAnswer } from '../../ui/field-errors.tsx';
import { TextField, useSettled } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { parseDocument } from './json.ts';
import { SourceFields } from './source-fields.tsx';
import { errorsIn } from './use-draft.ts';

interface DocumentEditorProps {
  readonly id: string;
  readonly start: Tagged<Written>;
  readonly onSaved: () => void;
}

/** The source as a form, and as a JSON document: checked by the relay while it is typed, and never put over somebody else's change. */
export function DocumentEditor({ id, start, onSaved }: DocumentEditorProps) {
  const [base, setBase] = useState(start);
  const [text, setText] = useState(() => asText(start.value));
  const [theirs, setTheirs] = useState<Tagged<Written> | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const parsed = parseDocument(text);
  const isChanged = parsed.ok && !sameDocument(parsed.value, base.value);
  const check = useCheck(id, text);
  const losing = parsed.ok ? losingIn({ [id]: base.value }, { [id]: parsed.value }) : [];
  const resolves = useResolves(JSON.stringify(losing), () => losing);

  const put = async (document: Written, on: Tagged<Written>): Promise<void> => {
    try {
      await putSource(id, document, on.tag);
      toast(t.sources.saved(id));
      onSaved();
    } catch (thrown) {
      if (!(thrown instanceof Refused) || thrown.status !== 412) throw thrown;
      const now = await readSource(id);
      // Another document was published: this one is still what was read.
      if (sameDocument(now.value, on.value)) await put(document, now);
      else setTheirs(now);
    }
  };
  const save = (on: Tagged<Written>): void => {
    if (!parsed.ok) return;
    setBusy(true);
    setError(null);
    put(parsed.value, on)
      .catch((thrown: unknown) => setError(wordsOf(thrown)))
      .finally(() => setBusy(false));
  };
  const rebase = (keep: 'mine' | 'theirs'): void => {
    if (theirs === null) return;
    setBase(theirs);
    setTheirs(null);
    if (keep === 'theirs') setText(asText(theirs.value));
    else save(theirs);
  };

  return (
    <Panel title={t.sources.document} aside={<CheckBadge parsed={parsed.ok} check={check} />}>
      {theirs !== null && (
        <div class="sources-conflict" role="alert">
          <p>
            <strong>{t.sources.conflict}</strong> {t.sources.conflictText}
          </p>
          <h3>{t.sources.theirs}</h3>
          <pre tabIndex={0}>{asText(theirs.value)}</pre>
          <p class="sources-actions">
            <Button onClick={() => rebase('theirs')}>{t.sources.takeTheirs}</Button>
            <Button look="danger" isBusy={isBusy} onClick={() => rebase('mine')}>
              {t.sources.keepMine}
            </Button>
          </p>
        </div>
      )}
      {parsed.ok && <SourceFields source={parsed.value} onChange={(changed) => setText(asText(changed))} />}
      <details class="sources-advanced" open={!parsed.ok || theirs !== null}>
        <summary>{t.sources.advanced}</summary>
        <TextField
          label={theirs === null ? t.sources.json : t.sources.mine}
          value={text}
          rows={Math.min(28, Math.max(10, text.split('\n').length + 1))}
          onInput={setText}
          error={parsed.ok ? undefined : t.sources.badJson(parsed.error)}
        />
      </details>
      <FieldErrors errors={check.errors} />
      <FieldErrors errors={check.warnings} tone="warn" />
      {error !== null && <Trouble error={error} />}
      <Resolves of={resolves} />
      <p class="sources-actions">
        <Button
          look="main"
          isBusy={isBusy}
          disabled={!isChanged || resolves.isLoading || theirs !== null || check.errors.length > 0}
          onClick={() => save(base)}
        >
          {t.sources.save}
        </Button>
        <Button disabled={!isChanged} onClick={() => setText(asText(base.value))}>
          {t.sources.revert}
        </Button>
      </p>
    </Panel>
  );
}

const asText = (document: Written): string => JSON.stringify(document, null, 2);

interface Checked {
  readonly errors: readonly FieldErrorAnswer[];
  readonly warnings: readonly FieldErrorAnswer[];
  readonly isOf: string;
}

/** The relay's check of a text after a pause in typing. */
function useCheck(id: string, text: string): Checked {
  const settled = useSettled(text, 500);
  const [checked, setChecked] = useState<Checked>({ errors: [], warnings: [], isOf: '' });
  useEffect(() => {
    const parsed = parseDocument(settled);
    if (!parsed.ok) return undefined;
    let isCurrent = true;
    const set = (errors: readonly FieldErrorAnswer[], warnings: readonly FieldErrorAnswer[]): void => {
      if (isCurrent) setChecked({ errors, warnings, isOf: settled });
    };
    checkSource(id, parsed.value).then(
      ({ warnings }) =>
        set(
          [],
          warnings.filter(({ path }) => path.startsWith(`sources.${id}.`)),
        ),
      (thrown: unknown) => set(errorsIn(thrown), []),
    );
    return () => {
      isCurrent = false;
    };
  }, [id, settled]);
  return checked.isOf === text ? checked : { ...checked, errors: [], warnings: [], isOf: '' };
}

const CheckBadge = ({ parsed, check }: { parsed: boolean; check: Checked }) =>
  !parsed || check.errors.length > 0 ? (
    <Badge tone="bad">{t.sources.invalid}</Badge>
  ) : check.isOf === '' ? (
    <Badge tone="calm">{t.sources.checking}</Badge>
  ) : (
    <Badge tone="good">{t.sources.valid}</Badge>
  );
