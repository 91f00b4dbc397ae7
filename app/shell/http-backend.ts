import type { ReadCallback } from 'i18next'
import HttpBackend from 'i18next-http-backend'

/** i18next's HTTP backend gives up at once on a 4xx or a malformed file; here every failed load is retried. */
export class RetryingBackend extends HttpBackend {
  override loadUrl(url: string, callback: ReadCallback, languages?: string | string[], namespaces?: string | string[]): void {
    super.loadUrl(url, (error, data) => callback(error, error ? true : data), languages, namespaces)
  }
}
