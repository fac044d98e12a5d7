import { useCallback, useEffect, useState } from 'preact/hooks';
import {
  FIRST_LANGUAGE,
  isNeeded,
  isValue,
  languageOf,
} from '../../../src/config/documents/starter-texts.ts';
import { provider as readProvider, readRouteWords } from '../../api/catalog.ts';
import { ask, preview, readSet, Refused, type Tagged } from '../../api/client.ts';
import type { DocumentSet, ProviderAnswer } from '../../api/types.ts';
import { countryOptions, likelyCountry, zoneOptions } from '../../lib/places.ts';
import { faultsIn, useLoad, useWork, wordsOf } from '../../lib/load.ts';
import { go } from '../../lib/router.ts';
import { faultText, gatewayHelp, gatewayName } from '../../texts/relay-texts.ts';
import { language, t } from '../../texts/texts.ts';
import { Button, Copy, PageHead, Panel, Pending, Trouble } from '../../ui/basics.tsx';
import { CheckField, FieldErrors, SelectField, TextField, useSettled } from '../../ui/form.tsx';
import { useNumbers, useOnceRead } from '../../ui/numbers.ts';
import { useSession } from '../../ui/session.tsx';
import { toast } from '../../ui/toast.tsx';
import { Connect } from './connect.tsx';
import { errorsIn, foundIn } from './document.tsx';
import {
  addressesIn,
  addressesOf,
  type Answers,
  askedForm,
  asksReceivers,
  type BrowserSettings,
  byKind,
  DEFAULT_ACCOUNT,
  type DraftField,
  fieldAt,
  type Filled,
  filledIn,
  isAlerting,
  isForm,
  isRightAnswer,
  isUnanswered,
  keepDraft,
  missingIn,
  newDocuments,
  NO_ANSWERS,
  notifiesCustomers,
  planOf,
  quietOf,
  readDraft,
  setWith,
  sharedTemplates,
  sizeOf,
  withoutCustomers,
  withoutOf,
  wrongName,
} from './draft.ts';
import { SamplePreviews, samplesIn } from './samples.tsx';
import { type ComponentChildren, Fragment } from 'preact';
import { USUAL_FIELDS } from '../../../shared/new-source/form-source.ts';
import { isLoopback } from '../../../src/lib/url.ts';
import { number, phoneText } from '../../lib/format.ts';
import { routesOf } from './model.ts';
import { sentenceOf } from './routes.tsx';
import { gatewayFacts, gatewayOf } from '../../../shared/new-source/gateways.ts';
import type { PlannedDocument } from '../../../shared/new-source/plan.ts';

export function SetUp({ id = '' }: { readonly id?: string }) {
  const loaded = useLoad(`set up ${id}`, async (signal) => {
    const [first, config] = await Promise.all([
      readProvider(id, navigator.language, signal),
      readSet(signal),
    ]);
    return { first, config };
  });
  return (
    <>
      <PageHead title={t.sources.addOne(loaded.value?.first.name ?? id)} back="/sources/add" />
      <Pending of={loaded} />
      {loaded.value !== null && <Form {...loaded.value} onStale={loaded.again} />}
    </>
  );
}

const surroundings = (): BrowserSettings => ({
  language: navigator.language,
  country: likelyCountry(navigator.languages),
  timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
});

const MANAGED = 'urn:hookbell:problem:managed';

/** Stands in for the receiver until one is entered, so that the preview shows a message. */
const STAND_IN = ['4915112345678'];

interface FormProps {
  readonly first: ProviderAnswer;
  readonly config: Tagged<DocumentSet>;
  readonly onStale: () => void;
}

