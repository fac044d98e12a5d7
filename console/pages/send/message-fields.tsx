import { KIND_NAMES, LIST_LENGTH, listIn, mainParam, type MessageKind } from '../../../src/gateway/kinds.ts';
import { paramName } from '../../parts/message/words.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/basics.tsx';
import { SelectField, TextField } from '../../ui/form.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { textsOf, type Typed } from './fields.ts';

/** A kind without one has that of a text. */
const ICONS: Readonly<Partial<Record<MessageKind, IconName>>> = {
  image: 'image',
  voice: 'voice',
  'link-preview': 'link',
  poll: 'poll',
  status: 'now',
};

/** One of the kinds. */
export const KindChoice = ({
  kind,
  onChange,
}: {
  kind: MessageKind;
  onChange: (kind: MessageKind) => void;
}) => (
  <fieldset class="send-kinds">
    <legend>{t.send.kind}</legend>
    {KIND_NAMES.map((one) => (
      <label key={one} class="send-kind">
        <input type="radio" name="kind" value={one} checked={one === kind} onChange={() => onChange(one)} />
        <Icon name={ICONS[one] ?? 'messages'} />
        <span>{t.kinds[one]}</span>
      </label>
    ))}
  </fieldset>
);

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
  const list = listIn(kind);
  const others = accounts.filter((one) => one !== 'default');
  return (
    <div class="send-fields">
      {textsOf(kind).map(([name, spec]) => (
        <TextField
          key={`${kind} ${name}`}
          label={spec.isOptional === true ? t.send.optional(paramName(name)) : paramName(name)}
          value={typed.texts[name] ?? ''}
          {...(spec.holds === 'text' && { rows: name === mainParam(kind) ? 6 : 3 })}
          onInput={(text) => onTyped({ ...typed, texts: { ...typed.texts, [name]: text } })}
          error={errorAt(name)}
        />
      ))}
      {list !== undefined && <Options typed={typed} error={errorAt(list)} onTyped={onTyped} />}
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
          {options.length > LIST_LENGTH.min && (
            <Button
              look="quiet"
              icon="close"
              label={t.send.removeOption(at + 1)}
              onClick={() => set(options.toSpliced(at, 1))}
            />
          )}
        </div>
      ))}
      {options.length < LIST_LENGTH.max && (
        <Button icon="plus" onClick={() => set([...options, ''])}>
          {t.send.addOption}
        </Button>
      )}
    </fieldset>
  );
}
