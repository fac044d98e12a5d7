import { USUAL_FIELDS } from '../../../shared/new-source/form-source.ts';
import {
  FIRST_LANGUAGE,
  isNeeded,
  isValue,
  languageOf,
} from '../../../src/config/documents/starter-texts.ts';
import { isLoopback } from '../../../src/lib/url.ts';
import { readRouteWords } from '../../api/catalog.ts';
import type { DocumentSet, ProviderAnswer } from '../../api/types.ts';
import { countryOptions, zoneOptions } from '../../lib/places.ts';
import { number, phoneText } from '../../lib/format.ts';
import { useLoad } from '../../lib/load.ts';
import { language, t } from '../../texts/texts.ts';
import { Panel } from '../../ui/basics.tsx';
import { CheckField, SelectField, TextField } from '../../ui/form.tsx';
import type { DraftField } from './draft-errors.ts';
import {
  type Answers,
  askedForm,
  asksReceivers,
  type Filled,
  isAlerting,
  isForm,
  isRightAnswer,
  notifiesCustomers,
  quietOf,
  sizeOf,
  withoutCustomers,
  withoutOf,
} from './draft.ts';
import { routesOf } from './model.ts';
import { sentenceOf } from './routes.tsx';
import { addressOfGateway, gatewayFacts, gatewayOf } from '../../../shared/new-source/gateways.ts';

interface SetUpFormProps {
  readonly provider: ProviderAnswer;
  readonly answers: Answers;
  readonly filled: Filled;
  readonly set: DocumentSet;
  readonly asksNumbers: boolean;
  /** The word of the account's gateway for its addresses, if somebody has to give some; null: nobody has. */
  readonly asksAddresses: string | null;
  readonly digits: readonly string[];
  readonly isReading: boolean;
  /** Somebody has tried to publish: what is missing is marked. */
  readonly isTried: boolean;
  readonly errorAt: (field: DraftField) => string | undefined;
  readonly onChange: (changed: Partial<Answers>) => void;
}

const NEW_LIST = '';

export function SetUpForm({
  provider,
  answers,
  filled,
  set,
  asksNumbers,
  asksAddresses,
  digits,
  isReading,
  isTried,
  errorAt,
  onChange,
}: SetUpFormProps) {
  const lists = Object.entries(set.recipients);
  const isAsked = asksReceivers(provider, answers);
  return (
    <>
      <Panel title={t.sources.identity}>
        <div class="fields">
          <TextField
            label={t.common.name}
            value={filled.source}
            onInput={(source) => onChange({ source })}
            help={`${location.origin}/hooks/${filled.source}`}
            error={errorAt('source')}
          />
        </div>
      </Panel>
      <Gateway
        answers={answers}
        accounts={set.accounts}
        error={errorAt('account')}
        onChange={(account) => onChange({ account })}
      />
      <Panel title={t.sources.who}>
        <div class="fields">
          <SelectField
            label={t.common.country}
            value={filled.country}
            options={[['', t.sources.noCountry], ...countryOptions(language)]}
            onChange={(country) => onChange({ country })}
            help={t.sources.countryHelp}
            error={errorAt('country')}
          />
          {isAsked && lists.length > 0 && (
            <SelectField
              label={t.nav.recipients}
              value={answers.list ?? NEW_LIST}
              options={[
                [NEW_LIST, t.sources.newList],
                ...lists.map(
                  ([name, list]) => [name, t.sources.listOption(name, number(sizeOf(list)))] as const,
                ),
              ]}
              onChange={(list) => onChange({ list: list === NEW_LIST ? null : list })}
            />
          )}
          {asksAddresses !== null && (
            <TextField
              label={t.sources.addresses(asksAddresses)}
              value={answers.addresses}
              onInput={(addresses) => onChange({ addresses })}
              help={t.sources.addressesHelp}
              error={errorAt('numbers')}
            />
          )}
          {asksNumbers && (
            <TextField
              label={t.common.numbers}
              type="tel"
              value={answers.numbers}
              onInput={(numbers) => onChange({ numbers })}
              placeholder="+49 151 12345678"
              help={
                !isReading && digits.length > 0
                  ? t.sources.readAs(digits.map(phoneText).join(', '))
                  : t.sources.numbersHelp
              }
              error={errorAt('numbers')}
            />
          )}
          {isAsked && answers.list === null && isAlerting(provider) && (
            <QuietFields provider={provider} answers={answers} error={errorAt('quiet')} onChange={onChange} />
          )}
        </div>
        {!isAsked && <p class="soft">{t.sources.receiversInWebhook}</p>}
      </Panel>
      <Asks provider={provider} answers={answers} isTried={isTried} onChange={onChange} />
      {isForm(provider) && <FormFields answers={answers} isTried={isTried} onChange={onChange} />}
      <Panel title={t.sources.words}>
        <div class="fields">
          <TextField
            label={t.account.language}
            value={filled.locale}
            onInput={(locale) => onChange({ locale })}
            help={isEnglishOnly(provider, filled.locale) ? t.sources.textsAreEnglish : t.sources.localeHelp}
            error={errorAt('locale')}
          />
          <SelectField
            label={t.common.zone}
            value={filled.timezone}
            options={zoneOptions(filled.country, filled.timezone)}
            onChange={(timezone) => onChange({ timezone })}
            error={errorAt('timezone')}
          />
        </div>
      </Panel>
      <StarterRoutes provider={provider} answers={answers} onChange={onChange} />
    </>
  );
}

