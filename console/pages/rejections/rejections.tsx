import { get, post } from '../../api/client.ts';
import type { ListPage, RejectionAnswer, Released } from '../../api/types.ts';
import { number, stamp } from '../../lib/format.ts';
import { useNews } from '../../lib/live.ts';
import { useGet, useLoad } from '../../lib/load.ts';
import { addressOf, useFilters } from '../../lib/router.ts';
import { FilterChoice, Filters } from '../../parts/list.tsx';
import { t } from '../../texts/texts.ts';
import { Empty, Facts, PageHead, Panel, Pending, SourceLink, Time } from '../../ui/basics.tsx';
import { Live } from '../../ui/live.tsx';
import { Rows, useIsNarrow } from '../../ui/rows.tsx';
import { Coded, RelayText } from '../../ui/text.tsx';
import { AskButton } from '../../ui/dialog.tsx';
import { withoutCommand } from '../../../shared/doctor/remedy.ts';
import { own, relayText } from '../../texts/relay-texts.ts';

const SHOWN_GROUPS = 6;
/** All that the relay keeps, without spam. */
const KEPT = 200;

async function load(signal: AbortSignal): Promise<readonly RejectionAnswer[]> {
  // All that is kept is one page; of spam it is the newest. Spam would fill the page, however much else there is.
  const pages = [false, true].map((spam) =>
    get<ListPage<RejectionAnswer>>('/rejections', { limit: KEPT, spam }, signal),
  );
  return (await Promise.all(pages)).flatMap(({ items }) => items).toSorted((a, b) => b.n - a.n);
}

export function Rejections() {
  const [{ source = '', code = '' }] = useFilters();
  const list = useLoad('rejections', load);
  const live = useNews(true, ({ type }) => type === 'rejection', list.again);
  const all = list.value ?? [];
  const shown = fitting(all, { source, code });
  const isNarrow = useIsNarrow();
  const groups = groupsOf(all);
  const codes = distinct([...all.map(({ code }) => code), code].filter(Boolean));
  return (
    <>
      <PageHead title={t.nav.rejections}>
        <Live state={live} />
      </PageHead>
      <Pending of={list} />
      {list.value !== null && all.length === 0 && (
        <Empty title={t.rejections.none}>{t.rejections.noneText}</Empty>
      )}
      {all.length > 0 && (
        <>
          {/* Where each stands alone, the rows below say the same. */}
          {source === '' && code === '' && groups.length < all.length && <Groups groups={groups} />}
          <Filters names={['source', 'code']}>
            <FilterChoice
              name="source"
              label={t.common.source}
              options={distinct(all.map(({ source }) => source)).map((one) => [one, one])}
            />
            <FilterChoice
              name="code"
              label={t.common.reason}
              options={codes.map((one) => [one, reasonText(one)])}
            />
          </Filters>
          {shown.length === 0 ? (
            <Empty title={t.rejections.noneFound} />
          ) : (
            <Rows
              label={t.nav.rejections}
              items={shown}
              height={isNarrow ? 88 : 64}
              keyOf={({ n }) => String(n)}
              pathOf={({ n }) => `/rejections/${n}`}
            >
              {(one) => <Row {...one} />}
            </Rows>
          )}
          <p class="soft above">{t.rejections.kept(number(KEPT))}</p>
        </>
      )}
    </>
  );
}

export const timesOf = (rejections: readonly Pick<RejectionAnswer, 'times'>[]): number =>
  rejections.reduce((sum, { times = 1 }) => sum + times, 0);

/** The most frequent first, each with the newest. `rejections`: newest first. */
export function groupsOf(rejections: readonly RejectionAnswer[]) {
  const groups = Map.groupBy(rejections, ({ source, code }) => JSON.stringify([source, code]));
  return [...groups.values()]
    .flatMap(([last, ...rest]) => {
      if (last === undefined) return [];
      return { source: last.source, code: last.code, count: timesOf([last, ...rest]), last };
    })
    .toSorted((one, other) => other.count - one.count);
}

export const fitting = (
  rejections: readonly RejectionAnswer[],
  { source, code }: Readonly<Record<'source' | 'code', string>>,
): readonly RejectionAnswer[] =>
  rejections.filter((one) => (source === '' || one.source === source) && (code === '' || one.code === code));

export const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)].toSorted();

