import { useState } from 'preact/hooks';
import { ask, put } from '../../api/client.ts';
import type { ListPage, Suppression } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { useList } from '../../lib/list.ts';
import { useGet } from '../../lib/load.ts';
import { addressOf, useFilters } from '../../lib/router.ts';
import { byWhom } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Button, Empty, Loading, PageHead, Panel, Time, Trouble } from '../../ui/basics.tsx';
import { AskButton, Confirm, Opener, type WindowProps } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form.tsx';
import { useMay } from '../../ui/session.tsx';
import { toast } from '../../ui/toast.tsx';
import { FindBox } from '../../parts/search-box.tsx';

const EXAMPLE = '+49 151 12345678';
const pathOf = (phone: string): string => `/suppressions/${encodeURIComponent(phone)}`;

export function OptedOut() {
  const canSee = useMay('operator');
  const [query, filter] = useFilters();
  const phone = canSee ? (query['phone'] ?? '') : '';
  const list = useList<ListPage<Suppression>>('/suppressions', {}, ({ phone }) => phone);
  const one = useGet<Suppression>(phone === '' ? null : pathOf(phone));
  const isGone = one.status === 404;
  const found = one.value === null || isGone ? [] : [one.value];
  const { items, isLoading, error } =
    phone === '' ? list : { ...one, items: found, error: isGone ? null : one.error };
  const again = (): void => {
    list.again();
    one.again();
  };
  return (
    <>
      <PageHead title={t.optedOut.title} back="/recipients">
        <Opener icon="plus" label={t.optedOut.add}>
          {(onClose) => <Add onDone={again} onClose={onClose} />}
        </Opener>
      </PageHead>
      <FindBox key={phone} number={phone} help={EXAMPLE} onFind={(typed) => filter({ phone: typed })} />
      {error !== null && <Trouble error={error} again={again} />}
      {items.length === 0 && isLoading && <Loading />}
      {items.length === 0 && !isLoading && error === null && (
        <Empty title={phone === '' ? t.optedOut.none : t.find.none}>{t.optedOut.noneText}</Empty>
      )}
      {items.length > 0 && (
        <Panel>
          <ul class="lines">
            {items.map((item) => (
              <li class="flow" key={item.phone}>
                <Row {...item} />
                <AskButton
                  label={`${t.optedOut.remove} …`}
                  title={phoneText(item.phone)}
                  action={t.optedOut.remove}
                  does={() => ask('DELETE', pathOf(item.phone))}
                  done={t.optedOut.removed(phoneText(item.phone))}
                  onDone={again}
                >
                  <p>{t.optedOut.removeText}</p>
                </AskButton>
              </li>
            ))}
          </ul>
          {phone === '' && list.hasMore && <Button onClick={list.more}>{t.common.more}</Button>}
        </Panel>
      )}
    </>
  );
}

const Row = ({ phone, at, by, reason, message }: Suppression) => (
  <div class="grow">
    <strong>{phoneText(phone)}</strong>
    <p class="soft">
      <Time at={at} /> · {t.silences.by(byWhom(by))} · <span dir="auto">{reason}</span>
      {message !== undefined && (
        <>
          {' · '}
          <a href={addressOf(`/messages/${message}`)}>{t.messages.one}</a>
        </>
      )}
    </p>
  </div>
);

function Add({ onDone, onClose }: WindowProps) {
  const [phone, setPhone] = useState('');
  const [reason, setReason] = useState('');
  return (
    <Confirm
      title={t.optedOut.add}
      action={t.optedOut.addNow}
      isUnready={phone.trim() === ''}
      onConfirm={async () => {
        const body = reason.trim() === '' ? {} : { reason };
        const { phone: added } = await put<Suppression>(pathOf(phone.trim()), body);
        toast(t.optedOut.added(phoneText(added)));
        onDone();
      }}
      onClose={onClose}
    >
      <p>{t.optedOut.addText}</p>
      <TextField label={t.find.number} placeholder={EXAMPLE} type="tel" value={phone} onInput={setPhone} />
      <TextField label={t.common.reason} value={reason} onInput={setReason} />
    </Confirm>
  );
}
