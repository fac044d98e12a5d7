import type { Env as RelayEnv } from '../src/env.ts';
import type * as relay from '../src/index.ts';

declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: typeof relay;
    }
    interface Env extends RelayEnv {}
  }
}