function Form({ first, config: { value: set, tag }, onStale }: FormProps) {
  const session = useSession();
  const [answers, setAnswers] = useState(() => readDraft(session, first.id)?.answers ?? NO_ANSWERS);
  const [isTried, setTried] = useState(false);
  const { isBusy, thrown, run } = useWork();
  const filled = filledIn(answers, first.id, surroundings(), set);
  const language = languageOf(filled.locale);
  const worded = useLoad(`provider ${first.id} ${language}`, (signal) =>
    readProvider(first.id, language, signal),
  );
  const provider = worded.value ?? first;
  const asks = asksReceivers(provider, answers) && answers.list === null;
  const addressKind = addressesOf(set.accounts, answers.account);
  const asksAddresses = asks ? addressKind : null;
  const asksNumbers = asks && addressKind === null;
  const numbers = useNumbers(asksNumbers ? answers.numbers : '', filled.country);
  const digits = numbers.digits.length > 0 ? numbers.digits : STAND_IN;
  const plan = planOf(provider, filled, asksNumbers ? digits : [], set, location.origin);
  const documents = newDocuments(plan, set);
  const lacksAddresses = asksAddresses !== null && addressesIn(answers).length === 0;
  const badName = wrongName(filled.source, set);
  const draft = useDraft(filled.source, documents, set, badName === null);
  const missing = [...(draft.missing ?? [])];
  const keep = (): void =>
    keepDraft(session, first.id, { provider: first.id, source: filled.source, answers, missing });
  useEffect(() => {
    if (answers !== NO_ANSWERS) keep();
  }, [answers, missing.join(' ')]);
  const own = documents.find(({ kind }) => kind === 'sources');

  const found = [...draft.errors, ...faultsIn(thrown).filter(({ path }) => path !== '')];
  const errorAt = (field: DraftField): string | undefined => {
    if (field === 'source' && badName !== null) return t.sources[badName];
    if (field === 'numbers' && numbers.error !== null) return numbers.error;
    if (field === 'numbers' && isTried && asksNumbers && numbers.digits.length === 0 && !numbers.isReading)
      return t.sources.numbersMissing;
    if (field === 'numbers' && isTried && lacksAddresses) return t.sources.addressesMissing;
    const error = found.find(({ path }) => fieldAt(path, filled.source) === field);
    return error === undefined ? undefined : faultText(error);
  };
  const { others: rest } = missingIn(found, filled.source, documents);
  const others = rest.filter(({ path }) => fieldAt(path, filled.source) === null);
  const isReady =
    badName === null &&
    !isUnanswered(provider, answers) &&
    (!asksNumbers || numbers.digits.length > 0) &&
    !lacksAddresses;

  const secretsIn = (thrown: unknown): ReadonlySet<string> =>
    missingIn(faultsIn(thrown), filled.source, documents).missing;
  const publish = async (): Promise<void> => {
    const query = { note: t.sources.note(filled.source, provider.name) };
    try {
      await ask('POST', '/config', { body: setWith(set, documents), query, tag });
    } catch (thrown) {
      if (isStale(thrown)) onStale();
      else if (secretsIn(thrown).size > 0) draft.again();
      throw thrown;
    }
    keepDraft(session, first.id, null);
    toast(t.sources.published(filled.source));
    go(`/sources/${filled.source}`);
  };
  const [isWaiting, askToPublish] = useOnceRead(asksNumbers && numbers.isReading, answers.numbers, () => {
    if (isReady) run(publish);
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (missing.length > 0) {
      keep();
      toast(t.sources.draftKept(filled.source));
      go('/sources');
    } else askToPublish();
  };

  // The set is published by pushes alone: these are the files that make this change there.
  const isForGit = thrown instanceof Refused && thrown.problem.type === MANAGED;
  const shared = sharedTemplates(plan, set);
  return (
    <form class="columns" onSubmit={submit}>
      <div>
        <SetUpForm
          {...{ provider, answers, filled, set, errorAt, isTried, asksNumbers, asksAddresses }}
          digits={numbers.digits}
          isReading={numbers.isReading}
          onChange={(changed) => setAnswers((old) => ({ ...old, ...changed }))}
        />
        {own !== undefined && badName === null && (
          <Connect
            id={filled.source}
            source={own.value}
            provider={provider}
            missing={draft.missing}
            isChecking={draft.isChecking}
            onCheck={draft.again}
          />
        )}
      </div>
      <div class="beside">
        <Panel title={t.sources.wouldSend}>
          {draft.samples === null ? (
            <p class="soft">{draft.errors.length > 0 ? t.sources.fixFirst : t.common.loading}</p>
          ) : (
            <SamplePreviews samples={draft.samples} />
          )}
        </Panel>
        <FieldErrors errors={others} />
        <FieldErrors errors={draft.warnings} tone="warn" />
        {thrown !== null && <Trouble error={refusalText(thrown, secretsIn(thrown))} />}
        <div class="flow below">
          <Button type="submit" look="main" isBusy={isBusy || isWaiting}>
            {missing.length > 0 ? t.sources.keepDraft : t.sources.publish}
          </Button>
          <p class="grow small soft">
            {missing.length > 0 ? t.sources.draftHelp(missing.join(', ')) : t.sources.publishHelp}
          </p>
        </div>
        {/* JSON is valid YAML, so each can be a file of a folder in git. */}
        {isReady && (
          <details class="sources-planned" open={isForGit}>
            <summary>{t.sources.planned(documents.length)}</summary>
            {isForGit && <p>{t.sources.forGit}</p>}
            {shared.length > 0 && <p class="soft">{t.sources.sharedTemplates(shared.join(', '))}</p>}
            {documents.map(({ kind, name, value }) => {
              const text = JSON.stringify(value, null, 2);
              return (
                <section key={`${kind} ${name}`}>
                  <Copy text={text}>
                    <h3>
                      {kind}/{name}.yaml
                    </h3>
                  </Copy>
                  <pre tabIndex={0}>{text}</pre>
                </section>
              );
            })}
          </details>
        )}
      </div>
    </form>
  );
}

const isStale = (thrown: unknown): boolean => thrown instanceof Refused && thrown.status === 412;

function refusalText(thrown: unknown, missing: ReadonlySet<string>): string {
  if (isStale(thrown)) return t.sources.stale;
  return missing.size > 0 ? t.sources.secretFirst([...missing].join(', ')) : wordsOf(thrown);
}

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

function SetUpForm(props: SetUpFormProps) {
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

function Gateway({ answers: { account }, set: { accounts }, errorAt, onChange }: SetUpFormProps) {
  const names = [DEFAULT_ACCOUNT, ...Object.keys(accounts).filter((one) => one !== DEFAULT_ACCOUNT)];
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
          (name) => [name === DEFAULT_ACCOUNT ? '' : name, `${name} (${gatewayName(of(name))})`] as const,
        )}
        onChange={(chosen) => onChange({ account: chosen })}
        error={errorAt('account')}
        help={gatewayHelp(of(account || DEFAULT_ACCOUNT))}
      />
    </Fields>
  );
}

