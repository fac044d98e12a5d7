/** The route of a new source whose provider has none: everything makes a message. `name`: of the provider. */
export const defaultRoute = (name: string) => ({
  name: 'anything',
  to: 'team',
  send: { kind: 'text', message: `{% render 'default', sender: "'${name.replaceAll(/['"\\]/g, '')}'" %}` },
});
