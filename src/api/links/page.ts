import { visible } from '../../record/foreign-text.ts';
import { inHtml } from '../../webhooks/in-html.ts';

const STYLE = `
  :root { color-scheme: light dark; background: light-dark(#ffffff, #14161a); color: light-dark(#14161a, #e8eaed); }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.3rem; }
  dt { font-weight: 600; margin-top: .8rem; }
  dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
  pre { border: 1px solid light-dark(#d9dce1, #33373f); border-radius: 4px; margin: .2rem 0 0; padding: .6rem; font-size: .85rem; white-space: pre-wrap; overflow-wrap: anywhere; }
  textarea { font: inherit; width: 100%; box-sizing: border-box; }
  h2 { font-size: 1.05rem; border-top: 1px solid light-dark(#d9dce1, #33373f); margin-top: 1.6rem; padding-top: .8rem; }
  code { overflow-wrap: anywhere; }
  .proved h1 { color: light-dark(#16713f, #62cf93); }
  @media print { body { margin: 0; max-width: none; } dt, pre { break-inside: avoid; } }
  button { font: inherit; margin: .8rem .8rem 0 0; padding: .5rem 1.2rem; min-height: 44px; }`;

/** Nothing on the page runs, loads or is framed; its form goes to this service alone. */
export const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

interface Page {
  readonly nonce: string;
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** A proof run met all that was asked. */
  readonly isProved?: boolean;
}

export const page = ({ nonce, title, body, isProved = false }: Page): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${inHtml(title)} · Goalkeeper</title>
<style nonce="${nonce}">${STYLE}</style></head>
<body${isProved ? ' class="proved"' : ''}><main><h1>${inHtml(title)}</h1>
${body}
</main></body></html>`;

/** A page that says what happened. */
export const toldPage = (nonce: string, title: string, texts: readonly string[]): string =>
  page({ nonce, title, body: texts.map((text) => `<p>${inHtml(visible(text))}</p>`).join('\n') });
