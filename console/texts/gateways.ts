import { gatewayFacts } from '../../shared/new-source/gateways.ts';
import { t } from './texts.ts';

/** What the declaration of a gateway says in English, translated where the language has it. */
export const gatewayWords = (text: string): string => t.sources.gatewayWords[text] ?? text;

const factsOf = (gateway: string) => gatewayFacts.find(({ id }) => id === gateway);

export const gatewayName = (gateway: string): string => gatewayWords(factsOf(gateway)?.name ?? gateway);

/** What a gateway costs, and what it needs. */
export function gatewayHelp(gateway: string): string | undefined {
  const facts = factsOf(gateway);
  return facts && t.sources.costsAndNeeds(gatewayWords(facts.costs), gatewayWords(facts.needs));
}
