import { KIND_NAMES, LIST_LENGTH, listIn, mainParam, type MessageKind } from '../../../src/gateway/kinds.ts';
import { countryOptions } from '../../lib/places.ts';
import { number, phoneText } from '../../lib/format.ts';
import { paramName } from '../../parts/message/words.ts';
import { language, t } from '../../texts/texts.ts';
import { Button } from '../../ui/basics.tsx';
import { SelectField, TextField } from '../../ui/form.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import type { ReadNumbers } from '../../ui/numbers.ts';
import { type Receivers, receiversOf } from '../recipients/receivers.ts';
import { textsOf, type Typed } from './fields.ts';

/** A kind without one has that of a text. */
const ICONS: Readonly<Partial<Record<MessageKind, IconName>>> = {
  image: 'image',
  voice: 'voice',
  'link-preview': 'link',
  poll: 'poll',
  status: 'now',
};

interface KindChoiceProps {
  readonly kind: MessageKind;
  readonly onChange: (kind: MessageKind) => void;
}

export const KindChoice = ({ kind, onChange }: KindChoiceProps) => (
  <fieldset class="send-kinds">
    <legend>{t.common.kind}</legend>
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
    <div class="stack send-fields">
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
          label={t.common.account}
          value={account}
          options={[['', t.send.defaultAccount], ...others.map((one) => [one, one] as const)]}
          onChange={onAccount}
          error={errorAt('account')}
        />
      )}
    </div>
  );
}

interface OptionsProps {
  readonly typed: Typed;
  readonly error: string | undefined;
  readonly onTyped: (typed: Typed) => void;
}

function Options({ typed, error, onTyped }: OptionsProps) {
  const { options } = typed;
  const set = (next: readonly string[]): void => onTyped({ ...typed, options: next });
  return (
    <fieldset class="stack send-options">
      <legend>{t.send.options}</legend>
      {options.map((option, at) => (
        <div key={at} class="line send-option">
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

export interface RecipientsList extends Receivers {
  readonly name: string;
}

/** The numbers of a list: its people without one are reached by their addresses only. */
export const numbersOf = (list: Receivers): readonly string[] =>
  receiversOf(list).flatMap(({ phone }) => phone ?? []);

interface ReceiverFieldsProps {
  readonly lists: readonly RecipientsList[];
  readonly list: string;
  readonly to: string;
  readonly country: string;
  readonly numbers: ReadNumbers;
  readonly errorAt: (field: string) => string | undefined;
  readonly onList: (list: string) => void;
  readonly onTo: (to: string) => void;
  readonly onCountry: (country: string) => void;
}

export const ReceiverFields = ({
  lists,
  list,
  to,
  country,
  numbers,
  errorAt,
  onList,
  onTo,
  onCountry,
}: ReceiverFieldsProps) => (
  <div class="fields">
    {lists.length > 0 && (
      <SelectField
        label={t.messages.phone}
        value={list}
        options={[
          ['', t.send.aNumber],
          ...lists.map(
            (one) => [one.name, t.send.listOption(one.name, number(numbersOf(one).length))] as const,
          ),
        ]}
        onChange={onList}
      />
    )}
    {list === '' && (
      <>
        <TextField
          label={t.find.number}
          type="tel"
          value={to}
          onInput={onTo}
          placeholder="+49 151 12345678"
          help={
            !numbers.isReading && numbers.digits.length > 0
              ? t.send.readAs(numbers.digits.map(phoneText).join(', '))
              : t.send.toHelp
          }
          error={errorAt('to')}
        />
        <SelectField
          label={t.common.country}
          value={country}
          options={[['', t.send.noCountry], ...countryOptions(language)]}
          onChange={onCountry}
        />
      </>
    )}
  </div>
);