/**
 * Asks the relay about a source that is not published yet: when it stood still for a moment, and when its person
 * comes back to the page, perhaps from setting a secret.
 */
function useDraft(source: string, documents: readonly PlannedDocument[], set: DocumentSet, isOn: boolean) {
  const asked = JSON.stringify(byKind(documents));
  const settled = useSettled(asked, 400);
  const [turn, setTurn] = useState(0);
  const [found, setFound] = useState<Awaited<ReturnType<typeof look>> | typeof UNKNOWN>(UNKNOWN);
  const again = useCallback(() => setTurn((old) => old + 1), []);
  useEffect(() => {
    if (!isOn || settled !== asked) return undefined;
    let isCurrent = true;
    setFound((old) => ({ ...old, isChecking: true }));
    const show = async (): Promise<void> => {
      const next = await look(source, documents, set);
      if (isCurrent) setFound(next);
    };
    void show();
    return () => {
      isCurrent = false;
    };
  }, [settled, isOn, turn, set]);
  const isMissing = found.missing !== null && found.missing.size > 0;
  useEffect(() => {
    if (!isMissing) return undefined;
    addEventListener('focus', again);
    return () => removeEventListener('focus', again);
  }, [isMissing, again]);
  return { ...found, again };
}

/** `samples` null: there is an error. `errors` are without those about `missing` secrets, which are not set. */
async function look(source: string, documents: readonly PlannedDocument[], set: DocumentSet) {
  const asked = { body: setWith(set, documents), query: { dry_run: true } };
  const { errors, warnings } = await foundIn(source, ask('POST', '/config', asked));
  const { missing, others } = missingIn(errors, source, documents);
  const found = { errors: others, warnings, missing, isChecking: false };
  if (others.length > 0) return { ...found, samples: null };
  return preview(source, { drafts: byKind(documents), samples: true }).then(
    (answer) => ({ ...found, samples: samplesIn(answer) }),
    (thrown: unknown) => ({ ...found, samples: null, errors: errorsIn(thrown) }),
  );
}

const UNKNOWN = { samples: null, errors: [], warnings: [], missing: null, isChecking: true };
