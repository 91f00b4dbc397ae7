import type { i18n } from 'i18next'
import type { Language } from '#app/lib/languages.ts'
import type { Appearance } from '../appearance.schema.ts'

type NavigationLink = Appearance['navigation'][number]

/** The header's links on a site that chose none. */
const STANDARD_LINKS = [
  ['site.projects', '/projects'],
  ['site.hubs', '/hubs'],
  ['site.results', '/projects?status=results'],
  ['site.search', '/search'],
] as const

export const createLink = (href = '/projects', label: NavigationLink['label'] = {}): NavigationLink => ({
  id: `n_${crypto.randomUUID().slice(0, 8)}`,
  label,
  href,
})

/** The standard links as links of the site, in each of its languages, so that one more link does not replace them. */
export async function createStandardLinks(instance: i18n, languages: readonly Language[]): Promise<NavigationLink[]> {
  await instance.reloadResources([...languages], ['participant'])
  const loaded = languages.filter((language) => instance.hasResourceBundle(language, 'participant'))
  return STANDARD_LINKS.map(([text, href]) =>
    createLink(href, Object.fromEntries(loaded.map((language) => [language, instance.getFixedT(language, 'participant')(text)]))),
  )
}
