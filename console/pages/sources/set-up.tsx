import { type ComponentChildren, Fragment } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { USUAL_FIELDS } from '../../../shared/new-source/form-source.ts';
import { gatewayFacts } from '../../../shared/new-source/gateways.ts';
import { numbersIn } from '../../../shared/new-source/likely.ts';
import type { PlannedDocument } from '../../../shared/new-source/plan.ts';
import { FIRST_LANGUAGE, isValue, languageOf } from '../../../src/config/documents/starter-texts.ts';
import { isLoopback } from '../../../src/lib/url.ts';
import { provider as readProvider, readRouteWords } from '../../api/catalog.ts';
import { ask, preview, readSet, Refused, type Tagged } from '../../api/client.ts';
import type { DocumentSet, ProviderAnswer } from '../../api/types.ts';
import { number, phoneText } from '../../lib/format.ts';
import { faultsIn, useLoad, useWork, wordsOf } from '../../lib/load.ts';
import { countryOptions, likelyCountry, zoneOptions } from '../../lib/places.ts';
import { go } from '../../lib/router.ts';
import { faultText, gatewayHelp, gatewayName } from '../../texts/relay-texts.ts';
import { language, t } from '../../texts/texts.ts';
import { Button, Copy, PageHead, Panel, Pending, Trouble } from '../../ui/basics.tsx';
import { CheckField, FieldErrors, fieldsFor, useSettled } from '../../ui/form.tsx';
import { type ReadNumbers, useNumbers, useOnceRead } from '../../ui/numbers.ts';
import { useSession } from '../../ui/session.tsx';
import { toast } from '../../ui/toast.tsx';
import { Connect } from './connect.tsx';
import { errorsIn, foundIn } from './document.tsx';
import * as draft from './draft.ts';
import { routesOf } from './model.ts';
import { SamplePreviews, samplesIn, sentenceOf } from './routes.tsx';

