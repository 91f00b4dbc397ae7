import { escapeHtml } from '#app/lib/escape-html.ts'

interface SnippetOptions {
  /** Of the site: `https://…`. */
  origin: string
  /** Path and query of what is shown. */
  address: string
  title: string
  /** Until the script has measured it, and for readers without scripts, in pixels. */
  height: number
}

/** A frame that is as wide as its place, and the script that gives it the height of its content. */
export const buildSnippet = ({ origin, address, title, height }: SnippetOptions): string =>
  [
    `<iframe src="${escapeHtml(`${origin}${address}`)}" title="${escapeHtml(title)}" data-parley loading="lazy" style="width:100%;height:${height}px;border:0"></iframe>`,
    `<script src="${escapeHtml(origin)}/embed.js" async></script>`,
  ].join('\n')
