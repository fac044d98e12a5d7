import { t } from '../../texts/texts.ts';
import { Copy } from '../../ui/basics.tsx';
import { isHere, setsSecret } from './place.ts';

/** The command, or the line, that sets a secret where this relay runs. */
export const SetSecret = ({ name }: { name: string }) => (
  <>
    <p>{isHere(location.hostname) ? t.sources.setHere : t.sources.setDeployed}</p>
    <p>
      <Copy text={setsSecret(name, location.hostname)} label={t.sources.copyCommand} />
    </p>
  </>
);
