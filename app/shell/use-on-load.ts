import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { keepToken, type TokenPlaces } from '#app/lib/api-client/token.ts'
import { LANGUAGE_COOKIE, LANGUAGE_QUERY } from './language.ts'
import { readPageLanguage } from './page-language.ts'
import { usePageState } from './page-state.tsx'

const tokenPlaces: TokenPlaces = {
  get body() {
    return document.body
  },
  storage: () => window.sessionStorage,
}

/** Runs once per application load: keeps the token, and corrects the language if cookies could not. */
export function useOnLoad(): void {
  const { i18n } = useTranslation()
  const { token, currentSite, siteSettings } = usePageState()
  useEffect(() => {
    if (token) keepToken(tokenPlaces, token)
    document.addEventListener('submit', forgetTokenAtSignOut)
    return () => document.removeEventListener('submit', forgetTokenAtSignOut)
  }, [token])
  useEffect(() => {
    if (isLanguageSettled()) return
    void import('./settle-language.ts').then(({ settleLanguage }) =>
      settleLanguage(i18n, currentSite.site.locale, siteSettings.contentLanguages),
    )
  }, [i18n, currentSite, siteSettings])
}

/** True if the cookie was sent and nothing before it in the order says otherwise: further detection cannot change the page. */
const isLanguageSettled = (): boolean =>
  !new URLSearchParams(window.location.search).has(LANGUAGE_QUERY) &&
  document.cookie.split('; ').includes(`${LANGUAGE_COOKIE}=${readPageLanguage()}`)

function forgetTokenAtSignOut({ target }: SubmitEvent): void {
  if (target instanceof HTMLFormElement && new URL(target.action).pathname.endsWith('/sign-out')) keepToken(tokenPlaces, undefined)
}
