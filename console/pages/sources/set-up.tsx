import { useEffect, useState } from 'preact/hooks';
import { languageOf } from '../../../src/config/documents/starter-texts.ts';
import { provider as readProvider } from '../../api/catalog.ts';
import { ask, readSet, Refused, type Tagged } from '../../api/client.ts';
import type { DocumentSet, ProviderAnswer } from '../../api/types.ts';
import { likelyCountry } from '../../lib/places.ts';
import { faultsIn, useLoad, useWork, wordsOf } from '../../lib/load.ts';
import { go } from '../../lib/router.ts';
import { faultText } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Button, Copy, Loading, PageHead, Panel, Trouble } from '../../ui/basics.tsx';
import { FieldErrors } from '../../ui/form.tsx';
import { useNumbers, useOnceRead } from '../../ui/numbers.ts';
import { useSession } from '../../ui/session.tsx';
import { toast } from '../../ui/toast.tsx';
import { Connect } from './connect.tsx';
import { type DraftField, fieldAt, missingIn, wrongName } from './draft-errors.ts';
import {
  addressesIn,
  asksReceivers,
  type BrowserSettings,
  filledIn,
  isUnanswered,
  newDocuments,
  NO_ANSWERS,
  planOf,
  setWith,
  sharedTemplates,
} from './draft.ts';
import { addressesOf, SetUpForm } from './set-up-form.tsx';
import { keepDraft, readDraft } from './kept-drafts.ts';
import { SamplePreviews } from './samples.tsx';
import { useDraft } from './use-draft.ts';

/** The form of a new source, with the messages that it would send. */
export function SetUp({ id = '' }: { readonly id?: string }) {
  const provider = useLoad(`provider ${id}`, (signal) => readProvider(id, navigator.language, signal));
  const config = useLoad('config', readSet);
  const error = provider.error ?? config.error;
  const name = provider.value?.name ?? id;
  return (
    <>
      <PageHead title={t.sources.addOne(name)} back="/sources/add" />
      {error !== null && <Trouble error={error} again={() => (provider.again(), config.again())} />}
      {error === null && (provider.value === null || config.value === null) && <Loading />}
      {provider.value !== null && config.value !== null && (
        <Form provider={provider.value} config={config.value} onStale={config.again} />
      )}
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
  readonly provider: ProviderAnswer;
  readonly config: Tagged<DocumentSet>;
  readonly onStale: () => void;
}

function Form({ provider: first, config, onStale }: FormProps) {
  const { value: set, tag } = config;
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

/** Somebody else has published in between. */
const isStale = (thrown: unknown): boolean => thrown instanceof Refused && thrown.status === 412;

function refusalText(thrown: unknown, missing: ReadonlySet<string>): string {
  if (isStale(thrown)) return t.sources.stale;
  return missing.size > 0 ? t.sources.secretFirst([...missing].join(', ')) : wordsOf(thrown);
}
