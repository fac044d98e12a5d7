import { KIND_NAMES, LIST_LENGTH, listIn, mainParam, type MessageKind } from '../../../src/gateway/kinds.ts';
import { countryOptions } from '../../lib/places.ts';
import { number, phoneText } from '../../lib/format.ts';
import { paramName } from '../../parts/message-words.ts';
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

/** What somebody chose and typed. */
export interface SendValues {
  readonly kind: MessageKind;
  readonly account: string;
  readonly list: string;
  readonly to: string;
  readonly country: string;
  readonly typed: Typed;
}

interface FieldsProps {
  readonly values: SendValues;
  readonly errorAt: (field: string) => string | undefined;
  readonly onChange: (changed: Partial<SendValues>) => void;
}

export const KindChoice = ({ kind, onChange }: Pick<SendValues, 'kind'> & Pick<FieldsProps, 'onChange'>) => (
  <fieldset class="send-kinds">
    <legend>{t.common.kind}</legend>
    {KIND_NAMES.map((one) => (
      <label key={one} class="send-kind">
        <input
          type="radio"
          name="kind"
          value={one}
          checked={one === kind}
          onChange={() => onChange({ kind: one })}
        />
        <Icon name={ICONS[one] ?? 'messages'} />
        <span>{t.kinds[one]}</span>
      </label>
    ))}
  </fieldset>
);

interface MessageFieldsProps extends FieldsProps {
  readonly accounts: readonly string[];
}

export function MessageFields({ values, accounts, errorAt, onChange }: MessageFieldsProps) {
  const { kind, typed, account } = values;
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
          onInput={(text) => onChange({ typed: { ...typed, texts: { ...typed.texts, [name]: text } } })}
          error={errorAt(name)}
        />
      ))}
      {list !== undefined && (
        <Options
          options={typed.options}
          error={errorAt(list)}
          onChange={(options) => onChange({ typed: { ...typed, options } })}
        />
      )}
      {others.length > 0 && (
        <SelectField
          label={t.common.account}
          value={account}
          options={[['', t.send.defaultAccount], ...others.map((one) => [one, one] as const)]}
          onChange={(chosen) => onChange({ account: chosen })}
          error={errorAt('account')}
        />
      )}
    </div>
  );
}

interface OptionsProps {
  readonly options: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (options: readonly string[]) => void;
}

const Options = ({ options, error, onChange }: OptionsProps) => (
  <fieldset class="stack">
    <legend>{t.send.options}</legend>
    {options.map((option, at) => (
      <div key={at} class="line send-option">
        <TextField
          label={t.send.option(at + 1)}
          isLabelHidden
          placeholder={t.send.option(at + 1)}
          value={option}
          onInput={(text) => onChange(options.with(at, text))}
          error={at === 0 ? error : undefined}
        />
        {options.length > LIST_LENGTH.min && (
          <Button
            look="quiet"
            icon="close"
            label={t.send.removeOption(at + 1)}
            onClick={() => onChange(options.toSpliced(at, 1))}
          />
        )}
      </div>
    ))}
    {options.length < LIST_LENGTH.max && (
      <Button icon="plus" onClick={() => onChange([...options, ''])}>
        {t.send.addOption}
      </Button>
    )}
  </fieldset>
);

export interface RecipientsList extends Receivers {
  readonly name: string;
}

/** The numbers of a list: its people without one are reached by their addresses only. */
export const numbersOf = (list: Receivers): readonly string[] =>
  receiversOf(list).flatMap(({ phone }) => phone ?? []);

interface ReceiverFieldsProps extends FieldsProps {
  readonly lists: readonly RecipientsList[];
  readonly numbers: ReadNumbers;
}

export const ReceiverFields = ({ values, lists, numbers, errorAt, onChange }: ReceiverFieldsProps) => (
  <div class="fields">
    {lists.length > 0 && (
      <SelectField
        label={t.messages.phone}
        value={values.list}
        options={[
          ['', t.send.aNumber],
          ...lists.map(
            (one) => [one.name, t.send.listOption(one.name, number(numbersOf(one).length))] as const,
          ),
        ]}
        onChange={(list) => onChange({ list })}
      />
    )}
    {values.list === '' && (
      <>
        <TextField
          label={t.find.number}
          type="tel"
          value={values.to}
          onInput={(to) => onChange({ to })}
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
          value={values.country}
          options={[['', t.send.noCountry], ...countryOptions(language)]}
          onChange={(country) => onChange({ country })}
        />
      </>
    )}
  </div>
);
