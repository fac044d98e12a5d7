import type { MessageKind } from '../../../src/gateway/kinds.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/basics.tsx';
import { SelectField, TextField } from '../../ui/form.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { isLong, isRequired, KINDS, textsOf, type Typed } from './fields.ts';

const ICONS: Readonly<Record<MessageKind, IconName>> = {
  text: 'messages',
  image: 'image',
  voice: 'voice',
  'link-preview': 'link',
  poll: 'poll',
  status: 'now',
};

/** One of the six kinds. */
export const KindChoice = ({
  kind,
  onChange,
}: {
  kind: MessageKind;
  onChange: (kind: MessageKind) => void;
}) => (
  <fieldset class="send-kinds">
    <legend>{t.send.kind}</legend>
    {KINDS.map((one) => (
      <label key={one} class="send-kind">
        <input type="radio" name="kind" value={one} checked={one === kind} onChange={() => onChange(one)} />
        <Icon name={ICONS[one]} />
        <span>{t.send.kinds[one]}</span>
      </label>
    ))}
  </fieldset>
);

const LABELS: Readonly<Record<string, string>> = t.send.fields;

interface MessageFieldsProps {
  readonly kind: MessageKind;
  readonly typed: Typed;
  readonly account: string;
  readonly accounts: readonly string[];
  readonly errorAt: (field: string) => string | undefined;
  readonly onTyped: (typed: Typed) => void;
  readonly onAccount: (account: string) => void;
}

export function MessageFields({
  kind,
  typed,
  account,
  accounts,
  errorAt,
  onTyped,
  onAccount,
}: MessageFieldsProps) {
  const others = accounts.filter((one) => one !== 'default');
  return (
    <div class="send-fields">
      {textsOf(kind).map((name) => (
        <TextField
          key={`${kind} ${name}`}
          label={isRequired(kind, name) ? (LABELS[name] ?? name) : t.send.optional(LABELS[name] ?? name)}
          value={typed.texts[name] ?? ''}
          {...(isLong(name) && { rows: name === 'message' || kind === 'status' ? 6 : 3 })}
          onInput={(text) => onTyped({ ...typed, texts: { ...typed.texts, [name]: text } })}
          error={errorAt(name)}
        />
      ))}
      {kind === 'poll' && <Options typed={typed} error={errorAt('options')} onTyped={onTyped} />}
      {others.length > 0 && (
        <SelectField
          label={t.send.account}
          value={account}
          options={[['', t.send.defaultAccount], ...others.map((one) => [one, one] as const)]}
          onChange={onAccount}
          error={errorAt('account')}
        />
      )}
    </div>
  );
}

const MAX_OPTIONS = 64;

function Options({
  typed,
  error,
  onTyped,
}: {
  typed: Typed;
  error: string | undefined;
  onTyped: (typed: Typed) => void;
}) {
  const { options } = typed;
  const set = (next: readonly string[]): void => onTyped({ ...typed, options: next });
  return (
    <fieldset class="send-options">
      <legend>{t.send.options}</legend>
      {options.map((option, at) => (
        <div key={at} class="send-option">
          <TextField
            label={t.send.option(at + 1)}
            isLabelHidden
            placeholder={t.send.option(at + 1)}
            value={option}
            onInput={(text) => set(options.with(at, text))}
            error={at === 0 ? error : undefined}
          />
          {options.length > 2 && (
            <Button
              look="quiet"
              icon="close"
              label={t.send.removeOption(at + 1)}
              onClick={() => set(options.toSpliced(at, 1))}
            />
          )}
        </div>
      ))}
      {options.length < MAX_OPTIONS && (
        <Button icon="plus" onClick={() => set([...options, ''])}>
          {t.send.addOption}
        </Button>
      )}
    </fieldset>
  );
}