const Row = ({ at, source, status, code, detail, times = 1 }: RejectionAnswer) => (
  <div class="stack tight">
    <span class="line rejections-line">
      <strong class="cut">{reasonText(code)}</strong>
      {times > 1 && <span class="soft small">{t.rejections.times(number(times))}</span>}
      <Time class="end soft small" at={at} relative />
    </span>
    <span class="line rejections-line soft">
      <span class="soft small rejections-source cut">{source}</span>
      <span>{status}</span>
      <RelayText as="span" class="cut" text={detail} />
    </span>
  </div>
);

const Groups = ({ groups }: { groups: ReturnType<typeof groupsOf> }) => (
  <ul class="cards below rejections-groups" aria-label={t.rejections.groups}>
    {groups.slice(0, SHOWN_GROUPS).map(({ source, code, count, last }) => {
      const remedy = remedyOf(last);
      return (
        <li key={`${source} ${code}`} class="panel">
          <a class="line rejections-group" href={addressOf('/rejections', { source, code })}>
            <span class="box bad rejections-count">{number(count)}</span>
            <span>
              <strong>{reasonText(code)}</strong>
              <span class="soft small rejections-source">{source}</span>
            </span>
            <Time class="end soft small" at={last.at} relative />
          </a>
          {remedy !== undefined && <Coded as="p" class="soft" text={remedy} />}
        </li>
      );
    })}
  </ul>
);

/** One rejected webhook: why, and what to do. Spam also has what was written, and a button that releases it, which asks before. */
export function RejectionPage({ n = '' }: { n?: string }) {
  const found = useGet<RejectionAnswer>(`/rejections/${encodeURIComponent(n)}`);
  const gone = (
    <Empty title={t.rejections.gone(n)}>
      {t.rejections.kept(number(KEPT))} {t.rejections.goneText}
    </Empty>
  );
  return (
    <>
      <PageHead title={t.rejections.one(n)} back="/rejections" />
      <Pending of={found} gone={gone} />
      {found.value !== null && <Content rejection={found.value} onReleased={found.again} />}
    </>
  );
}

type ContentProps = { readonly rejection: RejectionAnswer; readonly onReleased: () => void };

function Content({ rejection, onReleased }: ContentProps) {
  const { at, source, status, code, detail, from, spam, near, times = 1, first_at: first } = rejection;
  const remedy = remedyOf(rejection);
  return (
    <>
      <Panel title={reasonText(code)}>
        <RelayText as="p" text={detail} />
        {remedy !== undefined && (
          <div class="note stack tight rejections-remedy">
            <h3>{t.rejections.remedy}</h3>
            <Coded as="p" text={remedy} />
          </div>
        )}
      </Panel>
      {spam !== undefined && <Spam rejection={rejection} onReleased={onReleased} />}
      <Panel>
        <Facts
          facts={[
            [t.common.source, near === undefined ? <SourceLink id={source} /> : source],
            [t.rejections.at, stamp(at)],
            [t.rejections.count, times > 1 && t.rejections.times(number(times))],
            [t.rejections.first, first !== undefined && stamp(first)],
            [t.rejections.status, String(status)],
            [t.rejections.word, <code>{code}</code>],
            [t.rejections.from, from],
          ]}
        />
      </Panel>
      <p>
        <a class="button" href={addressOf('/rejections', { source, code })}>
          {t.rejections.same}
        </a>
      </p>
    </>
  );
}

function Spam({ rejection: { n, body, released }, onReleased }: ContentProps) {
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  return (
    <Panel title={t.rejections.written}>
      {fields.length === 0 ? (
        <p class="soft">{t.rejections.notKept}</p>
      ) : (
        <Facts
          facts={fields.map(([name, value]: [string, unknown]) => [
            name,
            <span>{typeof value === 'string' ? value : JSON.stringify(value)}</span>,
          ])}
        />
      )}
      {released !== undefined ? (
        <p>
          <a href={addressOf(`/events/${released}`)}>{t.rejections.released}</a>
        </p>
      ) : (
        fields.length > 0 && (
          <AskButton
            look="main"
            label={t.rejections.release}
            does={() => post<Released>(`/rejections/${n}/release`)}
            done={t.rejections.releasedToast}
            onDone={onReleased}
          >
            <p>{t.rejections.releaseHelp}</p>
          </AskButton>
        )
      )}
    </Panel>
  );
}

/** A reason in words. One that a newer relay has is shown as it is. */
export const reasonText = (code: string): string =>
  own<string>(t.rejections.reasons, code) ?? code.replaceAll('_', ' ');

/** The fix, in the language of the person if it has been translated; undefined: none is known. */
export const remedyOf = ({ code, remedy }: { code: string; remedy?: string | undefined }) =>
  own(t.rejections.remedies, code) ?? (remedy === undefined ? undefined : relayText(withoutCommand(remedy)));
