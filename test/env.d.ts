import type * as relay from '../src/index.ts';

declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: typeof relay;
    }
  }
}
