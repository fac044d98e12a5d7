import { addressOfGateway, gatewayFacts, gatewayOf } from '../../../shared/new-source/gateways.ts';
import type { DocumentSet } from '../../api/types.ts';
import { t } from '../../texts/texts.ts';
import { Panel } from '../../ui/basics.tsx';
import { SelectField } from '../../ui/form.tsx';
import type { Answers } from './draft.ts';

const DEFAULT = 'default';

const words = (text: string): string => t.sources.gatewayWords[text] ?? text;

interface GatewayProps {
  readonly answers: Pick<Answers, 'account'>;
  readonly accounts: DocumentSet['accounts'];
  readonly error: string | undefined;
  readonly onChange: (account: string) => void;
}

/** Asks by which account messages go, with what its gateway costs and needs; and names the other gateways. */
export function Gateway({ answers, accounts, error, onChange }: GatewayProps) {
  const names = [DEFAULT, ...Object.keys(accounts).filter((one) => one !== DEFAULT)];
  const of = (account: string): string => gatewayOf(accounts[account]);
  const chosen = gatewayFacts.find(({ id }) => id === of(answers.account || DEFAULT));
  const used = new Set(names.map(of));
  const others = gatewayFacts.filter(({ id }) => !used.has(id));
  return (
    <Panel title={t.sources.whereTo}>
      <div class="fields">
        <SelectField
          label={t.common.account}
          value={answers.account}
          options={names.map((name) => [name === DEFAULT ? '' : name, labelOf(name, of(name))] as const)}
          onChange={onChange}
          error={error}
          {...(chosen && { help: t.sources.costsAndNeeds(words(chosen.costs), words(chosen.needs)) })}
        />
      </div>
      <details>
        <summary>{t.sources.otherGateways}</summary>
        <dl>
          {others.map(({ id, name, costs, needs }) => (
            <>
              <dt>
                {t.sources.gatewayWords[name] ?? name} <code>{`gateway: ${id}`}</code>
              </dt>
              <dd class="soft">{t.sources.costsAndNeeds(words(costs), words(needs))}</dd>
            </>
          ))}
        </dl>
        <p class="soft">{t.sources.otherGatewaysHelp}</p>
      </details>
    </Panel>
  );
}

const labelOf = (account: string, gateway: string): string => `${account} (${nameOf(gateway)})`;

/** The word of the account's gateway for its addresses; null: it sends to numbers. */
export const addressesOf = (accounts: DocumentSet['accounts'], account: string): string | null =>
  addressOfGateway(gatewayOf(accounts[account || DEFAULT]));

function nameOf(gateway: string): string {
  const name = gatewayFacts.find(({ id }) => id === gateway)?.name ?? gateway;
  return t.sources.gatewayWords[name] ?? name;
}
