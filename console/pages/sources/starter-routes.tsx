import type { Provider } from '../../api/types.ts';
import { t } from '../../texts/texts.ts';
import { Panel } from '../../ui/basics.tsx';
import { CheckField } from '../../ui/form.tsx';
import { routesIn, notifiesCustomers, withoutCustomers, withoutOf, type Answers } from './draft.ts';
import { textAt } from './model.ts';
import { sentenceOf } from './routes.tsx';

interface StarterRoutesProps {
  readonly provider: Provider;
  readonly answers: Answers;
  readonly onChange: (changed: Partial<Answers>) => void;
}

/** The routes that a source of the provider may begin with, each to be left out. */
export function StarterRoutes({ provider, answers, onChange }: StarterRoutesProps) {
  const without = withoutOf(provider, answers);
  return (
    <Panel title={t.sources.starterRoutes}>
      <p class="soft">{t.sources.starterHelp}</p>
      {provider.customers !== undefined && (
        <CheckField
          label={t.sources.customers}
          value={notifiesCustomers(provider, answers)}
          onChange={(notifies) => onChange({ without: withoutCustomers(provider, answers, notifies) })}
        />
      )}
      <ul class="sources-starters">
        {routesIn(provider).map((route) => {
          const name = String(route['name']);
          return (
            <li key={name}>
              <CheckField
                label={sentenceOf(route, Object.hasOwn(provider.customers ?? {}, name))}
                value={!without.includes(name)}
                onChange={(isIn) =>
                  onChange({
                    without: isIn ? without.filter((one) => one !== name) : [...without, name],
                  })
                }
              />
              <details class="sources-starters-what">
                <summary>
                  <code>{name}</code>
                </summary>
                {textAt(route, 'when') !== null && <code>{textAt(route, 'when')}</code>}
                <code>{[route['to'] ?? []].flat().map(String).join(', ')}</code>
              </details>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
