import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { post } from '../api/client.ts';
import { clock } from '../lib/format.ts';
import { faultsIn, useLoad, useWork } from '../lib/load.ts';
import { faultText } from '../texts/relay-texts.ts';
import { t } from '../texts/texts.ts';
import { Button } from '../ui/basics.tsx';
import { Dialog, Opener, type WindowProps } from '../ui/dialog.tsx';
import { ChoiceField, Failed, TextField } from '../ui/form.tsx';
import { toast } from '../ui/toast.tsx';
import { RelayText } from '../ui/text.tsx';
import type { SilenceOf, SilencePreview } from '../api/types.ts';

const HOUR_MS = 3_600_000;

type Silenced = { readonly of: SilenceOf } | { readonly when: string };

/** The condition's mistakes, and not only that it has some. */
const precise = (thrown: unknown): never => {
  const wrong = faultsIn(thrown).map(faultText);
  throw wrong.length === 0 ? thrown : new Error(wrong.join('; '), { cause: thrown });
};

type SilenceProps = { readonly scopes: readonly SilenceOf[]; readonly onDone?: (() => void) | undefined };

/** The button that silences, for those who may. Two clicks: what is proposed, and for how long. */
export const SilenceButton = ({ scopes, onDone = () => undefined }: SilenceProps) =>
  scopes.length === 0 ? null : (
    <Opener label={t.silences.silence}>
      {(onClose) => <SilenceProposed {...{ scopes, onDone, onClose }} />}
    </Opener>
  );

function SilenceProposed({ scopes, ...props }: WindowProps & Pick<SilenceProps, 'scopes'>) {
  const labels = scopes.map(labelOf);
  const [label = '', choose] = useState(labels[0]);
  const scope = scopes[labels.indexOf(label)];
  const what = scope === undefined ? null : { of: scope };
  return (
    <SilenceWindow {...props} title={t.silences.silenceTitle} what={what} isProposed>
      {scopes.length > 1 ? (
        <ChoiceField
          legend={t.silences.what}
          value={label}
          options={labels.map((one) => [one, one])}
          onChange={choose}
        />
      ) : (
        <p>
          <strong>{label}</strong>
        </p>
      )}
    </SilenceWindow>
  );
}

interface SilenceWindowProps extends WindowProps {
  readonly title: string;
  readonly what: Silenced | null;
  /** What it would match is asked for, if that is not `what`: nobody types any more. */
  readonly settled?: Silenced | null;
  readonly isProposed?: boolean;
  readonly children: ComponentChildren;
}

/** Says what a silence would match, and has a button for each length. */
export function SilenceWindow(props: SilenceWindowProps) {
  const { title, what, settled = what, isProposed = false, onDone, onClose } = props;
  const [reason, setReason] = useState('');
  const { isBusy, thrown, run } = useWork();
  const now = new Date();
  const morning = nextMorning(now);
  const lengths: readonly (readonly [string, () => Date])[] = [
    [t.silences.hour, () => new Date(Date.now() + HOUR_MS)],
    [t.silences.hours(4), () => new Date(Date.now() + 4 * HOUR_MS)],
    [t.incidents.until(clock(morning.getTime(), now.getTime(), 'minute')), () => morning],
  ];
  const add = async (until: Date): Promise<void> => {
    if (what === null) return;
    const said = reason.trim() === '' ? t.silences.reasonDefault : reason;
    await post('/silences', { ...what, until: until.toISOString(), reason: said });
    toast(t.silences.made(clock(until.getTime(), Date.now(), 'minute')));
    onDone();
    onClose();
  };
  const field = (
    <TextField
      label={t.common.reason}
      isLabelHidden={isProposed}
      value={reason}
      placeholder={t.silences.reasonDefault}
      onInput={setReason}
    />
  );
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack dialog-body">
        {props.children}
        <Matches what={settled} />
        {isProposed && <p class="help">{t.silences.help}</p>}
        {/* Folded: at night nobody types, and a phone's keyboard would be above the buttons. */}
        {isProposed ? (
          <details>
            <summary>{t.common.reason}</summary>
            {field}
          </details>
        ) : (
          field
        )}
      </div>
      <Failed thrown={thrown} />
      <div class="flow dialog-foot silence-lengths" role="group" aria-label={t.silences.until}>
        {lengths.map(([label, until]) => (
          <Button
            key={label}
            look="main"
            isBusy={isBusy}
            disabled={what === null}
            onClick={() => run(() => add(until()))}
          >
            {label}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}

function Matches({ what }: { what: Silenced | null }) {
  const { value, error } = useLoad(JSON.stringify(what), async () =>
    what === null ? null : post<SilencePreview>('/silences/preview', what).catch(precise),
  );
  return (
    <div role="status">
      {error !== null && <p class="bad-text">{error}</p>}
      {value !== null && (
        <p>
          <strong>
            {value.matches === 0
              ? t.silences.matchesNone(value.open)
              : t.silences.matches(value.matches, value.open)}
          </strong>
        </p>
      )}
      {value?.warnings.map((warning) => (
        <RelayText key={warning} as="p" class="box warn" text={warning} />
      ))}
    </div>
  );
}

function labelOf({ source, type, group, keys }: SilenceOf): string {
  if (keys !== undefined) return t.silences.ofIncident;
  if (group !== undefined) return t.silences.ofGroup(group.join(', '));
  return type === undefined ? t.silences.ofSource(source) : t.silences.ofType(type);
}

const MORNING = 7;

/** The next morning of the viewer's own clock, at least an hour away. */
export function nextMorning(now: Date): Date {
  const morning = new Date(now);
  morning.setHours(MORNING, 0, 0, 0);
  if (morning.getTime() < now.getTime() + HOUR_MS) morning.setDate(morning.getDate() + 1);
  return morning;
}
