import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useEmbedSize } from '#app/features/embeds/use-embed-size.ts'
import { StandaloneError } from '#app/shell/error-page.tsx'

/** Pages that allowed sites may embed: without header, footer, cookies or third-party scripts. */
export const Route = createFileRoute('/embed')({
  staticData: { namespaces: ['participant', 'survey', 'embeds'], hideIntercom: true },
  head: () => ({ meta: [{ name: 'robots', content: 'noindex' }] }),
  component: Framed,
  errorComponent: StandaloneError,
})

function Framed() {
  useEmbedSize()
  return (
    <main id="main" tabIndex={-1} className="embed">
      <Outlet />
    </main>
  )
}
