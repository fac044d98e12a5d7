import { get } from '../../api/client.ts';
import type { Page, Rejection } from '../../api/types.ts';
import { stamp } from '../../lib/format.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf } from '../../lib/router.ts';
import { t } from '../../texts/texts.ts';
import { Empty, Facts, Loading, PageHead, Panel, Trouble } from '../../ui/basics.tsx';
import { reasonWords } from './words.ts';

/** The list's page of one that ends before the number after it. */
const readOne = async (n: number, signal: AbortSignal): Promise<Rejection | null> => {
  const { items } = await get<Page<Rejection>>('/rejections', { limit: 1, cursor: n + 1 }, signal);
  return items.find((one) => one.n === n) ?? null;
};

/** One rejected webhook: why, and what to do. */
export function RejectionPage({ n = '' }: { n?: string }) {
  const found = useLoad(`rejection ${n}`, async (signal) => ({
    one: /^[1-9]\d{0,8}$/.test(n) ? await readOne(Number(n), signal) : null,
  }));
  const one = found.value?.one;
  return (
    <>
      <PageHead title={t.rejections.one(n)} back={addressOf('/rejections')} />
      {found.error !== null && <Trouble error={found.error} again={found.again} />}
      {found.value === null && found.error === null && <Loading />}
      {one === null && <Empty title={t.rejections.gone(n)}>{t.rejections.goneText}</Empty>}
      {one !== null && one !== undefined && <Content rejection={one} />}
    </>
  );
}

function Content({ rejection: { at, source, status, reason, detail, from } }: { rejection: Rejection }) {
  const words = reasonWords(reason);
  return (
    <>
      <Panel title={words.reason}>
        <p class="rejections-detail">{detail}</p>
        {words.remedy !== null && (
          <div class="rejections-remedy">
            <h3>{t.rejections.remedy}</h3>
            <p>{words.remedy}</p>
          </div>
        )}
      </Panel>
      <Panel>
        <Facts
          facts={[
            [t.rejections.source, <a href={addressOf(`/sources/${encodeURIComponent(source)}`)}>{source}</a>],
            [t.rejections.at, stamp(at)],
            [t.rejections.status, String(status)],
            [t.rejections.word, <code>{reason}</code>],
            [t.rejections.from, from],
          ]}
        />
      </Panel>
      <p>
        <a class="button" href={addressOf('/rejections', { source, reason })}>
          {t.rejections.same}
        </a>
      </p>
    </>
  );
}
