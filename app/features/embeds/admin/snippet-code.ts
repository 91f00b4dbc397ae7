import { escapeHtml } from '#app/lib/escape-html.ts'

interface SnippetOptions {
  /** Origin of the site: `https://…`. */
  origin: string
  /** Path and query of the embedded page. */
  address: string
  title: string
  /** In pixels, until the script has measured the content, and for readers without JavaScript. */
  height: number
}

/** A full-width frame, and the script that sets it to the height of its content. */
export const buildSnippet = ({ origin, address, title, height }: SnippetOptions): string =>
  [
    `<iframe src="${escapeHtml(`${origin}${address}`)}" title="${escapeHtml(title)}" data-parley loading="lazy" style="width:100%;height:${height}px;border:0"></iframe>`,
    `<script src="${escapeHtml(origin)}/embed.js" async></script>`,
  ].join('\n')
