import { get } from '../../api/client.ts';
import type { Diagnosis } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Loading, PageHead, Panel, Time, Trouble, type Tone } from '../../ui/basics.tsx';

type Check = Diagnosis['checks'][number];

const TONES: Readonly<Record<Check['status'], Tone>> = {
  ok: 'good',
  warn: 'warn',
  fail: 'bad',
  unknown: 'calm',
};

/** Failed checks first; each passed check is one line. */
const ORDER: readonly Check['status'][] = ['fail', 'warn', 'unknown', 'ok'];

const load = (signal: AbortSignal) => get<Diagnosis>('/doctor', undefined, signal);

export function Doctor() {
  const { value, error, isLoading, again } = useLoad('doctor', load);
  return (
    <>
      <PageHead title={t.doctor.title}>
        {value !== null && (
          <span class="soft">
            hookbell {value.version} · <Time at={value.now} />
          </span>
        )}
        <Button icon="retry" isBusy={isLoading} onClick={again}>
          {t.doctor.again}
        </Button>
      </PageHead>
      {error !== null && <Trouble error={error} again={again} />}
      {value === null && error === null && <Loading />}
      {value !== null &&
        ORDER.map((status) => (
          <Checks key={status} status={status} checks={value.checks.filter((one) => one.status === status)} />
        ))}
    </>
  );
}

const Checks = ({ status, checks }: { status: Check['status']; checks: readonly Check[] }) =>
  checks.length === 0 ? null : (
    <Panel title={t.doctor.groups[status](checks.length)}>
      <ul class="doctor-checks">
        {checks.map(({ id, title, detail, remedy }) => (
          <li key={id}>
            <p>
              <Badge tone={TONES[status]}>{t.doctor.words[status]}</Badge> <strong>{title}</strong>
            </p>
            <p class="soft">{detail}</p>
            {remedy !== undefined && <p class="doctor-remedy">{remedy}</p>}
          </li>
        ))}
      </ul>
    </Panel>
  );
