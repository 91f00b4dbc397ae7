import { type BackendModule, createInstance, type i18n, type ReadCallback, type Services } from 'i18next'
import { i18nOptions, sentenceEnds } from '#app/lib/i18n-options.ts'
import type { Language } from '#app/lib/languages.ts'
import type { RetryingBackend } from './http-backend.ts'

/** Loads the HTTP backend once texts are missing: a page comes with its own, so most visits never need it. */
class LazyBackend implements BackendModule {
  static readonly type = 'backend'
  readonly type = 'backend'
  #backend: Promise<RetryingBackend> | undefined
  #settings: [services: Services, options: object] | undefined

  init(services: Services, options: object): void {
    this.#settings = [services, options]
  }

  read(language: string, namespace: string, callback: ReadCallback): void {
    this.#backend ??= this.#load()
    this.#backend.then(
      (backend) => backend.read(language, namespace, callback),
      (error: Error) => {
        this.#backend = undefined
        // oxlint-disable-next-line promise/no-callback-in-promise -- the backend's API takes a callback
        callback(error, true)
      },
    )
  }

  async #load(): Promise<RetryingBackend> {
    const { RetryingBackend } = await import('./http-backend.ts')
    const backend = new RetryingBackend()
    if (this.#settings) backend.init(this.#settings[0], this.#settings[1])
    return backend
  }
}

/** An i18next instance that fetches missing texts: a failed load is retried 5 times, after 250, 500, 1000, 2000 and 4000 ms. */
export function createBrowserI18n(language: Language): i18n {
  const instance = createInstance().use(LazyBackend).use(sentenceEnds)
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
