import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { API_TOKEN_STORAGE_KEY } from '#app/lib/api-token.ts'
import { usePageState } from './page-state.tsx'

/** What an application load does once in the browser: keeps the token, and minds the language where cookies did not. */
export function useOnLoad(): void {
  const { i18n } = useTranslation()
  const { token, currentSite, siteSettings } = usePageState()
  useEffect(() => {
    if (token) keepToken(token)
    document.addEventListener('submit', forgetTokenAtSignOut)
    return () => document.removeEventListener('submit', forgetTokenAtSignOut)
  }, [token])
  useEffect(() => {
    void import('./settle-language.ts').then(({ settleLanguage }) => settleLanguage(i18n, currentSite.site.locale, siteSettings.languages))
  }, [i18n, currentSite, siteSettings])
}

/** Session storage may be forbidden; the body attribute then has to do. */
function keepToken(token: string): void {
  try {
    sessionStorage.setItem(API_TOKEN_STORAGE_KEY, token)
  } catch {
    return
  }
}

function forgetTokenAtSignOut(event: SubmitEvent): void {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !new URL(form.action).pathname.endsWith('/sign-out')) return
  try {
    sessionStorage.clear()
  } catch {
    return
  }
}
