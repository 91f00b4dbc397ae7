import type { ReactNode } from 'react'

/** Running text: headings, lists, pictures and tables set for reading. `html` must have been sanitised on the server. */
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
