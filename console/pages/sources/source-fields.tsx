import { readSet, type Written } from '../../api/documents.ts';
import { countryOptions } from '../../lib/countries.ts';
import { useLoad } from '../../lib/load.ts';
import { zoneOptions } from '../../lib/zones.ts';
import { language, t } from '../../texts/texts.ts';
import { SelectField, TextField } from '../../ui/form.tsx';
import { textAt } from './model.ts';
import { withReceivers, withValue } from './route-fields.ts';

interface SourceFieldsProps {
  readonly source: Written;
  readonly onChange: (changed: Written) => void;
}

/** The settings that people change after a source was set up. The rest is in its JSON. */
export function SourceFields({ source, onChange }: SourceFieldsProps) {
  const config = useLoad('config', readSet);
  const set = config.value?.value;
  const text = (key: string): string => textAt(source, key) ?? '';
  const change =
    (key: string) =>
    (value: string): void =>
      onChange(withValue(source, key, value));
  const accounts = Object.keys(set?.accounts ?? {}).filter((name) => name !== 'default');
  const lists = Object.keys(set?.recipients ?? {});
  return (
    <div class="sources-fields">
      <SelectField
        label={t.sources.country}
        value={text('country')}
        options={[['', t.sources.noCountry], ...countryOptions(language)]}
        onChange={change('country')}
        help={t.sources.countryHelp}
      />
      <TextField
        label={t.sources.locale}
        value={text('locale')}
        onInput={change('locale')}
        help={t.sources.localeHelp}
      />
      <SelectField
        label={t.sources.zone}
        value={text('timezone')}
        options={zoneOptions('', text('timezone'))}
        onChange={change('timezone')}
      />
      {(accounts.length > 0 || text('account') !== '') && (
        <SelectField
          label={t.sources.account}
          value={text('account')}
          options={[
            ['', 'default'],
            ...[...new Set([text('account'), ...accounts])]
              .filter((one) => one !== '')
              .map((one) => [one, one] as const),
          ]}
          onChange={change('account')}
        />
      )}
      <TextField
        label={t.sources.heartbeat}
        value={text('heartbeat')}
        placeholder="1d"
        onInput={change('heartbeat')}
        help={t.sources.heartbeatHelp}
      />
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
