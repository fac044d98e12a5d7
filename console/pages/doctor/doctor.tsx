import { PageHead } from '../../ui/basics.tsx';
import { t } from '../../texts/texts.ts';

export const Doctor = () => <PageHead title={t.doctor.title} />;
