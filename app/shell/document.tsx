import { useQuery } from '@tanstack/react-query'
import { HeadContent, Scripts } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { publicConfigQuery } from '#app/features/libraries/libraries.queries.ts'
import { API_ENDPOINT_ATTRIBUTE, API_TOKEN_ATTRIBUTE } from '#app/lib/api-token.ts'
import { fontPreloads } from '#app/ui/fonts.ts'
import styles from '#app/styles/app.css?url'
import type { RouterContext } from '#app/shell/router-context.ts'
import { getErrorTitle } from './error-page.tsx'
import { siteSettingsQuery, tokenQuery } from './page-state.queries.ts'
import { getSiteName } from './page-state.tsx'
import { findContentAttribute } from './page-language.ts'

/** The head of every page. A route's own title overrides the site's name. */
export function buildDocumentHead({ queryClient, i18n }: RouterContext, matches: readonly { status: string; error?: unknown }[]) {
  const failed = matches.find((match) => match.status === 'error')
  const site = getSiteName(queryClient)
  const settings = queryClient.getQueryData(siteSettingsQuery.queryKey)
  const style = settings?.themeStyle
  return {
    meta: [
      { charSet: 'utf-8' },
      { name: 'viewport', content: 'width=device-width, initial-scale=1' },
      { title: failed ? `${getErrorTitle(i18n, failed.error)} · ${site}` : site },
    ],
    links: [
      { rel: 'stylesheet', href: styles },
      ...fontPreloads,
      settings?.favicon ? { rel: 'icon', href: settings.favicon } : { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' },
      { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
    ],
    styles: style ? [{ children: style }] : [],
  }
}

/** The document around every page, including error pages: it must work without the page state. */
export function Document({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation()
  const token = useQuery({ ...tokenQuery, enabled: false }).data?.token
  const endpoint = useQuery({ ...publicConfigQuery, enabled: false }).data?.apiEndpoint
  const settings = useQuery({ ...siteSettingsQuery, enabled: false }).data
  const colors = settings?.themeColors
  return (
    <html lang={i18n.language} dir={i18n.dir()} data-content={findContentAttribute()} data-scheme={settings?.themeScheme ?? undefined}>
      <head>
        <HeadContent />
        {colors && <meta name="theme-color" content={colors.light} media="(prefers-color-scheme: light)" />}
        {colors && <meta name="theme-color" content={colors.dark} media="(prefers-color-scheme: dark)" />}
      </head>
      <body {...(token ? { [API_TOKEN_ATTRIBUTE]: token } : {})} {...(endpoint ? { [API_ENDPOINT_ATTRIBUTE]: endpoint } : {})}>
        {children}
        <Scripts />
      </body>
    </html>
  )
}
