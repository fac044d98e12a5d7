import { get } from '../../api/client.ts';
import type { ListPage, RejectionAnswer } from '../../api/types.ts';
import { number } from '../../lib/format.ts';
import { useNews } from '../../lib/live.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf, useFilters } from '../../lib/router.ts';
import { FilterChoice, Filters } from '../../parts/list.tsx';
import { t } from '../../texts/texts.ts';
import { Empty, PageHead, Pending, Time } from '../../ui/basics.tsx';
import { Live } from '../../ui/live.tsx';
import { Rows, useIsNarrow } from '../../ui/rows.tsx';
import { distinct, fitting, groupsOf, KEPT } from './groups.ts';
import { reasonText, remedyOf } from './rejection.tsx';
import { Coded, RelayText } from '../../ui/text.tsx';

const SHOWN_GROUPS = 6;

export function Rejections() {
  const [query, filter] = useFilters();
  const chosen = { source: query['source'] ?? '', code: query['code'] ?? '' };
  const list = useLoad('rejections', (signal) =>
    // All that is kept is one page; of spam it is the newest. Spam would fill the page, however much else there is.
    Promise.all(
      [false, true].map((spam) =>
        get<ListPage<RejectionAnswer>>('/rejections', { limit: KEPT, spam }, signal),
      ),
    ).then((pages) => pages.flatMap(({ items }) => items).toSorted((one, other) => other.n - one.n)),
  );
  const live = useNews(true, ({ type }) => type === 'rejection', list.again);
  const all = list.value ?? [];
  const shown = fitting(all, chosen);
  const isNarrow = useIsNarrow();
  const groups = groupsOf(all);
  const isFiltered = chosen.source !== '' || chosen.code !== '';
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
          {!isFiltered && groups.length < all.length && <Groups groups={groups} />}
          <Filters isSet={isFiltered} onClear={() => filter({ source: '', code: '' })}>
            <FilterChoice
              label={t.common.source}
              value={chosen.source}
              options={distinct(all.map(({ source }) => source)).map((one) => [one, one])}
              onChange={(source) => filter({ source })}
            />
            <FilterChoice
              label={t.common.reason}
              value={chosen.code}
              options={distinct([...all.map(({ code }) => code), chosen.code].filter(Boolean)).map((one) => [
                one,
                reasonText(one),
              ])}
              onChange={(code) => filter({ code })}
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
              {(one) => <Row rejection={one} />}
            </Rows>
          )}
          <p class="soft above">{t.rejections.kept(number(KEPT))}</p>
        </>
      )}
    </>
  );
}

const Row = ({
  rejection: { at, source, status, code, detail, times = 1 },
}: {
  rejection: RejectionAnswer;
}) => (
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
