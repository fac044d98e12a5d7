import { type ComponentChildren, Fragment } from 'preact';
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
import { gatewayHelp, gatewayName } from '../../texts/relay-texts.ts';

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

export function SetUpForm(props: SetUpFormProps) {
  const { provider, answers, filled, set, asksNumbers, asksAddresses, digits, isReading } = props;
  const { errorAt, onChange } = props;
  const lists = Object.entries(set.recipients);
  const isAsked = asksReceivers(provider, answers);
  return (
    <>
      <Fields title={t.sources.identity}>
        <TextField
          label={t.common.name}
          value={filled.source}
          onInput={(source) => onChange({ source })}
          help={`${location.origin}/hooks/${filled.source}`}
          error={errorAt('source')}
        />
      </Fields>
      <Gateway {...props} />
      <Fields title={t.sources.who} below={!isAsked && <p class="soft">{t.sources.receiversInWebhook}</p>}>
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
        {isAsked && answers.list === null && isAlerting(provider) && <QuietFields {...props} />}
      </Fields>
      <Asks {...props} />
      {isForm(provider) && <FormFields {...props} />}
      <Fields title={t.sources.words}>
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
      </Fields>
      <StarterRoutes {...props} />
    </>
  );
}

interface FieldsProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly below?: ComponentChildren;
}

const Fields = ({ title, children, below }: FieldsProps) => (
  <Panel title={title}>
    <div class="fields">{children}</div>
    {below}
  </Panel>
);

/** The questions that only the owner of an account at the provider can answer. */
function Asks({ provider, answers: { asked }, isTried, onChange }: SetUpFormProps) {
  const questions = Object.entries(provider.asks ?? {});
  if (questions.length === 0) return null;
  return (
    <Fields title={t.sources.theirAccount(provider.name)}>
      {questions.map(([name, question]) => {
        const { example } = question;
        const text = (asked[name] ?? '').trim();
        const isNeededHere = isNeeded(name, { source: provider.source ?? {} });
        const isRight = isRightAnswer(question, text) && !(isTried && isNeededHere && text === '');
        const help = isValue(name, provider) ? t.sources.withoutAnswer(example) : t.sources.linksHelp;
        return (
          <TextField
            key={name}
            label={question.question}
            value={asked[name] ?? ''}
            placeholder={example}
            onInput={(typed) => onChange({ asked: { ...asked, [name]: typed } })}
            help={isNeededHere ? t.sources.answerNeeded : help}
            error={isRight ? undefined : t.sources.notLike(example)}
          />
        );
      })}
    </Fields>
  );
}

const PAGE = 'https://shop.example';

function FormFields({ answers, isTried, onChange }: SetUpFormProps) {
  const { asked } = answers;
  const { page, fields } = askedForm(answers);
  const isPageWrong = page === null && (isTried || (asked['page'] ?? '') !== '');
  const isHere = page !== null && isLoopback(new URL(page).hostname);
  return (
    <Fields title={t.sources.formOn}>
      <TextField
        label={t.sources.formPage}
        value={asked['page'] ?? ''}
        placeholder={PAGE}
        onInput={(text) => onChange({ asked: { ...asked, page: text } })}
        help={isHere ? t.sources.formPageHere : t.sources.formPageHelp(page)}
        error={isPageWrong ? t.sources.notLike(PAGE) : undefined}
      />
      <TextField
        label={t.messages.params}
        value={asked['fields'] ?? USUAL_FIELDS}
        onInput={(text) => onChange({ asked: { ...asked, fields: text } })}
        help={t.sources.formFieldsHelp}
        error={fields === null ? t.sources.notLike(USUAL_FIELDS) : undefined}
      />
    </Fields>
  );
}

const isEnglishOnly = ({ language: ofTexts = FIRST_LANGUAGE }: ProviderAnswer, locale: string): boolean =>
  ofTexts === FIRST_LANGUAGE && languageOf(locale) !== FIRST_LANGUAGE;

function QuietFields({ provider, answers, errorAt, onChange }: SetUpFormProps) {
  const { quietFrom, quietTo, outagesWait } = answers;
  const { outages, waiting } = quietOf(provider, answers);
  return (
    <>
      <div class="pair whole">
        <TextField
          label={t.sources.quietFrom}
          value={quietFrom}
          placeholder="22:00"
          onInput={(time) => onChange({ quietFrom: time })}
          error={errorAt('quiet')}
        />
        <TextField
          label={t.sources.quietTo}
          value={quietTo}
          placeholder="07:00"
          onInput={(time) => onChange({ quietTo: time })}
        />
        <p class="whole help">
          {waiting.length > 0 ? t.sources.quietWaits(waiting.join(', ')) : t.sources.quietHelp}
        </p>
      </div>
      {outages.length > 0 && quietFrom !== '' && quietTo !== '' && (
        <CheckField
          label={t.sources.outagesWait(provider.name, quietTo)}
          value={outagesWait}
          onChange={(wait) => onChange({ outagesWait: wait })}
        />
      )}
    </>
  );
}

/** The routes that a source of the provider may begin with, each to be left out. */
function StarterRoutes({ provider, answers, onChange }: SetUpFormProps) {
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
            const others = without.filter((one) => one !== name);
            return (
              <li key={name}>
                <CheckField
                  label={sentenceOf(route, provider.id, words, Object.hasOwn(provider.customers ?? {}, name))}
                  value={!without.includes(name)}
                  onChange={(isIn) => onChange({ without: isIn ? others : [...others, name] })}
                />
                <details class="sources-starters-what indented small">
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

/** Asks by which account messages go, with what its gateway costs and needs; and names the other gateways. */
function Gateway({ answers: { account }, set: { accounts }, errorAt, onChange }: SetUpFormProps) {
  const names = [DEFAULT, ...Object.keys(accounts).filter((one) => one !== DEFAULT)];
  const of = (name: string): string => gatewayOf(accounts[name]);
  const used = new Set(names.map(of));
  return (
    <Fields
      title={t.sources.whereTo}
      below={
        <details>
          <summary>{t.sources.otherGateways}</summary>
          <dl>
            {gatewayFacts
              .filter(({ id }) => !used.has(id))
              .map(({ id }) => (
                <Fragment key={id}>
                  <dt>
                    {gatewayName(id)} <code>{`gateway: ${id}`}</code>
                  </dt>
                  <dd class="soft">{gatewayHelp(id)}</dd>
                </Fragment>
              ))}
          </dl>
          <p class="soft">{t.sources.otherGatewaysHelp}</p>
        </details>
      }
    >
      <SelectField
        label={t.common.account}
        value={account}
        options={names.map(
          (name) => [name === DEFAULT ? '' : name, `${name} (${gatewayName(of(name))})`] as const,
        )}
        onChange={(chosen) => onChange({ account: chosen })}
        error={errorAt('account')}
        help={gatewayHelp(of(account || DEFAULT))}
      />
    </Fields>
  );
}

/** The word of the account's gateway for its addresses; null: it sends to numbers. */
export const addressesOf = (accounts: DocumentSet['accounts'], account: string): string | null =>
  addressOfGateway(gatewayOf(accounts[account || DEFAULT]));
