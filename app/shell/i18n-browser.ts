import { createInstance, type i18n, type ReadCallback } from 'i18next'
import HttpBackend from 'i18next-http-backend'
import { i18nOptions } from '#app/lib/i18n-options.ts'
import type { Language } from '#app/lib/languages.ts'

/** The HTTP backend gives up at once where the server answers 4xx or a broken file; here every failed load counts as worth retrying. */
class RetryingBackend extends HttpBackend {
  override loadUrl(url: string, callback: ReadCallback, languages?: string | string[], namespaces?: string | string[]): void {
    super.loadUrl(url, (error, data) => callback(error, error ? true : data), languages, namespaces)
  }
}

/** An i18next instance that fetches what it lacks: a failed load is tried 5 times more, after 250, 500, 1000, 2000 and 4000 ms. */
export function createBrowserI18n(language: Language): i18n {
  const instance = createInstance().use(RetryingBackend)
  void instance.init({
    ...i18nOptions,
    lng: language,
    ns: [],
    resources: {},
    partialBundledLanguages: true,
    maxRetries: 5,
    retryTimeout: 250,
    backend: { loadPath: '/locales/{{lng}}/{{ns}}.json' },
  })
  return instance
}
