import { useState } from 'preact/hooks';
import { losingIn } from '../../../shared/resolved-by.ts';
import { sameDocument } from '../../../shared/yaml-patch/same.ts';
import { getTagged, put, readSet, Refused, sourcePath, type Tagged } from '../../api/client.ts';
import type { ChangeReceipt, Written } from '../../api/types.ts';
import { countryOptions, zoneOptions } from '../../lib/places.ts';
import { faultsIn, useLoad, useWork, wordsOf } from '../../lib/load.ts';
import { Resolves, useResolves } from '../../parts/incident.tsx';
import { language, t } from '../../texts/texts.ts';
import { Badge, Button, Panel } from '../../ui/basics.tsx';
import {
  Failed,
  type FieldErrorAnswer,
  FieldErrors,
  fieldsFor,
  TextField,
  useSettled,
} from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { parseDocument, textAt, withReceivers, withValue } from './model.ts';

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
  const { isBusy, thrown, run } = useWork();
  const parsed = parseDocument(text);
  const isChanged = parsed.ok && !sameDocument(parsed.value, base.value);
  const checked = useCheck(id, text);
  const { errors = [], warnings = [] } = checked ?? {};
  const isValid = parsed.ok && errors.length === 0;
  const losing = parsed.ok ? losingIn({ [id]: base.value }, { [id]: parsed.value }) : [];
  const resolves = useResolves(JSON.stringify(losing), () => losing);

  const publish = async (document: Written, on: Tagged<Written>): Promise<void> => {
    try {
      await put(sourcePath(id), document, on.tag);
      toast(t.sources.published(id));
      onSaved();
    } catch (thrown) {
      if (!(thrown instanceof Refused) || thrown.status !== 412) throw thrown;
      const now = await getTagged<Written>(sourcePath(id));
      // Another document was published: this one is still what was read.
      if (sameDocument(now.value, on.value)) await publish(document, now);
      else setTheirs(now);
    }
  };
  const save = (on: Tagged<Written>): void => {
    if (parsed.ok) run(() => publish(parsed.value, on));
  };
  const rebase = (keep: 'mine' | 'theirs'): void => {
    if (theirs === null) return;
    setBase(theirs);
    setTheirs(null);
    if (keep === 'theirs') setText(asText(theirs.value));
    else save(theirs);
  };

  return (
    <Panel
      title={t.sources.document}
      aside={
        <Badge tone={!isValid ? 'bad' : checked === null ? 'calm' : 'good'}>
          {!isValid ? t.sources.invalid : checked === null ? t.sources.checking : t.sources.valid}
        </Badge>
      }
    >
      {theirs !== null && (
        <div class="box stack below sources-conflict" role="alert">
          <p>
            <strong>{t.sources.conflict}</strong> {t.sources.conflictText}
          </p>
          <h3>{t.sources.theirs}</h3>
          <pre tabIndex={0}>{asText(theirs.value)}</pre>
          <p class="flow">
            <Button onClick={() => rebase('theirs')}>{t.sources.takeTheirs}</Button>
            <Button look="danger" isBusy={isBusy} onClick={() => rebase('mine')}>
              {t.sources.keepMine}
            </Button>
          </p>
        </div>
      )}
      {parsed.ok && <SourceFields source={parsed.value} onChange={(changed) => setText(asText(changed))} />}
      <details class="above" open={!parsed.ok || theirs !== null}>
        <summary>{t.sources.advanced}</summary>
        <TextField
          label={theirs === null ? t.sources.json : t.sources.mine}
          value={text}
          rows={Math.min(28, Math.max(10, text.split('\n').length + 1))}
          onInput={setText}
          error={parsed.ok ? undefined : t.sources.badJson(parsed.error)}
        />
      </details>
      <FieldErrors errors={errors} />
      <FieldErrors errors={warnings} tone="warn" />
      <Failed thrown={thrown} />
      <Resolves of={resolves} />
      <p class="flow">
        <Button
          look="main"
          isBusy={isBusy}
          disabled={!isChanged || resolves.isLoading || theirs !== null || errors.length > 0}
          onClick={() => save(base)}
        >
          {t.templates.publish}
        </Button>
        <Button disabled={!isChanged} onClick={() => setText(asText(base.value))}>
          {t.sources.revert}
        </Button>
      </p>
    </Panel>
  );
}

const asText = (document: Written): string => JSON.stringify(document, null, 2);

/** What the relay says of the text; null: it has not said yet. */
function useCheck(id: string, text: string) {
  const settled = useSettled(text, 500);
  const { value } = useLoad(`check ${id} ${settled}`, async () => {
    const parsed = parseDocument(settled);
    return parsed.ok ? foundIn(id, put(sourcePath(id), parsed.value, null, { dry_run: true })) : null;
  });
  return settled === text ? value : null;
}

/** What the relay finds in a change that it only checks: errors, and warnings about the source. */
export const foundIn = (source: string, asked: Promise<ChangeReceipt>) =>
  asked.then(
    ({ warnings }) => ({
      errors: [],
      warnings: warnings.filter(({ path }) => path.startsWith(`sources.${source}.`)),
    }),
    (thrown: unknown) => ({ errors: errorsIn(thrown), warnings: [] }),
  );

export function errorsIn(thrown: unknown): readonly FieldErrorAnswer[] {
  const faults = faultsIn(thrown);
  return faults.length > 0 ? faults : [{ path: '', message: wordsOf(thrown) }];
}

/** The settings that people change after a source was set up. The rest is in its JSON. */
function SourceFields({ source, onChange }: { source: Written; onChange: (changed: Written) => void }) {
  const set = useLoad('config', readSet).value?.value;
  const valueOf = (key: string): string => textAt(source, key) ?? '';
  const { text, choice } = fieldsFor(valueOf, (key, value) => onChange(withValue(source, key, value)));
  const names = new Set([valueOf('account'), ...Object.keys(set?.accounts ?? {})]);
  const accounts = [...names].filter((name) => name !== '' && name !== 'default');
  const lists = Object.keys(set?.recipients ?? {});
  return (
    <div class="fields">
      {choice('country', t.common.country, [['', t.sources.noCountry], ...countryOptions(language)], {
        help: t.sources.countryHelp,
      })}
      {text('locale', t.account.language, { help: t.sources.localeHelp })}
      {choice('timezone', t.common.zone, zoneOptions('', valueOf('timezone')))}
      {accounts.length > 0 && choice('account', t.common.account, [['', 'default'], ...accounts])}
      {text('heartbeat', t.sources.heartbeat, { help: t.sources.heartbeatHelp, placeholder: '1d' })}
      {withReceivers(source).map(({ at, name, to, setTo }) => (
        <TextField
          key={at}
          label={t.sources.receiversOf(name)}
          value={to}
          onInput={(typed) => onChange(setTo(typed))}
          help={lists.length > 0 ? t.sources.receiversHelp(lists.join(', ')) : undefined}
        />
      ))}
    </div>
  );
}
