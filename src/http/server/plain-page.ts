import { hash } from 'node:crypto';

const STYLE = `
      :root { color-scheme: light dark; }
      body { font: 1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 0 auto; padding: 1.5rem 1rem; }
      code, pre { font: 0.9rem/1.5 ui-monospace, monospace; }
      pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0.75rem; border: 1px solid; border-color: color-mix(in srgb, currentColor 25%, transparent); border-radius: 0.4rem; }
      a { color: LinkText; }
    `;

export const PAGE_TYPE = 'text/html; charset=utf-8';

/** Headers of a page without scripts, whose one style is known by its hash. */
export const PLAIN_PAGE_HEADERS = {
  'content-type': PAGE_TYPE,
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'`,
  vary: 'accept',
} as const;

/** Returns a page without scripts. `title` and `content` are HTML. */
export function plainPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <style>${STYLE}</style>
  </head>
  <body>
${content}
  </body>
</html>
`;
}
