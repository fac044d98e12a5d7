/** In Node, the class that objects extend: `cloudflare:workers` gives it. Tests that need more of the platform run on workerd. */
export class DurableObject {
  readonly ctx: object;
  readonly env: object;

  constructor(ctx: object, env: object) {
    this.ctx = ctx;
    this.env = env;
  }
}