/** The questions that only the owner of an account at the provider can answer. */
function Asks({
  provider,
  answers: { asked },
  isTried,
  onChange,
}: Pick<SetUpFormProps, 'provider' | 'answers' | 'isTried' | 'onChange'>) {
  const needs = (name: string): boolean => isNeeded(name, { source: provider.source ?? {} });
  const helpOf = (name: string, { example }: { readonly example: string }): string => {
    if (needs(name)) return t.sources.answerNeeded;
    return isValue(name, provider) ? t.sources.withoutAnswer(example) : t.sources.linksHelp;
  };
  const questions = Object.entries(provider.asks ?? {});
  if (questions.length === 0) return null;
  return (
    <Panel title={t.sources.theirAccount(provider.name)}>
      <div class="fields">
        {questions.map(([name, question]) => (
          <TextField
            key={name}
            label={question.question}
            value={asked[name] ?? ''}
            placeholder={question.example}
            onInput={(text) => onChange({ asked: { ...asked, [name]: text } })}
            help={helpOf(name, question)}
            error={
              isRightAnswer(question, (asked[name] ?? '').trim()) &&
              !(isTried && needs(name) && (asked[name] ?? '').trim() === '')
                ? undefined
                : t.sources.notLike(question.example)
            }
          />
        ))}
      </div>
    </Panel>
  );
}

function FormFields({
  answers,
  isTried,
  onChange,
}: Pick<SetUpFormProps, 'answers' | 'isTried' | 'onChange'>) {
  const { asked } = answers;
  const { page, fields } = askedForm(answers);
  return (
    <Panel title={t.sources.formOn}>
      <div class="fields">
        <TextField
          label={t.sources.formPage}
          value={asked['page'] ?? ''}
          placeholder="https://shop.example"
          onInput={(text) => onChange({ asked: { ...asked, page: text } })}
          help={
            page !== null && isLoopback(new URL(page).hostname)
              ? t.sources.formPageHere
              : t.sources.formPageHelp(page)
          }
          error={
            page === null && (isTried || (asked['page'] ?? '') !== '')
              ? t.sources.notLike('https://shop.example')
              : undefined
          }
        />
        <TextField
          label={t.messages.params}
          value={asked['fields'] ?? USUAL_FIELDS}
          onInput={(text) => onChange({ asked: { ...asked, fields: text } })}
          help={t.sources.formFieldsHelp}
          error={fields === null ? t.sources.notLike(USUAL_FIELDS) : undefined}
        />
      </div>
    </Panel>
  );
}

const isEnglishOnly = ({ language: ofTexts = FIRST_LANGUAGE }: ProviderAnswer, locale: string): boolean =>
  ofTexts === FIRST_LANGUAGE && languageOf(locale) !== FIRST_LANGUAGE;

interface QuietFieldsProps {
  readonly provider: ProviderAnswer;
  readonly answers: Answers;
  readonly error: string | undefined;
  readonly onChange: SetUpFormProps['onChange'];
}

