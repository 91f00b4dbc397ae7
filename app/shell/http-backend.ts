import type { ReadCallback } from 'i18next'
import HttpBackend from 'i18next-http-backend'

/** The HTTP backend gives up at once where the server answers 4xx or a broken file; here every failed load counts as worth retrying. */
export class RetryingBackend extends HttpBackend {
  override loadUrl(url: string, callback: ReadCallback, languages?: string | string[], namespaces?: string | string[]): void {
    super.loadUrl(url, (error, data) => callback(error, error ? true : data), languages, namespaces)
  }
}
