/** From somebody's words to what is done, as the server wrote it: escaped there, and made without a script of its own. */
export function Journey({ html }: { html: string }) {
  return html ? <div dangerouslySetInnerHTML={{ __html: html }} /> : null
}
