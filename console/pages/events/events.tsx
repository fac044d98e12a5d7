import { PageHead } from '../../ui/basics.tsx';
import { t } from '../../texts/texts.ts';

export const Events = () => <PageHead title={t.events.title} />;