function QuietFields({ provider, answers, error, onChange }: QuietFieldsProps) {
  const { outages, waiting } = quietOf(provider, answers);
  return (
    <>
      <div class="pair sources-quiet">
        <TextField
          label={t.sources.quietFrom}
          value={answers.quietFrom}
          placeholder="22:00"
          onInput={(quietFrom) => onChange({ quietFrom })}
          error={error}
        />
        <TextField
          label={t.sources.quietTo}
          value={answers.quietTo}
          placeholder="07:00"
          onInput={(quietTo) => onChange({ quietTo })}
        />
        <p class="help">
          {waiting.length > 0 ? t.sources.quietWaits(waiting.join(', ')) : t.sources.quietHelp}
        </p>
      </div>
      {outages.length > 0 && answers.quietFrom !== '' && answers.quietTo !== '' && (
        <CheckField
          label={t.sources.outagesWait(provider.name, answers.quietTo)}
          value={answers.outagesWait}
          onChange={(outagesWait) => onChange({ outagesWait })}
        />
      )}
    </>
  );
}

interface StarterRoutesProps {
  readonly provider: ProviderAnswer;
  readonly answers: Answers;
  readonly onChange: (changed: Partial<Answers>) => void;
}

/** The routes that a source of the provider may begin with, each to be left out. */
function StarterRoutes({ provider, answers, onChange }: StarterRoutesProps) {
  const without = withoutOf(provider, answers);
  const words = useLoad('route words', readRouteWords).value;
  return (
    <Panel title={t.sources.starterRoutes}>
      <p class="soft">{t.sources.starterHelp}</p>
      {provider.customers !== undefined && (
        <CheckField
          label={t.sources.customers}
          value={notifiesCustomers(provider, answers)}
          onChange={(notifies) => onChange({ without: withoutCustomers(provider, answers, notifies) })}
        />
      )}
      <ul class="lines">
        {words !== null &&
          routesOf({ routes: provider.routes }).map((route) => {
            const { name, when, to } = route;
            return (
              <li key={name}>
                <CheckField
                  label={sentenceOf(route, provider.id, words, Object.hasOwn(provider.customers ?? {}, name))}
                  value={!without.includes(name)}
                  onChange={(isIn) =>
                    onChange({
                      without: isIn ? without.filter((one) => one !== name) : [...without, name],
                    })
                  }
                />
                <details class="sources-starters-what small">
                  <summary>
                    <code>{name}</code>
                  </summary>
                  {when !== null && <code>{when}</code>}
                  <code>{to.join(', ')}</code>
                </details>
              </li>
            );
          })}
      </ul>
    </Panel>
  );
}

const DEFAULT = 'default';

const words = (text: string): string => t.sources.gatewayWords[text] ?? text;

interface GatewayProps {
  readonly answers: Pick<Answers, 'account'>;
  readonly accounts: DocumentSet['accounts'];
  readonly error: string | undefined;
  readonly onChange: (account: string) => void;
}

/** Asks by which account messages go, with what its gateway costs and needs; and names the other gateways. */
function Gateway({ answers, accounts, error, onChange }: GatewayProps) {
  const names = [DEFAULT, ...Object.keys(accounts).filter((one) => one !== DEFAULT)];
  const of = (account: string): string => gatewayOf(accounts[account]);
  const chosen = gatewayFacts.find(({ id }) => id === of(answers.account || DEFAULT));
  const used = new Set(names.map(of));
  const others = gatewayFacts.filter(({ id }) => !used.has(id));
  return (
    <Panel title={t.sources.whereTo}>
      <div class="fields">
        <SelectField
          label={t.common.account}
          value={answers.account}
          options={names.map((name) => [name === DEFAULT ? '' : name, labelOf(name, of(name))] as const)}
          onChange={onChange}
          error={error}
          {...(chosen && { help: t.sources.costsAndNeeds(words(chosen.costs), words(chosen.needs)) })}
        />
      </div>
      <details>
        <summary>{t.sources.otherGateways}</summary>
        <dl>
          {others.map(({ id, name, costs, needs }) => (
            <>
              <dt>
                {t.sources.gatewayWords[name] ?? name} <code>{`gateway: ${id}`}</code>
              </dt>
              <dd class="soft">{t.sources.costsAndNeeds(words(costs), words(needs))}</dd>
            </>
          ))}
        </dl>
        <p class="soft">{t.sources.otherGatewaysHelp}</p>
      </details>
    </Panel>
  );
}

const labelOf = (account: string, gateway: string): string => `${account} (${nameOf(gateway)})`;

/** The word of the account's gateway for its addresses; null: it sends to numbers. */
export const addressesOf = (accounts: DocumentSet['accounts'], account: string): string | null =>
  addressOfGateway(gatewayOf(accounts[account || DEFAULT]));

function nameOf(gateway: string): string {
  const name = gatewayFacts.find(({ id }) => id === gateway)?.name ?? gateway;
  return t.sources.gatewayWords[name] ?? name;
}
