import type { ReactNode } from 'react'

/** Long-form text with headings, lists, pictures and tables. `html` must have been sanitised on the server. */
export function Prose({ html, language, children }: { html?: string; language?: string; children?: ReactNode }) {
  if (html === undefined) {
    return (
      <div className="prose" lang={language}>
        {children}
      </div>
    )
  }
  return <div className="prose" lang={language} dangerouslySetInnerHTML={{ __html: html }} />
}
