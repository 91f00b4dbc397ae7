import { redirect } from '@tanstack/react-router'
import { createIsomorphicFn, getGlobalStartContext } from '@tanstack/react-start'
import type { i18n } from 'i18next'
import { AppError } from '#app/lib/app-error.ts'
import { DEFAULT_LANGUAGE, matchLanguage } from '#app/lib/languages.ts'
import { DEFAULT_NAMESPACE, type Namespace } from '#app/lib/namespaces.ts'
import { createServerI18n } from '#app/server/i18n.ts'
import { createBrowserI18n } from './i18n-browser.ts'

/** The texts of one page view: in the request's language on the server, in the page's language in the browser. */
export const createI18n = createIsomorphicFn()
  .server((): i18n => createServerI18n(getGlobalStartContext()?.ctx.language ?? DEFAULT_LANGUAGE))
  .client((): i18n => createBrowserI18n(matchLanguage(document.documentElement.lang) ?? DEFAULT_LANGUAGE))

interface NamespacedMatch {
  staticData: { namespaces?: readonly Namespace[] }
}

/** The text files a page needs: `common` and those its routes list. */
export function collectNamespaces(matches: readonly NamespacedMatch[]): Namespace[] {
  return [...new Set<Namespace>([DEFAULT_NAMESPACE, ...matches.flatMap((match) => match.staticData.namespaces ?? [])])]
}

/**
 * The texts that a page was rendered with, sent along so that hydration fetches none. They are most of the page's state: once the page is rendered,
 * `fillTexts` writes them into the place that is held for them here.
 */
export const placeTexts = createIsomorphicFn()
  .server((instance: i18n, namespaces: readonly Namespace[]): string => {
    const mark = getGlobalStartContext()?.textsMark
    return mark ? `${mark}/${instance.language}/${namespaces.join()}` : serialiseTexts(instance, namespaces)
  })
  .client(serialiseTexts)

export function serialiseTexts(instance: i18n, namespaces: readonly Namespace[]): string {
  return JSON.stringify(Object.fromEntries(namespaces.map((name) => [name, instance.getResourceBundle(instance.language, name) as object])))
}

/** Takes over the texts that came with the page. */
export function hydrateTexts(instance: i18n, texts: string): void {
  instance.hydrate({ [instance.language]: JSON.parse(texts) as Record<string, object> })
}

/**
 * Loads missing texts before a page is shown. If every retry failed, the server is asked for the whole `next` page, which brings its texts.
 * @throws {AppError} `unavailable` if there is no next page
 */
export async function ensureTexts(instance: i18n, namespaces: readonly Namespace[], next?: string): Promise<void> {
  const listMissing = () => namespaces.filter((namespace) => !instance.hasResourceBundle(instance.language, namespace))
  const wanted = listMissing()
  if (wanted.length === 0) return
  await instance.reloadResources([instance.language], wanted)
  if (listMissing().length && next !== undefined) throw redirect({ href: next, reloadDocument: true })
  if (listMissing().length) throw new AppError('unavailable', { detail: `Texts could not be loaded: ${listMissing().join(', ')}` })
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Text files that this route's components use besides `common`. */
    namespaces?: readonly Namespace[]
  }
}
