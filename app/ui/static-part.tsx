import { type ReactNode, useState } from 'react'

interface StaticPartProps {
  /** Unique on the page. */
  id: string
  render: () => ReactNode
}

/**
 * A part of a page that works as the server wrote it: the browser keeps it as it is, and loads none of the scripts that rendered it. It is rendered
 * in the browser only if the page was reached from another one.
 */
export function StaticPart({ id, render }: StaticPartProps) {
  const [written] = useState(() => (import.meta.env.SSR ? undefined : document.getElementById(id)?.innerHTML))
  if (written === undefined) return <div id={id}>{render()}</div>
  return <div id={id} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: written }} />
}
