import { PageHead } from '../../ui/basics.tsx';
import { t } from '../../texts/texts.ts';

export const EventPage = () => <PageHead title={t.events.title} />;
