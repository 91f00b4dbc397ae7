import { createRootRouteWithContext, HeadContent, Outlet, Scripts } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { RouterContext } from '#app/router.tsx'
import { ensureTexts, namespacesOf } from '#app/shell/i18n.ts'

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: ({ context, matches }) => ensureTexts(context.i18n, namespacesOf(matches)),
  head: () => ({
    meta: [{ charSet: 'utf-8' }, { name: 'viewport', content: 'width=device-width, initial-scale=1' }, { title: 'Parley' }],
  }),
  component: Document,
})

function Document() {
  const { i18n } = useTranslation()
  return (
    <html lang={i18n.language} dir={i18n.dir()}>
      <head>
        <HeadContent />
      </head>
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  )
}
