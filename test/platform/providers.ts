import facts from '../../assets/facts.json?raw';
import { parseFacts } from '../../src/config/compiled/facts.ts';
import type { Provider } from '../../src/provider/provider.ts';

/** Every provider that hookbell ships, by its id. */
export const providers: ReadonlyMap<string, Provider> = new Map(Object.entries(parseFacts(facts).providers));
