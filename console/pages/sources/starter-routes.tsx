import type { Provider } from '../../api/types.ts';
import { t } from '../../texts/texts.ts';
import { Panel } from '../../ui/basics.tsx';
import { CheckField } from '../../ui/form.tsx';
import { routesIn, type Answers } from './draft.ts';
import { textAt } from './model.ts';

interface StarterRoutesProps {
  readonly provider: Provider;
  readonly answers: Answers;
  readonly onChange: (changed: Partial<Answers>) => void;
}

/** The routes that a source of the provider may begin with, each to be left out. */
export const StarterRoutes = ({ provider, answers, onChange }: StarterRoutesProps) => (
  <Panel title={t.sources.starterRoutes}>
    <p class="soft">{t.sources.starterHelp}</p>
    <ul class="sources-starters">
      {routesIn(provider).map((route) => {
        const name = String(route['name']);
        return (
          <li key={name}>
            <CheckField
              label={name}
              value={!answers.without.includes(name)}
              onChange={(isIn) =>
                onChange({
                  without: isIn ? answers.without.filter((one) => one !== name) : [...answers.without, name],
                })
              }
            />
            <p class="sources-starters-what">
              {t.sources.to} {[route['to'] ?? t.sources.everybody].flat().map(String).join(', ')}
            </p>
            {textAt(route, 'when') !== null && <code>{textAt(route, 'when')}</code>}
          </li>
        );
      })}
    </ul>
  </Panel>
);
