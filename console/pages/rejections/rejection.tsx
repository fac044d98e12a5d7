import { get, post } from '../../api/client.ts';
import type { RejectionAnswer, Released } from '../../api/types.ts';
import { number, stamp } from '../../lib/format.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf } from '../../lib/router.ts';
import { t } from '../../texts/texts.ts';
import { Empty, Facts, PageHead, Panel, Pending, SourceLink } from '../../ui/basics.tsx';
import { AskButton } from '../../ui/dialog.tsx';
import { KEPT } from './groups.ts';
import { Coded, RelayText } from '../../ui/text.tsx';
import { withoutCommand } from '../../../shared/doctor/remedy.ts';
import { own, relayText } from '../../texts/relay-texts.ts';

/** One rejected webhook: why, and what to do. Spam also has what was written, and a button that releases it, which asks before. */
export function RejectionPage({ n = '' }: { n?: string }) {
  const found = useLoad(`rejection ${n}`, (signal) =>
    get<RejectionAnswer>(`/rejections/${encodeURIComponent(n)}`, {}, signal),
  );
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

interface ContentProps {
  readonly rejection: RejectionAnswer;
  readonly onReleased: () => void;
}

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

interface Remedied {
  readonly code: string;
  readonly remedy?: string | undefined;
}

/** The fix, in the language of the person if it has been translated; undefined: none is known. */
export const remedyOf = ({ code, remedy }: Remedied): string | undefined =>
  own(t.rejections.remedies, code) ?? (remedy === undefined ? undefined : relayText(withoutCommand(remedy)));
