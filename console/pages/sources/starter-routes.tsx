import { readRouteWords } from '../../api/route-words.ts';
import type { ProviderAnswer } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { t } from '../../texts/texts.ts';
import { Panel } from '../../ui/basics.tsx';
import { CheckField } from '../../ui/form.tsx';
import { notifiesCustomers, withoutCustomers, withoutOf, type Answers } from './draft.ts';
import { routesOf } from './model.ts';
import { sentenceOf } from './routes.tsx';

interface StarterRoutesProps {
  readonly provider: ProviderAnswer;
  readonly answers: Answers;
  readonly onChange: (changed: Partial<Answers>) => void;
}

/** The routes that a source of the provider may begin with, each to be left out. */
export function StarterRoutes({ provider, answers, onChange }: StarterRoutesProps) {
  const without = withoutOf(provider, answers);
  const words = useLoad('route words', readRouteWords).value;
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
        {words !== null &&
          routesOf({ routes: provider.routes }).map((route) => {
            const { name, when, to } = route;
            return (
              <li key={name}>
                <CheckField
                  label={sentenceOf(route, provider.id, words, Object.hasOwn(provider.customers ?? {}, name))}
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
                  {when !== null && <code>{when}</code>}
                  <code>{to.join(', ')}</code>
                </details>
              </li>
            );
          })}
      </ul>
    </Panel>
  );
}