export function SetUp({ id = '' }: { readonly id?: string }) {
  const loaded = useLoad(`set up ${id}`, (signal) =>
    Promise.all([readProvider(id, navigator.language, signal), readSet(signal)]),
  );
  const [first, config] = loaded.value ?? [];
  return (
    <>
      <PageHead title={t.sources.addOne(first?.name ?? id)} back="/sources/add" />
      <Pending of={loaded} />
      {first && config && <Form {...{ first, config }} onStale={loaded.again} />}
    </>
  );
}

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
  const [answers, setAnswers] = useState(
    () => draft.readDraft(session, first.id)?.answers ?? draft.NO_ANSWERS,
  );
  const change = (changed: Partial<draft.Answers>): void => setAnswers((old) => ({ ...old, ...changed }));
  const [isTried, setTried] = useState(false);
  const { isBusy, thrown, run } = useWork();
  const surroundings = {
    language: navigator.language,
    country: likelyCountry(navigator.languages),
    timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  const filled = draft.filledIn(answers, first.id, surroundings, set);
  const { source } = filled;
  const language = languageOf(filled.locale);
  const worded = useLoad(`provider ${first.id} ${language}`, (signal) =>
    readProvider(first.id, language, signal),
  );
  const provider = worded.value ?? first;
  const routes = draft.chosenRoutes(provider, filled);
  const { asksNumbers, addressKind } = draft.receiversAsked(routes, filled, set);
  const numbers = useNumbers(asksNumbers ? filled.numbers : '', filled.country);
  const digits = numbers.digits.length > 0 ? numbers.digits : STAND_IN;
  const plan = draft.planOf(provider, filled, asksNumbers ? digits : [], set, location.origin);
  const documents = draft.newDocuments(plan, set);
  const lacksNumbers = asksNumbers && numbers.digits.length === 0;
  const lacksAddresses = addressKind !== null && draft.addressesIn(filled).length === 0;
  const badName = draft.wrongName(source, set);
  const found = useDraft(source, documents, set, badName === null);
  const missing = [...(found.missing ?? [])];
  const keep = (): void =>
    draft.keepDraft(session, first.id, { provider: first.id, source, answers, missing });
  useEffect(() => {
    if (answers !== draft.NO_ANSWERS) keep();
  }, [answers, missing.join(' ')]);
  const own = documents.find(({ kind }) => kind === 'sources');

  const faults = [...found.errors, ...faultsIn(thrown).filter(({ path }) => path !== '')];
  const errorAt = (name: string): string | undefined => {
    const field = ERRORS_OF[name] ?? name;
    if (field === 'source' && badName !== null) return t.sources[badName];
    if (field === 'numbers' && numbers.error !== null) return numbers.error;
    if (field === 'numbers' && isTried && lacksNumbers && !numbers.isReading) return t.sources.numbersMissing;
    if (field === 'numbers' && isTried && lacksAddresses) return t.sources.addressesMissing;
    const error = faults.find(({ path }) => draft.fieldAt(path, source) === field);
    return error === undefined ? undefined : faultText(error);
  };
  const { others: rest } = draft.missingIn(faults, source, documents);
  const others = rest.filter(({ path }) => draft.fieldAt(path, source) === null);
  const isReady =
    badName === null && !draft.isUnanswered(provider, filled) && !lacksNumbers && !lacksAddresses;

  const secretsIn = (thrown: unknown): ReadonlySet<string> =>
    draft.missingIn(faultsIn(thrown), source, documents).missing;
  const publish = async (): Promise<void> => {
    const query = { note: t.sources.note(source, provider.name) };
    try {
      await ask('POST', '/config', { body: draft.setWith(set, documents), query, tag });
    } catch (thrown) {
      if (isStale(thrown)) onStale();
      else if (secretsIn(thrown).size > 0) found.again();
      throw thrown;
    }
    draft.keepDraft(session, first.id, null);
    toast(t.sources.published(source));
    go(`/sources/${source}`);
  };
  const [isWaiting, askToPublish] = useOnceRead(asksNumbers && numbers.isReading, filled.numbers, () => {
    if (isReady) run(publish);
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (missing.length > 0) {
      keep();
      toast(t.sources.draftKept(source));
      go('/sources');
    } else askToPublish();
  };

  const fields = fieldsFor<TextAnswer>(
    (name) => filled[name],
    (name, value) => change({ [name]: value }),
    errorAt,
  );
  // The set is published by pushes alone: these are the files that make this change there.
  const isForGit = thrown instanceof Refused && thrown.problem.type === MANAGED;
  const shared = draft.sharedTemplates(plan, set);
  return (
    <form class="columns" onSubmit={submit}>
      <div>
        <SetUpForm {...{ provider, set, filled, routes, numbers, isTried, fields, change }} />
        {own !== undefined && badName === null && (
          <Connect
            {...{ provider, missing: found.missing, isChecking: found.isChecking, onCheck: found.again }}
            id={source}
            source={own.value}
          />
        )}
      </div>
      <div class="beside">
        <Panel title={t.sources.wouldSend}>
          {found.samples === null ? (
            <p class="soft">{found.errors.length > 0 ? t.sources.fixFirst : t.common.loading}</p>
          ) : (
            <SamplePreviews samples={found.samples} />
          )}
        </Panel>
        <FieldErrors errors={others} />
        <FieldErrors errors={found.warnings} tone="warn" />
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

type TextAnswer = Exclude<keyof draft.Answers, 'asked' | 'outagesWait' | 'without'>;

/** The fields whose errors are those of another. */
const ERRORS_OF: Readonly<Record<string, string>> = { addresses: 'numbers', quietFrom: 'quiet' };

interface SetUpFormProps {
  readonly provider: ProviderAnswer;
  readonly set: DocumentSet;
  readonly filled: ReturnType<typeof draft.filledIn>;
  readonly routes: ReturnType<typeof draft.chosenRoutes>;
  readonly numbers: ReadNumbers;
  /** Somebody has tried to publish: what is missing is marked. */
  readonly isTried: boolean;
  readonly fields: ReturnType<typeof fieldsFor<TextAnswer>>;
  readonly change: (changed: Partial<draft.Answers>) => void;
}

function SetUpForm(props: SetUpFormProps) {
  const { provider, set, filled, routes, numbers } = props;
  const { text, choice } = props.fields;
  const { asksNumbers, addressKind } = draft.receiversAsked(routes, filled, set);
  const read = numbers.isReading ? [] : numbers.digits;
  const lists = Object.entries(set.recipients).map(
    ([name, list]) => [name, t.sources.listOption(name, number(numbersIn(list).length))] as const,
  );
  return (
    <>
      <Fields title={t.sources.identity}>
        {text('source', t.common.name, { help: `${location.origin}/hooks/${filled.source}` })}
      </Fields>
      <Gateway {...props} />
      <Fields
        title={t.sources.who}
        below={!routes.askReceivers && <p class="soft">{t.sources.receiversInWebhook}</p>}
      >
        {choice('country', t.common.country, [['', t.sources.noCountry], ...countryOptions(language)], {
          help: t.sources.countryHelp,
        })}
        {routes.askReceivers &&
          lists.length > 0 &&
          choice('list', t.nav.recipients, [['', t.sources.newList], ...lists])}
        {addressKind !== null &&
          text('addresses', t.sources.addresses(addressKind), { help: t.sources.addressesHelp })}
        {asksNumbers &&
          text('numbers', t.common.numbers, {
            type: 'tel',
            placeholder: '+49 151 12345678',
            help: read.length > 0 ? t.sources.readAs(read.map(phoneText).join(', ')) : t.sources.numbersHelp,
          })}
        {routes.askReceivers && filled.list === '' && draft.isAlerting(provider) && (
          <QuietFields {...props} />
        )}
      </Fields>
      <Asks {...props} />
      {draft.isForm(provider) && <FormFields {...props} />}
      <Fields title={t.sources.words}>
        {text('locale', t.account.language, {
          help: isEnglishOnly(provider, filled.locale) ? t.sources.textsAreEnglish : t.sources.localeHelp,
        })}
        {choice('timezone', t.common.zone, zoneOptions(filled.country, filled.timezone))}
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

const askedFields = ({ filled: { asked }, change }: SetUpFormProps) =>
  fieldsFor(
    (name) => asked[name] ?? '',
    (name, value) => change({ asked: { ...asked, [name]: value } }),
  );

function Asks(props: SetUpFormProps) {
  const { provider, filled, isTried } = props;
  const questions = draft.questionsOf(provider, filled);
  const { text } = askedFields(props);
  if (questions.length === 0) return null;
  return (
    <Fields title={t.sources.theirAccount(provider.name)}>
      {questions.map(({ name, question, example, isRight, isRequired, isMissing }) => {
        const help = isValue(name, provider) ? t.sources.withoutAnswer(example) : t.sources.linksHelp;
        return text(name, question, {
          placeholder: example,
          help: isRequired ? t.sources.answerNeeded : help,
          error: isRight && !(isTried && isMissing) ? undefined : t.sources.notLike(example),
        });
      })}
    </Fields>
  );
}

const PAGE = 'https://shop.example';

function FormFields(props: SetUpFormProps) {
  const { filled, isTried } = props;
  const { text } = askedFields(props);
  const { page, fields } = draft.askedForm(filled);
  const isPageWrong = page === null && (isTried || (filled.asked['page'] ?? '') !== '');
  const isHere = page !== null && isLoopback(new URL(page).hostname);
  return (
    <Fields title={t.sources.formOn}>
      {text('page', t.sources.formPage, {
        placeholder: PAGE,
        help: isHere ? t.sources.formPageHere : t.sources.formPageHelp(page),
        error: isPageWrong ? t.sources.notLike(PAGE) : undefined,
      })}
      {text('fields', t.messages.params, {
        value: filled.asked['fields'] ?? USUAL_FIELDS,
        help: t.sources.formFieldsHelp,
        error: fields === null ? t.sources.notLike(USUAL_FIELDS) : undefined,
      })}
    </Fields>
  );
}

const isEnglishOnly = ({ language: ofTexts = FIRST_LANGUAGE }: ProviderAnswer, locale: string): boolean =>
  ofTexts === FIRST_LANGUAGE && languageOf(locale) !== FIRST_LANGUAGE;

function QuietFields({ provider, filled, routes, fields: { text }, change }: SetUpFormProps) {
  const { quietFrom, quietTo, outagesWait } = filled;
  const { outages, waiting } = routes;
  return (
    <>
      <div class="pair whole">
        {text('quietFrom', t.sources.quietFrom, { placeholder: '22:00' })}
        {text('quietTo', t.sources.quietTo, { placeholder: '07:00' })}
        <p class="whole help">
          {waiting.length > 0 ? t.sources.quietWaits(waiting.join(', ')) : t.sources.quietHelp}
        </p>
      </div>
      {outages.length > 0 && quietFrom !== '' && quietTo !== '' && (
        <CheckField
          label={t.sources.outagesWait(provider.name, quietTo)}
          value={outagesWait}
          onChange={(wait) => change({ outagesWait: wait })}
        />
      )}
    </>
  );
}

function StarterRoutes({ provider, routes: { without, ...routes }, change }: SetUpFormProps) {
  const words = useLoad('route words', readRouteWords).value;
  const { customers } = provider;
  return (
    <Panel title={t.sources.starterRoutes}>
      <p class="soft">{t.sources.starterHelp}</p>
      {customers !== undefined && (
        <CheckField
          label={t.sources.customers}
          value={routes.notifiesCustomers}
          onChange={(notifies) => change({ without: routes.withoutCustomers(notifies) })}
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
                  label={sentenceOf(route, provider.id, words, Object.hasOwn(customers ?? {}, name))}
                  value={!without.includes(name)}
                  onChange={(isIn) => change({ without: isIn ? others : [...others, name] })}
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

function Gateway({ filled, set: { accounts }, fields: { choice } }: SetUpFormProps) {
  const others = Object.keys(accounts).filter((name) => name !== draft.DEFAULT_ACCOUNT);
  const of = (account: string): string => draft.gatewayIn(accounts, account);
  const used = new Set(['', ...others].map(of));
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
      {choice(
        'account',
        t.common.account,
        ['', ...others].map((name) => [name, `${name || draft.DEFAULT_ACCOUNT} (${gatewayName(of(name))})`]),
        { help: gatewayHelp(of(filled.account)) },
      )}
    </Fields>
  );
}

/**
 * Asks the relay about a source that is not published yet: when it stood still for a moment, and when its person
 * comes back to the page, perhaps from setting a secret.
 */
function useDraft(source: string, documents: readonly PlannedDocument[], set: DocumentSet, isOn: boolean) {
  const asked = JSON.stringify(draft.byKind(documents));
  const settled = useSettled(asked, 400);
  const [turn, setTurn] = useState(0);
  const [found, setFound] = useState<Awaited<ReturnType<typeof look>> | typeof UNKNOWN>(UNKNOWN);
  const again = useCallback(() => setTurn((old) => old + 1), []);
  useEffect(() => {
    if (!isOn || settled !== asked) return undefined;
    let isCurrent = true;
    setFound((old) => ({ ...old, isChecking: true }));
    void look(source, documents, set).then((said) => isCurrent && setFound(said));
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
  const asked = { body: draft.setWith(set, documents), query: { dry_run: true } };
  const { errors, warnings } = await foundIn(source, ask('POST', '/config', asked));
  const { missing, others } = draft.missingIn(errors, source, documents);
  const found = { errors: others, warnings, missing, isChecking: false };
  if (others.length > 0) return { ...found, samples: null };
  return preview(source, { drafts: draft.byKind(documents), samples: true }).then(
    (answer) => ({ ...found, samples: samplesIn(answer) }),
    (thrown: unknown) => ({ ...found, samples: null, errors: errorsIn(thrown) }),
  );
}

const UNKNOWN = { samples: null, errors: [], warnings: [], missing: null, isChecking: true };
