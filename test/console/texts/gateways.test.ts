import { expect, it } from 'vitest';
import { GATEWAY_WORDS } from '../../../console/texts/de.ts';
import { addressOfGateway, gatewayFacts } from '../../../shared/new-source/gateways.ts';

it.each(gatewayFacts)('what $name costs and needs is there in German', ({ id, costs, needs }) => {
  for (const text of [costs, needs, addressOfGateway(id)])
    if (text !== null) expect(GATEWAY_WORDS).toHaveProperty([text]);
});
